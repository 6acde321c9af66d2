"""Selecting and copying: the source, not the screen (its wraps, bars and padding)."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from codeagent_tui.conversation.messages import assistant, user
from codeagent_tui.tui.blocks.document import Document
from codeagent_tui.tui.blocks.history import blocks_of
from codeagent_tui.tui.blocks.selection import Place, selected_text
from tests.support.transcripts import shown

CODE = "value = " + " + ".join(f"number_{n}" for n in range(30))


async def test_u08_a_long_code_line_is_copied_unwrapped() -> None:
    assert len(CODE) > 300
    async with shown() as screen:
        screen.pane.append_answer(f"Look:\n\n```\nfirst\n{CODE}\n\tlast\n```")
        screen.pane.end_answer()
        await screen.settle()
        begin, end = screen.row_of("first"), screen.row_of("last")
        assert end - begin > 5
        await screen.drag((4, begin), (11, end))
        assert screen.app.screen.get_selected_text() == f"first\n{CODE}\n\tlast"


@pytest.mark.parametrize("column", [0, 1, 2])
async def test_a_drag_that_begins_beside_the_text_takes_the_whole_line(column: int) -> None:
    async with shown() as screen:
        screen.pane.add_user("one two\nthree")
        await screen.settle()
        await screen.drag((column, 0), (40, 1))
        assert screen.app.screen.get_selected_text() == "one two\nthree"


async def test_a_part_of_wide_text_between_two_columns() -> None:
    async with shown() as screen:
        screen.pane.add_user("你好，世界 hello")
        await screen.settle()
        await screen.drag((4, 0), (9, 0))
        assert screen.app.screen.get_selected_text() == "好，世"


async def test_wrapped_prose_and_lists_are_copied_without_marks() -> None:
    async with shown(width=30) as screen:
        screen.pane.append_answer("- some **words** that are wrapped on several rows\n- more")
        screen.pane.end_answer()
        await screen.settle()
        await screen.drag((0, 0), (25, screen.row_of("more")))
        assert screen.app.screen.get_selected_text() == "some words that are wrapped on several rows\nmore"


async def test_cells_of_a_table() -> None:
    async with shown() as screen:
        screen.pane.append_answer("| a | b |\n|---|---|\n| one | two |")
        screen.pane.end_answer()
        await screen.settle()
        row = screen.row_of("two")
        await screen.drag((2, row), (40, row))
        assert screen.app.screen.get_selected_text() == "one | two"
        await screen.drag((8, row), (10, row))
        assert screen.app.screen.get_selected_text() == "two"


async def test_blocks_between_are_copied_as_their_source() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.add_user("question")
        pane.append_answer("**bold** answer")
        pane.end_answer()
        pane.add_user("again")
        await screen.settle()
        await screen.drag((2, 0), (20, screen.row_of("again")))
        assert screen.app.screen.get_selected_text() == "question\n\n**bold** answer\n\nagain"


async def test_a_selection_stays_on_its_text_while_more_arrives() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.append_answer("first line\n\n")
        await screen.settle()
        await screen.drag((2, 0), (6, 0))
        for number in range(12):
            pane.append_answer(f"line {number}\n\n")
            await screen.settle()
        assert screen.app.screen.get_selected_text() == "first"


async def test_a_selection_is_seen_and_a_click_takes_it_away() -> None:
    async with shown() as screen:
        screen.pane.add_user("select me")
        await screen.settle()
        plain = list(screen.pane.render_lines(screen.pane.size.region)[0])
        await screen.drag((2, 0), (7, 0))
        selected = list(screen.pane.render_lines(screen.pane.size.region)[0])
        assert "select" in [segment.text for segment in selected]
        assert "".join(segment.text for segment in selected) == "".join(segment.text for segment in plain)
        await screen.pilot.click(offset=(30, 10))
        assert screen.app.screen.get_selected_text() is None
        assert list(screen.pane.render_lines(screen.pane.size.region)[0]) == plain


async def test_a_double_click_takes_the_word_and_a_third_the_line() -> None:
    async with shown() as screen:
        screen.pane.add_user("call some_name(你好) now")
        await screen.settle()
        await screen.pilot.click(offset=(9, 0), times=2)
        assert screen.app.screen.get_selected_text() == "some_name"
        await screen.pilot.click(offset=(9, 0), times=3)
        assert screen.app.screen.get_selected_text() == "call some_name(你好) now"


async def test_a_drag_over_a_folded_block_does_not_open_it() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.add_tool("1", "read_file", "read_file a.py")
        pane.finish_tool("1", ok=True, summary="", output="hidden", diff="")
        await screen.settle()
        await screen.drag((2, 0), (10, 0))
        assert screen.app.screen.get_selected_text() == "read_file"
        assert "hidden" not in screen.text


async def test_copying_a_selection_by_key_tells_what_was_copied() -> None:
    async with shown() as screen:
        screen.pane.add_user("select me")
        await screen.settle()
        screen.pane.focus()
        await screen.drag((2, 0), (7, 0))
        await screen.pilot.press("y")
        assert screen.app.copied == ["select"]
        assert screen.app.clipboard == "select"


def test_selecting_everything_lays_nothing_out() -> None:
    document = Document()
    document.width = 40
    for block in blocks_of([user("q"), assistant("**a**")] * 500):
        document.add_unseen(block)
    assert selected_text(document, SELECT_ALL) == "\n\n".join(["q", "**a**"] * 500)
    assert all(document.is_unseen(block) for block in document)


def test_places_are_in_reading_order() -> None:
    places = [Place(1, 0, 0), Place(1, 0, 7), Place(1, 2, 0), Place(2, 0, 0), Place(10_000, 900, 5)]
    assert [Place.from_y(place.y) for place in places] == places
    assert [place.y for place in places] == sorted(place.y for place in places)


def test_a_selection_without_a_beginning_or_an_end() -> None:
    document = Document()
    document.width = 40
    for block in blocks_of([user("one two"), user("three four")]):
        document.add(block)
    second = next(reversed(document)).parts[0]
    at = Offset(5, Place.of(second, 1).y)
    assert selected_text(document, Selection(None, at)) == "one two\n\nthree"
    assert selected_text(document, Selection(at, None)) == " four"
