"""A list of one-line rows with a cursor and marks: only what is visible is laid out, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from codeagent_tui.tui.inspector.cursor_rows import CursorRows
from codeagent_tui.tui.pieces import Piece

ROLES = ("text", "muted", "accent", "good", "warning", "strong")
MARK = "✓"

DrawRow = Callable[[str, int], list[Piece]]
"""Gets a row's key and the columns there are; returns its pieces, whose roles are `ROLES`."""


class RowList(CursorRows):
    """Rows by their keys. The cursor, the marks and the place survive another set of rows."""

    PREFIX = "rows"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows--lead",
        "rows--cursor",
        "rows--picked",
        *(f"rows--{role}" for role in ROLES),
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+up", "extend(-1)", show=False),
        Binding("shift+down", "extend(1)", show=False),
        Binding("space", "mark", show=False),
        Binding("ctrl+a", "mark_all", show=False),
        Binding("enter", "choose", show=False),
    ]

    class Moved(Message):
        """The cursor stands on another row, or its row was exchanged."""

    class Chosen(Message):
        """The row under the cursor was chosen: by enter or by two clicks."""

    def __init__(self, draw: DrawRow, *, marks: bool = False, id: str | None = None) -> None:
        """`marks`: whether several rows can be marked."""
        super().__init__(id=id)
        self._draw = draw
        self._can_mark = marks
        self._keys: Sequence[str] = ()
        self._anchor: int | None = None
        self._marked_before: frozenset[str] = frozenset()
        self.marked: set[str] = set()
        """Keys of the marked rows, those that are not shown now included."""

    @property
    def current(self) -> str | None:
        """The key of the row under the cursor."""
        return self._keys[self.at] if self.at < len(self._keys) else None

    @property
    def acted_on(self) -> list[str]:
        """The keys that an act is for: the marked rows that are shown, else the row under the cursor."""
        marked = [key for key in self._keys if key in self.marked] if self.marked else []
        return marked or ([self.current] if self.current is not None else [])

    def show(self, keys: Sequence[str]) -> None:
        """Show other rows. The cursor stays on its row, or where that was when it is gone."""
        held, above = self.current, self.rows_above_cursor
        self._keys, self._anchor = keys, None
        at = self._index_of(held)
        self.set_row_count(len(keys))
        self.put_cursor(self.at if at is None else at, above)
        if self.current != held:
            self.post_message(self.Moved())

    def go_to(self, key: str) -> None:
        """Put the cursor on the row `key`, if it is shown."""
        at = self._index_of(key)
        if at is not None:
            self.move_cursor(at)

    def _index_of(self, key: str | None) -> int | None:
        if key == self.current:
            return self.at
        return next((index for index, held in enumerate(self._keys) if held == key), None)

    def cursor_moved(self) -> None:
        """Tell of it."""
        self.post_message(self.Moved())

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in sight."""
        self.set_row_count(len(self._keys))
        self.show_cursor()

    def action_move(self, by: int) -> None:
        """Move the cursor; a range that is marked next begins here."""
        self._anchor = None
        super().action_move(by)

    def action_extend(self, by: int) -> None:
        """Mark from where this began up to the row that the cursor moves to."""
        self._extend(self.at + by)

    def _extend(self, to: int) -> None:
        if not self._can_mark or not self._keys:
            return
        if self._anchor is None:
            self._anchor, self._marked_before = self.at, frozenset(self.marked)
        to = max(0, min(to, len(self._keys) - 1))
        first, last = sorted((self._anchor, to))
        self.marked = set(self._marked_before).union(self._keys[first : last + 1])
        self.move_cursor(to)
        self.refresh()

    def action_mark(self) -> None:
        """Mark or unmark the row under the cursor and go on to the next."""
        if self._can_mark and self.current is not None:
            self.marked ^= {self.current}
            self.action_move(1)

    def action_mark_all(self) -> None:
        """Mark all rows that are shown; when they are, unmark them."""
        if self._can_mark:
            shown = set(self._keys)
            self.marked = self.marked - shown if shown <= self.marked else self.marked | shown
            self.refresh()

    def unmark(self) -> None:
        """Take all marks away."""
        self.marked = set()
        self.refresh()

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self.current is not None:
            self.post_message(self.Chosen())

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a row; with shift mark up to it, with ctrl mark it; twice choose it."""
        index = event.y + self.scroll_offset.y
        if not 0 <= index < len(self._keys):
            return
        if event.shift:
            self._extend(index)
            return
        self._anchor = None
        self.move_cursor(index)
        if event.ctrl or event.meta:
            self.marked ^= {self._keys[index]} if self._can_mark else set()
            self.refresh()
        elif event.chain == 2:
            self.action_choose()

    def row_pieces(self, row: int, width: int) -> list[Piece]:
        """Return the mark's column, and what the row says."""
        key = self._keys[row]
        mark: list[Piece] = [(MARK if key in self.marked else " ", "strong")] if self._can_mark else []
        return [*mark, *self._draw(key, max(0, width - len(mark)))]
