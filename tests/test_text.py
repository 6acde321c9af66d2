"""Untrusted text made safe and measured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.text import (
    cell_width,
    clean_text,
    cut_cells,
    cut_characters,
    grapheme_floor,
    graphemes,
    one_line,
    resolve_carriage_returns,
)

FAMILY = "👨\u200d👩\u200d👧"
TRICKY = st.lists(
    st.sampled_from(
        [*"a[]/\x1b\x07你\r\n\u202eé\u0301\t1m;\x9b\0", "\ud83c", "⚠️", FAMILY],
    )
).map("".join)


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]52;c;c2VjcmV0\x07b", "ab"),
        ("a\x1b]0;title\x1b\\b", "ab"),
        ("\x1b[2J\x07\b x", " x"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("caf\ud83c.txt", "caf\ufffd.txt"),
        ("safe\u202etxt.exe", "safe<U+202E>txt.exe"),
        ("tab\tstays", "tab\tstays"),
        ("[/INST] x [b + y", "[/INST] x [b + y"),
    ],
)
def test_nothing_that_acts_on_a_terminal_is_left(dirty: str, clean: str) -> None:
    assert clean_text(dirty) == clean


@given(TRICKY)
def test_cleaning_is_idempotent_and_printable(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert not any(ord(char) < 32 and char not in "\n\t" for char in once)
    assert "\x1b" not in once
    once.encode()


def test_progress_lines_show_their_last_state() -> None:
    assert resolve_carriage_returns("p 10%\rp 20%\rp 100%\ndone\r\n") == "p 100%\ndone\n"


@given(TRICKY, st.integers(0, 12))
def test_cutting_keeps_the_width_and_whole_graphemes(text: str, width: int) -> None:
    text = clean_text(text).replace("\n", "").replace("\t", "")
    cut = cut_cells(text, width)
    assert cell_width(cut) <= width
    if cut.endswith("…") and cut != text:
        ends = {0, *(end for _, end, _ in graphemes(text))}
        assert len(cut) - 1 in ends


def test_a_family_is_never_cut_in_two() -> None:
    text = "ab" + FAMILY + "c"
    for limit in range(len(text)):
        kept = cut_characters(text, limit, "").removeprefix("ab")
        assert kept in ("", FAMILY, FAMILY + "c") or len(kept) < 2
    assert grapheme_floor(text, 4) == 2


def test_one_line_collapses_blanks() -> None:
    assert one_line("a\n\n  b\tc\x1b[1m", 4) == "a b…"
