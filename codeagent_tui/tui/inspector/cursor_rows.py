"""Base of the inspector's scrolling widgets: rows by the line API, a cursor that keys move, styles by role."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from codeagent_tui.tui.pieces import Piece, cut_pieces, width_of

CURSOR = "›"
ROW_EDGES = 2
"""Columns of a row that are not its own: the cursor's sign, and a blank before the scrollbar."""


class CursorRows(ScrollView, can_focus=True):
    """Rows with a cursor. A subclass gives `row_pieces`, and says with `set_row_count` how many rows there are.

    Its component classes are `<PREFIX>--<role>`, `lead` for the cursor's sign, and `cursor` and `picked` for its row
    without and with the focus.
    """

    ALLOW_SELECT = False
    PREFIX: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.row_count = 0
        self.at = 0
        """The cursor's row."""
        self._width = 0
        self._styles: dict[tuple[str, str], Style] = {}

    def row_pieces(self, row: int, width: int) -> list[Piece]:
        """Return what the row holds, in `width` columns."""
        raise NotImplementedError

    def row_segments(self, pieces: Iterable[Piece], here: bool) -> Iterable[Segment]:
        """Return the pieces with their styles; `here`: it is the cursor's row."""
        return (Segment(text, self.style_of(role, here)) for text, role in pieces)

    def cursor_moved(self) -> None:
        """The cursor was put on another row."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return a row for each."""
        return self.row_count

    @property
    def rows_above_cursor(self) -> int:
        """Visible rows above the cursor's."""
        return self.at - self.scroll_offset.y

    def set_row_count(self, count: int) -> None:
        """Say how many rows there are now; the cursor may be beyond them until it is put somewhere."""
        self.row_count = count
        # Kept: asking for it costs more than drawing a row.
        self._width = self.scrollable_content_region.width
        self.virtual_size = Size(self._width, count)
        # Without it the first scroll after a change of the size is ignored.
        self._refresh_scrollbars()
        self.refresh()

    def put_cursor(self, row: int, above: int) -> None:
        """Put the cursor on `row` with `above` rows above it, as far as there are any. Tells nobody."""
        self.at = max(0, min(row, self.row_count - 1))
        self.scroll_to(y=max(0, self.at - above), animate=False, immediate=True)
        self.show_cursor()
        self.refresh()

    def move_cursor(self, row: int) -> None:
        """Move the cursor to `row` and bring it into sight."""
        row = max(0, min(row, self.row_count - 1))
        before, self.at = self.at, row
        self.show_cursor()
        self.refresh_line(before)
        self.refresh_line(row)
        if row != before:
            self.cursor_moved()

    def show_cursor(self) -> None:
        """Scroll as little as brings the cursor into sight."""
        height, top = self.scrollable_content_region.height, self.scroll_offset.y
        wanted = min(max(top, self.at - height + 1), self.at)
        if height > 0 and wanted != top:
            self.scroll_to(y=wanted, animate=False, immediate=True)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.move_cursor(self.at + by)

    def action_move_to(self, row: int) -> None:
        """Go to the first row, or (-1) to the last."""
        self.move_cursor(row if row >= 0 else self.row_count - 1)

    def action_page(self, by: int) -> None:
        """Move by a page."""
        self.action_move(by * max(1, self.scrollable_content_region.height - 1))

    def render_line(self, y: int) -> Strip:
        """Draw one visible row."""
        width = self._width
        row = y + self.scroll_offset.y
        if row >= self.row_count:
            return Strip.blank(width, self.rich_style)
        here = row == self.at
        lead = (CURSOR if here else " ", "lead")
        pieces = cut_pieces([lead, *self.row_pieces(row, max(0, width - ROW_EDGES))], width)
        strip = Strip(self.row_segments(pieces, here), width_of(pieces))
        return strip.adjust_cell_length(width, self.style_of("text", here))

    def style_of(self, role: str, here: bool) -> Style:
        """Return the style of a role, on the cursor's row or not."""
        under = "" if not here else "picked" if self.has_focus else "cursor"
        style = self._styles.get((role, under))
        if style is None:
            style = self.get_component_rich_style(f"{self.PREFIX}--{'text' if role == 'gap' else role}")
            if under:
                style += self.get_component_rich_style(f"{self.PREFIX}--{under}", partial=True)
            self._styles[role, under] = style
        return style

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._styles.clear()
