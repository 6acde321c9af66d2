"""Searches earlier prompts: the entries that contain what was typed, newest first, each text once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from codeagent_tui.tui.editing.clusters import previous_boundary

_MOST_FOUND = 200
_SEARCHED = 10_000
"""Characters of an entry that are looked at; more is a pasted file."""


class Outcome(Enum):
    """What a key meant to the search."""

    GOES_ON = auto()
    TAKE = auto()
    """The chosen entry becomes the draft."""
    CANCEL = auto()
    NOT_MINE = auto()


_STEPS = {"ctrl+r": 1, "up": 1, "ctrl+s": -1, "down": -1}
_TAKES = frozenset({"enter", "tab", "right", "end", "ctrl+e"})
_CANCELS = frozenset({"escape", "ctrl+g"})


class HistorySearch:
    """A search in progress: what is looked for, what was found, which of it is chosen."""

    def __init__(self, entries: Sequence[str]) -> None:
        self._entries = list(dict.fromkeys(reversed(entries)))
        self.query = ""
        self.found: list[str] = []
        self.chosen = 0
        self.look_for("")

    def press(self, key: str, typed: str) -> Outcome:
        """Do what `key` means here; `typed` is the text that it types, if any."""
        if key in _STEPS:
            self.chosen = max(0, min(self.chosen + _STEPS[key], len(self.found) - 1))
        elif key in _TAKES:
            return Outcome.TAKE if self.found else Outcome.CANCEL
        elif key in _CANCELS:
            return Outcome.CANCEL
        elif key in ("backspace", "ctrl+h"):
            self.look_for(self.query[: previous_boundary(self.query, len(self.query))])
        elif key == "ctrl+u":
            self.look_for("")
        elif typed:
            self.look_for(self.query + typed)
        else:
            return Outcome.NOT_MINE
        return Outcome.GOES_ON

    def look_for(self, query: str) -> None:
        """Search for `query`, whatever the case of its letters; the newest entry found is chosen."""
        needle = query.casefold()
        self.query = query
        self.found = [entry for entry in self._entries if needle in entry[:_SEARCHED].casefold()][:_MOST_FOUND]
        self.chosen = 0

    @property
    def title(self) -> str:
        """What the list says above the entries."""
        found = f"{len(self.found)} found" if self.found else "nothing found"
        return f"search history: {self.query}▏ {found} · enter takes it · esc closes"

    @property
    def result(self) -> str | None:
        """The chosen entry; None when nothing was found."""
        return self.found[self.chosen] if self.found else None
