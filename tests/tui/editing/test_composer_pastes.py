"""Pastes: cleaned, folded, and as one stand-in when they are large."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.text import clean_text
from codeagent_tui.tui.editing import pastes
from codeagent_tui.tui.editing.pastes import Paste, PasteShelf, clean_in_pieces, is_large, readable_size

CONTROLS = ["\r", "\n", "\r\n", "\x1b", "\x1b[31m", "\x1b]52;c;", "\x07", "\x9b", "2J", "\x00", "\t", "\u202e"]
RAW = st.lists(st.sampled_from([*CONTROLS, "a", "word ", "你好", "\udc80", "👨‍👩‍👧"]), max_size=60).map("".join)


@pytest.mark.parametrize("text", ["x" * 2_000, "line\n" * 19, ""])
def test_small_pastes_stay_text(text: str) -> None:
    assert not is_large(text)


@pytest.mark.parametrize("text", ["x" * 2_001, "line\n" * 20, "line\r" * 20, "line\r\n" * 20])
def test_large_pastes_do_not(text: str) -> None:
    assert is_large(text)


def test_crlf_counts_as_one_line_end() -> None:
    assert not is_large("line\r\n" * 19)


@pytest.mark.parametrize(
    "path", ["/home/u/a file.png", "'/tmp/with blank.txt'", "~/notes.md", "./a", "C:\\x\\y", "file:///a"]
)
def test_dropped_files_stay_text(path: str) -> None:
    assert not is_large(f"{path}\n" * 50)
    assert is_large(f"{path}\n" * 500)


@settings(max_examples=300)
@given(raw=RAW, piece=st.integers(1, 12))
def test_cleaning_in_pieces_is_cleaning(raw: str, piece: int) -> None:
    before = pastes._PIECE
    pastes._PIECE = piece
    try:
        assert "".join(clean_in_pieces(raw)) == clean_text(raw)
    finally:
        pastes._PIECE = before


def test_u08_control_characters_go_and_line_ends_fold() -> None:
    paste = Paste("one\r\ntwo\ttab\r\x1b[31mred\x00\n" + "x" * 3_000, 1)
    assert paste.text == "one\ntwo\ttab\nred\n" + "x" * 3_000


def test_s03_half_pairs_become_visible() -> None:
    assert Paste("caf\udc80\ud83c!", 1).text == "caf\ufffd\ufffd!"


def test_a_paste_that_is_cleaned_by_steps_has_the_same_text() -> None:
    raw = "a\r\n" * 100_000
    slow, fast = Paste(raw, 1), Paste(raw, 1)
    for _ in slow.clean_by_steps():
        pass
    assert slow.text == fast.text == "a\n" * 100_000


def test_asking_for_the_text_in_the_middle_of_cleaning_gives_all_of_it() -> None:
    paste = Paste("a\r\n" * 100_000, 1)
    steps = paste.clean_by_steps()
    next(steps)
    assert len(paste.text) == 200_000
    assert sum(1 for _ in steps) > 0
    assert len(paste.text) == 200_000


@pytest.mark.parametrize(
    ("raw", "label"),
    [
        ("x" * 3_200, "[pasted #1: 1 line, 3.2 KB]"),
        ("ab\n" * 1_234, "[pasted #1: 1,234 lines, 3.7 KB]"),
        ("a\r\nb\rc\n\nd", "[pasted #1: 5 lines, 9 B]"),
        ("你" * 2_000_000, "[pasted #1: 1 line, 6.0 MB]"),
    ],
)
def test_the_label_counts_lines_and_bytes(raw: str, label: str) -> None:
    assert Paste(raw, 1).label == label


def test_sizes_round_into_the_next_unit() -> None:
    assert [readable_size(n) for n in (999, 1_000, 999_949, 999_950)] == ["999 B", "1.0 KB", "999.9 KB", "1.0 MB"]


def test_stand_ins_expand_where_they_stand() -> None:
    shelf = PasteShelf()
    one, _ = shelf.put("FIRST")
    two, _ = shelf.put("SECOND")
    assert shelf.expand(f"a {two} b {one}{one}") == "a SECOND b FIRSTFIRST"
    assert (shelf.label(one)[:10], shelf.label(two)[:10]) == ("[pasted #1", "[pasted #2")


def test_a_text_is_kept_once() -> None:
    shelf = PasteShelf()
    one, paste = shelf.put("same\r\n")
    assert shelf.put("same\r\n")[0] == one
    assert paste.text == "same\n"
    assert shelf.put("same\n")[0] == one


def test_a_label_that_was_typed_is_no_paste() -> None:
    shelf = PasteShelf()
    _, paste = shelf.put("text")
    assert shelf.expand(paste.label) == paste.label


def test_too_many_pastes_are_refused() -> None:
    shelf = PasteShelf()
    for number in range(1_024):
        shelf.put(str(number))
    with pytest.raises(OverflowError):
        shelf.put("one more")
