"""The read-only view of many lines: scrolling, wrapping at every width, selecting the source text."""

from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.selection import Selection

from codeagent_tui.tui.line_view import LineView, diff_lines, lines_of


class Host(App[None]):
    """A screen full of lines."""

    CSS = "LineView { height: 1fr; overflow-x: hidden; }"

    def compose(self) -> ComposeResult:
        yield LineView([(f"line {number} 你好 and some words that wrap", "text") for number in range(2_000)])


def shown(app: App[None]) -> list[str]:
    """Return the rows on the screen."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


async def test_it_scrolls_by_rows_pages_and_to_its_ends() -> None:
    async with Host().run_test(size=(60, 10)) as pilot:
        view = pilot.app.query_one(LineView)
        assert shown(pilot.app)[0].startswith("line 0 ")
        for key, first in (("down", 1), ("pagedown", 10), ("pageup", 1), ("end", 1990), ("home", 0)):
            await pilot.press(key)
            await pilot.pause()
            assert shown(pilot.app)[0].startswith(f"line {first} "), key
        assert view.row_count == 2_000


async def test_u11_the_line_in_sight_stays_through_every_width() -> None:
    async with Host().run_test(size=(60, 10)) as pilot:
        view = pilot.app.query_one(LineView)
        for _ in range(50):
            view.action_jump("page_down")
        await pilot.pause()
        first = shown(pilot.app)[0].split()[1]
        for width in (20, 7, 3, 1, 60):
            await pilot.resize_terminal(width, 10)
            await pilot.pause()
        assert shown(pilot.app)[0].startswith(f"line {first} ")


async def test_a_selection_gives_the_source_without_wraps() -> None:
    async with Host().run_test(size=(12, 10)) as pilot:
        view = pilot.app.query_one(LineView)
        text, _ = view.get_selection(Selection(Offset(0, 3), Offset(8, 4)))
        assert text == "line 3 你好 and some words that wrap\nline 4 你"


def test_lines_from_outside_are_cleaned_and_tabs_expanded() -> None:
    assert lines_of("a\tb\x1b[31m\r\nc") == [("a   b", "text"), ("c", "text")]


def test_the_roles_of_a_diff() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c"
    assert [role for _, role in diff_lines(diff)] == ["head", "head", "place", "removed", "added", "text"]


async def test_no_text_lies_under_the_scrollbar_that_it_makes_appear() -> None:
    async with Host().run_test(size=(20, 10)) as pilot:
        view = pilot.app.query_one(LineView)
        view.show([("x" * 20, "text")])
        await pilot.pause()
        view.show([("0123456789" * 2, "text")] * 12)
        await pilot.pause()
        width = view.scrollable_content_region.width
        assert all(len(row[:width].rstrip()) <= width for row in shown(pilot.app))
        assert "".join(row[:width].strip() for row in shown(pilot.app)[:2]).startswith("0123456789" * 2)
