"""The layout of a draft: columns are terminal cells, and every place leads back to its index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.text import cell_width
from codeagent_tui.tui.editing.buffer import ComposerBuffer
from codeagent_tui.tui.editing.row_pieces import row_pieces
from codeagent_tui.tui.editing.rows import Layout, Place
from tests.tui.editing.test_composer_clusters import DRAFTS, boundaries

WRITTEN = st.lists(
    st.sampled_from(["你", "好", "👨‍👩‍👧", "e\u0301", "⚠️", "①", "\n", "\t", "a", "word", " ", "\ud800", "🇨"]),
    max_size=30,
).map("".join)
"""Drafts without marks that have nothing to stand on; for those columns mean nothing."""
LABEL = "[pasted #1: 1,234 lines, 5.0 MB]"


def laid_out(text: str, width: int = 80, *, sign: bool = False) -> Layout:
    """Return the layout of `text` in a widget of `width` columns."""
    layout = Layout(lambda _: LABEL)
    layout.update(text, width, sign=sign)
    return layout


@given(WRITTEN, st.integers(1, 60), st.booleans())
def test_every_place_leads_back_to_its_index(text: str, width: int, sign: bool) -> None:
    text = f"!x{text}" if sign else text
    layout = laid_out(text, width, sign=sign)
    for index in boundaries(text):
        place = layout.place(index)
        assert 0 <= place.row < layout.row_count
        back = layout.index_at(*place)
        assert back == index


@given(DRAFTS, st.integers(12, 60))
def test_no_place_is_outside_the_widget(text: str, width: int) -> None:
    layout = laid_out(text, width)
    for index in boundaries(text):
        assert layout.margin + layout.place(index).column < width


@given(DRAFTS, st.integers(1, 30), st.integers(-3, 40), st.integers(-5, 60))
def test_any_point_is_some_boundary(text: str, width: int, row: int, column: int) -> None:
    index = laid_out(text, width).index_at(row, column)
    buffer = ComposerBuffer()
    buffer.set_text(text)
    buffer.move(index)
    assert buffer.cursor in boundaries(text)


@given(DRAFTS, st.integers(1, 30), st.integers(0, 40), st.integers(0, 40), st.booleans())
def test_rows_show_the_whole_draft_whatever_is_selected(
    text: str, width: int, start: int, end: int, sign: bool
) -> None:
    layout = laid_out(text, width, sign=sign)
    buffer = ComposerBuffer()
    buffer.set_text(text)
    buffer.select(start, end)
    rows = [row_pieces(layout, buffer, row, cursor=False) for row in range(layout.row_count)]
    assert all(row_pieces(layout, buffer, row, cursor=True) is not None for row in range(layout.row_count))
    shown = "".join(piece for row in rows for piece, _ in row)
    whole = text[1:] if sign and layout.margin else text
    expected = whole.replace("\n", "").replace("\t", "    ").replace("\ud800", LABEL).replace("\u00a0", " ")
    assert shown.rstrip(" ") == expected.rstrip(" ")


def test_u11_columns_are_cells() -> None:
    text = "你好👨‍👩‍👧é⚠️①x"
    layout = laid_out(text)
    columns = [layout.place(index).column for index in boundaries(text)]
    assert columns == [0, 2, 4, 6, 7, 9, 10, 11]


def test_u11_decomposed_characters_take_one_column() -> None:
    layout = laid_out("e\u0301x")
    assert layout.place(2) == Place(0, 1)


def test_a_paste_is_one_step_as_wide_as_its_label() -> None:
    layout = laid_out("a\ud800b")
    assert layout.place(1).column == 1
    assert layout.place(2).column == 1 + len(LABEL)
    assert layout.index_at(0, 3) == 1
    assert layout.index_at(0, len(LABEL) - 2) == 2


def test_a_label_wider_than_the_screen_is_wrapped() -> None:
    layout = laid_out("\ud800", 20)
    assert layout.row_count == 2
    assert "".join(map(layout.shown, range(2))).replace("\u00a0", " ") == LABEL


def test_tabs_take_four_columns() -> None:
    assert laid_out("\tx").place(1) == Place(0, 4)


@pytest.mark.parametrize("width", [8, 40])
def test_a_leading_sign_stands_in_the_margin(width: int) -> None:
    layout = laid_out("!ls", width, sign=True)
    assert layout.shown(0) == "ls"
    assert layout.place(0) == Place(0, -2)
    assert layout.place(1) == Place(0, 0)
    assert layout.index_at(0, -2) == 0
    assert layout.index_at(0, 0) == 1


def test_a_very_narrow_widget_has_no_margin_and_shows_the_sign() -> None:
    layout = laid_out("!ls", 5, sign=True)
    assert (layout.margin, layout.shown(0)) == (0, "!ls")


def test_a_full_row_leaves_its_cursor_a_column() -> None:
    text = "x" * 77
    assert laid_out(text).row_count == 1
    assert laid_out(text).place(77) == Place(0, 77)
    assert laid_out(text + "y").row_count == 2


def test_the_cursor_is_marked_on_the_whole_character() -> None:
    buffer = ComposerBuffer()
    buffer.set_text("a👨‍👩‍👧b", 1)
    layout = laid_out(buffer.text)
    assert row_pieces(layout, buffer, 0, cursor=True) == (("a", "text"), ("👨‍👩‍👧", "cursor"), ("b", "text"))
    assert row_pieces(layout, buffer, 0, cursor=False) == (("a👨‍👩‍👧b", "text"),)


def test_behind_the_text_the_cursor_is_a_cell_of_its_own() -> None:
    buffer = ComposerBuffer()
    buffer.set_text("ab\ncd", 2)
    assert row_pieces(laid_out(buffer.text), buffer, 0, cursor=True) == (("ab", "text"), (" ", "cursor"))


def test_the_selection_runs_over_lines() -> None:
    buffer = ComposerBuffer()
    buffer.set_text("ab\ncd")
    buffer.select(4, 1)
    layout = laid_out(buffer.text)
    assert row_pieces(layout, buffer, 0, cursor=False) == (("a", "text"), ("b", "selected"))
    assert row_pieces(layout, buffer, 1, cursor=False) == (("c", "selected"), ("d", "text"))


def test_only_what_changed_is_laid_out_again() -> None:
    layout = Layout(lambda _: LABEL)
    text = "\n".join(["你好 " * 20] * 3 + ["end"])
    layout.update(text, 40, sign=False)
    before = [layout.shown(row) for row in range(layout.row_count)]
    layout.update(text + "x", 40, sign=False)
    assert [layout.shown(row) for row in range(layout.row_count)] == [*before[:-1], "endx"]
    assert all(cell_width(row.rstrip()) <= 37 for row in before)
