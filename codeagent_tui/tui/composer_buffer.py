"""The draft as a text that is edited by whole graphemes, with a selection, undo, and atomic placeholders for pastes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from codeagent_tui.text import graphemes

_MOST_UNDO = 200
_WORD = re.compile(r"[\w]+|[^\w\s]+")


@dataclass(frozen=True, slots=True)
class _State:
    text: str
    cursor: int


@dataclass(slots=True)
class ComposerBuffer:
    """The text, where the cursor is (an index that is always between two graphemes), and where a selection began.

    `atoms` are the placeholders that stand for pastes: each moves and goes as one grapheme.
    """

    text: str = ""
    cursor: int = 0
    anchor: int | None = None
    atoms: tuple[str, ...] = ()
    killed: str = ""
    _undo: list[_State] = field(default_factory=list)
    _redo: list[_State] = field(default_factory=list)
    _typing: bool = False

    def boundaries(self) -> list[int]:
        """Return the indexes where the cursor can be, ascending, both ends included."""
        if not self.atoms:
            return [0, *(end for _, end, _ in graphemes(self.text))]
        found = [0]
        at = 0
        for match in re.finditer("|".join(map(re.escape, self.atoms)), self.text):
            found += [at + end for _, end, _ in graphemes(self.text[at : match.start()])]
            found.append(match.end())
            at = match.end()
        return found + [at + end for _, end, _ in graphemes(self.text[at:])]

    @property
    def selection(self) -> tuple[int, int] | None:
        """The selected part, or None."""
        if self.anchor is None or self.anchor == self.cursor:
            return None
        return min(self.anchor, self.cursor), max(self.anchor, self.cursor)

    @property
    def selected(self) -> str:
        """The selected text."""
        return self.text[slice(*self.selection)] if self.selection else ""

    def set(self, text: str) -> None:
        """Hold `text`, the cursor at its end; can be undone."""
        self._remember(typing=False)
        self.text, self.cursor, self.anchor = text, len(text), None

    def insert(self, text: str, *, typing: bool = False) -> None:
        """Put `text` where the cursor is, in the place of the selection; `typing` joins keys into one undo step."""
        if not text:
            return
        self._remember(typing=typing and text != "\n" and self.selection is None)
        start, end = self.selection or (self.cursor, self.cursor)
        self._splice(start, end, text)

    def _splice(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self.anchor = None
        self.cursor = self._snapped(start + len(text))

    def _snapped(self, index: int) -> int:
        """Return the boundary at or after `index`: what was inserted may have joined what follows it."""
        bounds = self.boundaries()
        return bounds[min(bisect_left(bounds, index), len(bounds) - 1)]

    def _cut(self, start: int, end: int, *, kill: bool = False) -> bool:
        if start == end:
            return False
        self._remember(typing=False)
        if kill:
            self.killed = self.text[start:end]
        self._splice(start, end, "")
        return True

    def left_of(self, index: int) -> int:
        """Return the boundary before `index`."""
        bounds = self.boundaries()
        return bounds[max(0, bisect_left(bounds, index) - 1)]

    def right_of(self, index: int) -> int:
        """Return the boundary after `index`."""
        bounds = self.boundaries()
        return bounds[min(len(bounds) - 1, bisect_right(bounds, index))]

    def word_left(self, index: int) -> int:
        """Return where the word before `index` begins."""
        starts = [match.start() for match in _WORD.finditer(self.text, 0, index)]
        return self._floor(starts[-1]) if starts else 0

    def word_right(self, index: int) -> int:
        """Return where the word after `index` ends."""
        match = _WORD.search(self.text, index)
        return self._snapped(match.end()) if match else len(self.text)

    def _floor(self, index: int) -> int:
        bounds = self.boundaries()
        return bounds[max(0, bisect_right(bounds, index) - 1)]

    def line_start(self, index: int) -> int:
        """Return where the line of `index` begins."""
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """Return where the line of `index` ends."""
        end = self.text.find("\n", index)
        return len(self.text) if end < 0 else end

    def move(self, index: int, *, select: bool = False) -> None:
        """Put the cursor at the boundary nearest before `index`; `select` keeps the selection's other end."""
        if select and self.anchor is None:
            self.anchor = self.cursor
        elif not select:
            self.anchor = None
        self.cursor = self._floor(max(0, min(index, len(self.text))))
        self._typing = False

    def select_all(self) -> None:
        """Select everything."""
        self.anchor, self.cursor = 0, len(self.text)

    def delete_selection(self) -> bool:
        """Delete what is selected; return whether anything was."""
        return self._cut(*self.selection) if self.selection else False

    def delete_left(self) -> bool:
        """Delete the grapheme before the cursor, or the selection."""
        return self.delete_selection() or self._cut(self.left_of(self.cursor), self.cursor)

    def delete_right(self) -> bool:
        """Delete the grapheme after the cursor, or the selection."""
        return self.delete_selection() or self._cut(self.cursor, self.right_of(self.cursor))

    def kill_word_left(self) -> bool:
        """Delete to the beginning of the word, into the kill buffer."""
        return self.delete_selection() or self._cut(self.word_left(self.cursor), self.cursor, kill=True)

    def kill_word_right(self) -> bool:
        """Delete to the end of the word, into the kill buffer."""
        return self.delete_selection() or self._cut(self.cursor, self.word_right(self.cursor), kill=True)

    def kill_to_line_start(self) -> bool:
        """Delete to the beginning of the line, into the kill buffer."""
        return self._cut(self.line_start(self.cursor), self.cursor, kill=True)

    def kill_to_line_end(self) -> bool:
        """Delete to the end of the line (at its end: the line end), into the kill buffer."""
        end = self.line_end(self.cursor)
        return self._cut(self.cursor, end if end > self.cursor else self.right_of(self.cursor), kill=True)

    def yank(self) -> None:
        """Put back what was killed last."""
        self.insert(self.killed)

    def _remember(self, *, typing: bool) -> None:
        if not (typing and self._typing):
            self._undo.append(_State(self.text, self.cursor))
            del self._undo[:-_MOST_UNDO]
        self._redo.clear()
        self._typing = typing

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        return self._swap(self._undo, self._redo)

    def redo(self) -> bool:
        """Make the change again that was taken back last; return whether there was one."""
        return self._swap(self._redo, self._undo)

    def _swap(self, source: list[_State], target: list[_State]) -> bool:
        if not source:
            return False
        target.append(_State(self.text, self.cursor))
        state = source.pop()
        self.text, self.cursor, self.anchor, self._typing = state.text, state.cursor, None, False
        return True
