"""A long list of which only the visible part is drawn: sessions, turns. Each item takes the same number of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from codeagent_tui.tui.pieces import Piece, cut_pieces

Draw: TypeAlias = Callable[[int, int], Sequence[Sequence[Piece]]]
"""Gets an item's index and the columns there are; returns its rows. The roles are `title`, `text`, `muted`, `state`."""

MARK = "› "


class RowList(ScrollView, can_focus=True):
    """Items drawn by `draw`, one of them highlighted by a sign and a ground. `show` says how many there are."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"rows--{role}" for role in ("title", "text", "muted", "state", "gap")),
        "rows--chosen",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "go(0)", show=False),
        Binding("end", "go(-1)", show=False),
        Binding("enter", "take", show=False),
    ]

    class Taken(Message):
        """An item was taken by enter or a click."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class LeftUpwards(Message):
        """`up` was pressed on the first item."""

    def __init__(self, draw: Draw, *, rows_each: int = 1, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._rows_each = rows_each
        self.count = 0
        self.highlighted = 0
        self.reserved = 0
        """Items for which there is to be room also while fewer are shown, so that nothing jumps."""

    def show(self, count: int, highlighted: int = 0) -> None:
        """Show `count` items, which may be others than before."""
        self.count = count
        self.reserved = max(self.reserved, count)
        self.highlighted = max(0, min(highlighted, count - 1))
        self._size_up()
        self._keep_in_sight()
        self.refresh()

    def action_move(self, by: int) -> None:
        """Highlight the next item, or the one before."""
        if by < 0 and self.highlighted == 0:
            self.post_message(self.LeftUpwards())
        else:
            self.action_go(max(0, min(self.highlighted + by, self.count - 1)))

    def action_page(self, by: int) -> None:
        """Highlight an item a page away."""
        page = max(1, self.scrollable_content_region.height // self._rows_each - 1)
        self.action_go(max(0, min(self.highlighted + by * page, self.count - 1)))

    def action_go(self, index: int) -> None:
        """Highlight the item `index`; -1 is the last one."""
        if self.count:
            self.highlighted = index if index >= 0 else self.count - 1
            self._keep_in_sight()
            self.refresh()

    def action_take(self) -> None:
        """Take the highlighted item."""
        if self.count:
            self.post_message(self.Taken(self.highlighted))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows of all items."""
        return max(1, self.reserved * self._rows_each)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the highlighted item in sight."""
        self._size_up()
        self._keep_in_sight()

    def on_click(self, event: events.Click) -> None:
        """Take the item under the pointer."""
        index = (event.y + self.scroll_offset.y) // self._rows_each
        if 0 <= index < self.count:
            self.action_go(index)
            self.action_take()

    def _size_up(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.count * self._rows_each)
        # Without it the first scroll after a change of the size is ignored.
        self._refresh_scrollbars()

    def _keep_in_sight(self) -> None:
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        first = self.highlighted * self._rows_each
        at = self.scroll_offset.y
        wanted = min(max(at, first + self._rows_each - height), first)
        if wanted != at:
            self.scroll_to(y=wanted, animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        """Draw one visible row."""
        width = self.scrollable_content_region.width
        index, row = divmod(y + self.scroll_offset.y, self._rows_each)
        if index >= self.count:
            return Strip.blank(width, self.rich_style)
        chosen = index == self.highlighted
        ground = self.get_component_rich_style("rows--chosen", partial=True) if chosen else None
        lead = MARK if chosen and row == 0 else " " * len(MARK)
        rows = self._draw(index, width - len(MARK))
        pieces = cut_pieces([(lead, "title"), *(rows[row] if row < len(rows) else ())], width)
        segments = []
        for text, role in pieces:
            style = self.get_component_rich_style(f"rows--{role}", partial=True)
            segments.append(Segment(text, self.rich_style + style + ground if ground else self.rich_style + style))
        return Strip(segments).adjust_cell_length(width, self.rich_style + ground if ground else self.rich_style)
