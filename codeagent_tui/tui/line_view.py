"""A scrollable, read-only view of many lines (a diff, a prompt): only what is visible is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from codeagent_tui.text import cell_width, clean_text
from codeagent_tui.tui.pieces import Piece
from codeagent_tui.tui.wrapping import wrap_line

_TAB = 4


def lines_of(text: str, role: str = "text") -> list[Piece]:
    """Return `text` (from outside) as lines of one role, cleaned."""
    return [(line, role) for line in clean_text(text).expandtabs(_TAB).split("\n")]


def diff_lines(text: str) -> list[Piece]:
    """Return a unified diff as lines whose roles tell added, removed, place and header apart."""
    return [(line, _diff_role(line)) for line, _ in lines_of(text)]


def _diff_role(line: str) -> str:
    if line.startswith(("+++", "---", "diff ", "index ")):
        return "head"
    if line.startswith("@@"):
        return "place"
    return {"+": "added", "-": "removed"}.get(line[:1], "text")


class LineView(ScrollView, can_focus=True):
    """Lines of text in roles, wrapped to the width. `show` replaces them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"lines--{role}" for role in ("text", "muted", "head", "place", "added", "removed", "title", "key")
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "jump('up')", show=False),
        Binding("down,j", "jump('down')", show=False),
        Binding("pageup", "jump('page_up')", show=False),
        Binding("pagedown,space", "jump('page_down')", show=False),
        Binding("home,g", "jump('home')", show=False),
        Binding("end,G", "jump('end')", show=False),
    ]

    def __init__(self, lines: Iterable[Piece] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: list[Piece] = list(lines)
        self._rows: list[tuple[int, int, int]] = []
        self._wrapped_at = 0

    def show(self, lines: Iterable[Piece], *, keep_place: bool = False) -> None:
        """Replace the lines; the view goes to the top unless `keep_place`."""
        self.lines = list(lines)
        self._wrapped_at = 0
        self._wrap()
        if not keep_place:
            self.scroll_to(0, 0, animate=False, immediate=True)
        self.refresh()

    def action_jump(self, where: str) -> None:
        """Scroll by a row, a page, or to an end; at once, for nothing here glides."""
        page = max(1, self.scrollable_content_region.height - 1)
        at, last = self.scroll_offset.y, self.row_count
        rows = {"up": at - 1, "down": at + 1, "page_up": at - page, "page_down": at + page, "home": 0, "end": last}
        self.scroll_to(y=rows[where], animate=False, immediate=True)

    @property
    def row_count(self) -> int:
        """Rows at the present width."""
        return len(self._rows)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows at `width`, for a view whose height follows its content."""
        return sum(len(wrap_line(text, width)) for text, _ in self.lines)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap again at the new width, with the same line at the top."""
        at_top = self._rows[self.scroll_offset.y][0] if self.scroll_offset.y < len(self._rows) else 0
        self._wrap()
        if at_top:
            row = next((index for index, (line, _, _) in enumerate(self._rows) if line == at_top), 0)
            self.scroll_to(0, row, animate=False, immediate=True)

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0 or width == self._wrapped_at:
            return
        self._wrapped_at = width
        self._rows = [
            (index, start, end) for index, (text, _) in enumerate(self.lines) for start, end in wrap_line(text, width)
        ]
        self.virtual_size = Size(width, len(self._rows))
        # Without it the first scroll after a change of the size is ignored.
        self._refresh_scrollbars()
        # A scrollbar that has just appeared takes its columns from the text.
        if self.scrollable_content_region.width < width:
            self._wrap()

    def render_line(self, y: int) -> Strip:
        """Draw one visible row."""
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if row >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        index, start, end = self._rows[row]
        text, role = self.lines[index]
        style = self.get_component_rich_style(f"lines--{role}")
        segments = [
            Segment(text[begin:finish], style + self.screen.get_component_rich_style("screen--selection"))
            if selected
            else Segment(text[begin:finish], style)
            for begin, finish, selected in self._selected_parts(index, start, end)
        ]
        strip = Strip(segments, cell_width(text[start:end]))
        return strip.adjust_cell_length(width, style).apply_offsets(start, index)

    def _selected_parts(self, line: int, start: int, end: int) -> list[tuple[int, int, bool]]:
        """Split a row at the edges of the selection."""
        selection = self.text_selection
        span = selection.get_span(line) if selection is not None else None
        if span is None:
            return [(start, end, False)]
        first = min(max(span[0], start), end)
        last = end if span[1] == -1 else min(max(span[1], first), end)
        parts = [(start, first, False), (first, last, True), (last, end, False)]
        return [part for part in parts if part[0] < part[1]] or [(start, end, False)]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected source text, without the wraps."""
        return selection.extract("\n".join(text for text, _ in self.lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Redraw with the new selection."""
        self.refresh()
