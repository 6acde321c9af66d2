"""Cutting what is too long: within the limit, said, and never inside a character."""

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.text import graphemes
from codeagent_tui.tools.output import clip_line, head_and_tail, partial

FAMILY = "👨‍👩‍👧‍👦"
pieces = st.sampled_from(["a", " ", "\n", "中", "é", "e\u0301", FAMILY, "👍🏽", "\t"])
texts = st.lists(pieces, max_size=300).map("".join)


def test_a_short_text_stays_as_it_is() -> None:
    assert head_and_tail("short", 10) == "short"
    assert clip_line("short", 10) == "short"


def test_head_and_tail_are_kept_and_the_gap_is_counted() -> None:
    text = "\n".join(f"line {number}" for number in range(10_000)) + "\nFINAL-ERROR"
    cut = head_and_tail(text, 2_000)
    assert cut.startswith("line 0\nline 1\n") and cut.endswith("line 9999\nFINAL-ERROR")
    head, gap, tail = cut.partition("[… ")
    missing = int(gap and tail.split(" ")[0].replace(",", ""))
    assert len(head) + len(tail.partition("]\n")[2]) + missing == len(text)
    assert len(cut) < 2_100


@given(texts, st.integers(8, 200))
def test_head_and_tail_never_cut_a_character_and_keep_to_the_limit(text: str, limit: int) -> None:
    cut = head_and_tail(text, limit)
    if len(text) <= limit:
        assert cut == text
        return
    head, _, rest = cut.partition("[… ")
    tail = rest.partition("]\n")[2]
    head = head if text.startswith(head) else head.removesuffix("\n")
    # Line feeds count as part of the character before them there; between lines a cut is always right.
    bounds = {
        0,
        *(end for _, end, _ in graphemes(text)),
        *(at for at in range(1, len(text) + 1) if "\n" in text[at - 1 : at + 1]),
    }
    assert text.startswith(head) and text.endswith(tail)
    assert len(head) in bounds and len(text) - len(tail) in bounds
    assert len(head) + len(tail) <= limit + len(FAMILY)


@given(texts.map(lambda text: text.replace("\n", "").replace("\r", "")), st.integers(8, 60))
def test_a_clipped_line_says_its_length(line: str, limit: int) -> None:
    clipped = clip_line(line, limit)
    if len(line) <= limit:
        assert clipped == line
        return
    kept, _, mark = clipped.partition("… [")
    assert line.startswith(kept) and len(kept) <= limit
    assert mark == f"line of {len(line):,} characters]"


def test_the_mark_of_a_partial_result() -> None:
    assert partial("showed 200 of 3,412 lines; go on with offset=201").startswith("[partial: showed 200")
