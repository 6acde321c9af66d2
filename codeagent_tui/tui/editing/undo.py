"""Steps back and forth through the states of a draft."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

_MOST_STEPS = 200
_MOST_CHARACTERS = 2_000_000


class Edit(Enum):
    """Kinds of edits; a run of one kind that may join is one step."""

    TYPE = auto()
    DELETE = auto()
    OTHER = auto()
    """Always a step of its own."""


class Snapshot(NamedTuple):
    """A text with its cursor and where a selection began (None: nothing is selected)."""

    text: str = ""
    cursor: int = 0
    anchor: int | None = None


class UndoLog:
    """Remembers states, the newest two hundred and no more than some megabytes."""

    def __init__(self) -> None:
        self._before: list[Snapshot] = []
        self._after: list[Snapshot] = []
        self._last = Edit.OTHER

    def record(self, before: Snapshot, edit: Edit, *, joins: bool = False) -> None:
        """Note the state before an edit. One that `joins` an edit of the same kind belongs to its step."""
        self._after.clear()
        if not (joins and edit is self._last and self._before):
            self._before.append(before)
            self._bound()
        self._last = edit

    def break_run(self) -> None:
        """The next edit begins a step of its own."""
        self._last = Edit.OTHER

    def undo(self, now: Snapshot) -> Snapshot | None:
        """Return the state before the last step; None when there is none."""
        return self._step(self._before, self._after, now)

    def redo(self, now: Snapshot) -> Snapshot | None:
        """Return the state that the last `undo` left; None when there is none."""
        return self._step(self._after, self._before, now)

    def clear(self) -> None:
        """Forget everything."""
        self._before.clear()
        self._after.clear()
        self.break_run()

    def _step(self, source: list[Snapshot], target: list[Snapshot], now: Snapshot) -> Snapshot | None:
        self.break_run()
        if not source:
            return None
        target.append(now)
        return source.pop()

    def _bound(self) -> None:
        size = sum(len(state.text) for state in self._before)
        while len(self._before) > _MOST_STEPS or (size > _MOST_CHARACTERS and len(self._before) > 1):
            size -= len(self._before.pop(0).text)
