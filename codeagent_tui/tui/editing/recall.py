"""Walks through earlier prompts with up and down; what was typed, and what was changed on the way, is kept."""

from __future__ import annotations

from collections.abc import Sequence


class Recall:
    """A place in the history. Place 0 is the draft, 1 the newest entry, and so on."""

    def __init__(self, entries: Sequence[str]) -> None:
        self._entries = entries
        self._place = 0
        self._changed: dict[int, str] = {}

    @property
    def at_draft(self) -> bool:
        """Whether the draft itself is shown."""
        return self._place == 0

    def older(self, shown: str) -> str | None:
        """Return the entry before the one on show, whose text is now `shown`; None when there is none."""
        return self._go(self._place + 1, shown)

    def newer(self, shown: str) -> str | None:
        """Return the entry after the one on show, whose text is now `shown`; None when it is the draft."""
        return self._go(self._place - 1, shown)

    def restart(self) -> None:
        """Go back to the draft and forget the changes; for when something was sent or thrown away."""
        self._place = 0
        self._changed.clear()

    def _go(self, place: int, shown: str) -> str | None:
        if not 0 <= place <= len(self._entries):
            return None
        if self._place == 0 or shown != self._at(self._place):
            self._changed[self._place] = shown
        self._place = place
        return self._at(place)

    def _at(self, place: int) -> str:
        if place in self._changed or place == 0:
            return self._changed.get(place, "")
        return self._entries[-place] if place <= len(self._entries) else ""
