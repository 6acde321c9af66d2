"""The draft as a pure model: text, cursor, selection, undo, and what was cut. It knows no screen and no layout."""

from __future__ import annotations

from codeagent_tui.tui.editing.clusters import next_boundary, previous_boundary, snap
from codeagent_tui.tui.editing.motions import Motion
from codeagent_tui.tui.editing.undo import Edit, Snapshot, UndoLog


class ComposerBuffer:
    """Editable text with a cursor.

    Indices are code points. The cursor and both ends of a selection always stand between user-perceived characters,
    so that every move and every deletion takes whole ones. Texts that are put in must be cleaned.
    """

    def __init__(self) -> None:
        self._now = Snapshot()
        self._log = UndoLog()
        self._cut = ""
        self._cut_again = False

    @property
    def text(self) -> str:
        """The whole text."""
        return self._now.text

    @property
    def cursor(self) -> int:
        """Where the next text goes."""
        return self._now.cursor

    @property
    def selection(self) -> tuple[int, int] | None:
        """Start and end of what is selected; None when nothing is."""
        anchor = self._now.anchor
        if anchor is None or anchor == self._now.cursor:
            return None
        return min(anchor, self._now.cursor), max(anchor, self._now.cursor)

    @property
    def selected_text(self) -> str:
        """What is selected; "" when nothing is."""
        start, end = self.selection or (0, 0)
        return self.text[start:end]

    def move(self, index: int, *, select: bool = False) -> None:
        """Put the cursor at `index` (or the boundary after it); with `select` the selection grows to it."""
        anchor = self._now.anchor if self._now.anchor is not None else self.cursor
        self._now = Snapshot(self.text, snap(self.text, index), anchor if select else None)
        self._end_run()

    def go(self, motion: Motion, *, select: bool = False) -> None:
        """Move by `motion`. Without `select` a selection collapses, left or right to its end on that side."""
        if self.selection is not None and not select and motion in (previous_boundary, next_boundary):
            self.move(self.selection[0] if motion is previous_boundary else self.selection[1])
        else:
            self.move(motion(self.text, self.cursor), select=select)

    def select(self, start: int, end: int) -> None:
        """Select from `start` to `end`, with the cursor at `end`."""
        self.move(start)
        self.move(end, select=True)

    def unselect(self) -> None:
        """Select nothing; the cursor stays."""
        self._now = Snapshot(self.text, self.cursor)

    def insert(self, text: str, *, typed: bool = False) -> None:
        """Put `text` at the cursor, in place of what is selected. Runs of `typed` characters are one undo step."""
        if not text:
            return
        start, end = self.selection or (self.cursor, self.cursor)
        joins = typed and start == end and not text.isspace()
        self._replace(start, end, text, Edit.TYPE if typed else Edit.OTHER, joins=joins)

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of `start` to `end`; the cursor goes behind it."""
        self._replace(start, end, text, Edit.OTHER)

    def delete(self, motion: Motion) -> None:
        """Delete what is selected, else from the cursor to where `motion` leads."""
        span = self.selection or self._span(motion)
        if span[0] < span[1]:
            self._replace(*span, "", Edit.DELETE, joins=self.selection is None)

    def cut(self, motion: Motion) -> None:
        """Like `delete`, but what goes can be put back with `yank`. Cuts in a row add up."""
        start, end = self.selection or self._span(motion)
        if start == end:
            return
        piece = self.text[start:end]
        if not self._cut_again:
            self._cut = piece
        else:
            self._cut = self._cut + piece if start == self.cursor else piece + self._cut
        self._replace(start, end, "", Edit.OTHER)
        self._cut_again = True

    def yank(self) -> None:
        """Insert what was cut last."""
        self.insert(self._cut)

    def undo(self) -> None:
        """Take the last step back."""
        self._restore(self._log.undo(self._now))

    def redo(self) -> None:
        """Take the last `undo` back."""
        self._restore(self._log.redo(self._now))

    def set_text(self, text: str, cursor: int | None = None) -> None:
        """Replace everything, as one step; the cursor goes to `cursor` (None: the end)."""
        if text != self.text:
            self._replace(0, len(self.text), text, Edit.OTHER)
        self.move(len(text) if cursor is None else cursor)

    def reset(self) -> None:
        """Begin anew: no text, no steps to take back, nothing cut."""
        self._now = Snapshot()
        self._log.clear()
        self._cut = ""
        self._cut_again = False

    def _span(self, motion: Motion) -> tuple[int, int]:
        other = motion(self.text, self.cursor)
        return min(other, self.cursor), max(other, self.cursor)

    def _replace(self, start: int, end: int, text: str, edit: Edit, *, joins: bool = False) -> None:
        self._log.record(self._now, edit, joins=joins)
        whole = self.text[:start] + text + self.text[end:]
        self._now = Snapshot(whole, snap(whole, start + len(text)))
        self._cut_again = False

    def _restore(self, state: Snapshot | None) -> None:
        if state is not None:
            self._now = state
        self._cut_again = False

    def _end_run(self) -> None:
        self._log.break_run()
        self._cut_again = False
