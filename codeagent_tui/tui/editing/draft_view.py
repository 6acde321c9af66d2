"""Draws the draft: only the rows in sight, and of those only what changed; keeps the terminal's cursor in place."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.selection import SELECT_ALL, Selection
from textual.strip import Strip
from textual.widget import Widget

from codeagent_tui.tui.editing.buffer import ComposerBuffer
from codeagent_tui.tui.editing.motions import line_end, line_start, word_around
from codeagent_tui.tui.editing.pastes import PasteShelf
from codeagent_tui.tui.editing.row_pieces import CURSOR, row_pieces
from codeagent_tui.tui.editing.rows import Layout
from codeagent_tui.tui.pieces import Piece, cut_pieces

_MOST_ROWS = 10
_MOST_SCREEN = 0.4
"""The composer takes no more than this share of the screen's height."""
_SIGNS = {"chat": "›", "shell": "!", "memory": "#"}


class DraftView(Widget):
    """Shows a buffer. Whoever changes the buffer calls `update`; `sign` is the mode, `hint` follows the text."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"draft--{role}"
        for role in ("text", "cursor", "selected", "label", "placeholder", "hint", "chat", "shell", "memory")
    }

    class Moved(Message):
        """The mouse has moved the cursor."""

    def __init__(self, buffer: ComposerBuffer, pastes: PasteShelf) -> None:
        super().__init__(id="draft")
        self.layout_of_draft = Layout(pastes.label)
        self.placeholder = ""
        self.hint = ""
        self.sign = "chat"
        self.active = False
        self._buffer = buffer
        self._pastes = pastes
        self._top = 0
        self._asked_for = 1
        self._drawn: list[tuple[Piece, ...]] = []
        self._dragging = False

    def update(self) -> None:
        """Bring the picture up to date with the buffer."""
        self._lay_out(self.size.width or self.app.size.width)
        height = self.size.height
        if self._wanted_height(self.app.size.height) != self._asked_for:
            self.refresh(layout=True)
            self.call_after_refresh(self.place_terminal_cursor)
        self._scroll(height)
        rows = [self._row(y) for y in range(height)]
        if len(rows) != len(self._drawn):
            self.refresh()
        else:
            changed = [y for y, row in enumerate(rows) if row != self._drawn[y]]
            if changed:
                self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))
        self._drawn = rows
        self.place_terminal_cursor()
        self._tell_screen()

    def place_terminal_cursor(self) -> None:
        """Put the terminal's own (hidden) cursor where text goes: input methods open their window there."""
        if self.active:
            place = self.layout_of_draft.place(self._buffer.cursor)
            x = self.layout_of_draft.margin + place.column
            self.app.cursor_position = self.content_region.offset + Offset(x, place.row - self._top)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows of the draft, within the share of the screen that the composer may take."""
        self._lay_out(width)
        self._asked_for = self._wanted_height(viewport.height)
        return self._asked_for

    def on_resize(self) -> None:
        """Draw anew for the new size."""
        self._drawn = []
        self.update()

    def notify_style_update(self) -> None:
        """Draw anew in the new colours."""
        super().notify_style_update()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        width = self.size.width
        base = self.rich_style
        segments = [
            Segment(text, self.get_component_rich_style(f"draft--{role}"))
            for text, role in (self._drawn[y] if y < len(self._drawn) else self._row(y))
        ]
        return Strip(segments).adjust_cell_length(width, base)

    def _lay_out(self, width: int) -> None:
        self.layout_of_draft.update(self._buffer.text, width, sign=self.sign != "chat")

    def _wanted_height(self, screen_height: int) -> int:
        return max(1, min(self.layout_of_draft.row_count, _MOST_ROWS, int(screen_height * _MOST_SCREEN)))

    def _scroll(self, height: int) -> None:
        row = self.layout_of_draft.place(self._buffer.cursor).row
        last_top = max(0, self.layout_of_draft.row_count - max(1, height))
        self._top = min(max(self._top, row - height + 1), row, last_top)

    def _row(self, y: int) -> tuple[Piece, ...]:
        layout, row = self.layout_of_draft, self._top + y
        if row >= layout.row_count:
            return ()
        margin = self._margin(row)
        if not self._buffer.text:
            return (*margin, *self._empty())
        pieces = row_pieces(layout, self._buffer, row, cursor=self.active)
        if self.hint and row == layout.row_count - 1:
            pieces = (*pieces, (self.hint, "hint"))
        return (*margin, *pieces)

    def _margin(self, row: int) -> tuple[Piece, ...]:
        layout = self.layout_of_draft
        if not layout.margin:
            return ()
        if row:
            return ((" " * layout.margin, "text"),)
        on_sign = self.active and layout.place(self._buffer.cursor).column < 0
        return (_SIGNS[self.sign], CURSOR if on_sign else self.sign), (" " * (layout.margin - 1), "text")

    def _empty(self) -> list[Piece]:
        room = max(1, self.size.width - self.layout_of_draft.margin)
        pieces = cut_pieces([(self.placeholder or " ", "placeholder")], room)
        if not self.active or not pieces:
            return pieces
        text = pieces[0][0]
        return [(text[0], CURSOR), (text[1:], "placeholder")]

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Put the cursor under the pointer; moving on selects."""
        if event.button == 1:
            if not event.shift:
                self._move_to(event, select=False)
            self._dragging = True
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select up to the pointer while the button is down."""
        if self._dragging:
            self._move_to(event, select=True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End the selecting."""
        self._dragging = False
        self.release_mouse()

    def on_click(self, event: events.Click) -> None:
        """Shift extends the selection, two clicks select a word, three a line."""
        text, at = self._buffer.text, self._index_under(event)
        if event.shift:
            self._buffer.move(at, select=True)
        elif event.chain == 2:
            self._buffer.select(*word_around(text, at))
        elif event.chain >= 3:
            self._buffer.select(line_start(text, at), line_end(text, at))
        else:
            return
        self.update()
        self.post_message(self.Moved())

    def _move_to(self, event: events.MouseEvent, *, select: bool) -> None:
        self._buffer.move(self._index_under(event), select=select)
        self.update()
        self.post_message(self.Moved())

    def _index_under(self, event: events.MouseEvent) -> int:
        offset = event.get_content_offset_capture(self)
        return self.layout_of_draft.index_at(self._top + offset.y, offset.x - self.layout_of_draft.margin)

    def _tell_screen(self) -> None:
        """Make what is selected here the screen's selection: there is one, and its keys copy and clear it."""
        selected = self._buffer.selection is not None
        if selected and self not in self.screen.selections:
            self.screen.selections = {self: SELECT_ALL}
        elif not selected and self in self.screen.selections:
            self.screen.selections = {w: s for w, s in self.screen.selections.items() if w is not self}

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return what is selected in the draft, with large pastes in full."""
        text = self._buffer.selected_text
        return (self._pastes.expand(text), "\n") if text else None

    def selection_updated(self, selection: Selection | None) -> None:
        """Follow the screen."""
        self.heed_screen()

    def heed_screen(self) -> None:
        """Select nothing any more when the screen's selection has gone elsewhere."""
        if self._buffer.selection is not None and self not in self.screen.selections:
            self._buffer.unselect()
            self.update()
