"""Keeps a dialog that pops up from being answered by a key that was meant for the composer."""

from __future__ import annotations

from collections.abc import Callable

DEAF_SECONDS = 0.2
"""A dialog ignores keys this long after it appeared: less than anybody needs to read a question."""
PAUSE_SECONDS = 0.4
"""Whoever was typing when it appeared has stopped when no key came for this long."""


class TypingGuard:
    """Decides whether a key was pressed on purpose. One is made when a dialog appears."""

    def __init__(self, clock: Callable[[], float], *, typing: bool) -> None:
        self._clock = clock
        self._typing = typing
        self._deaf_until = clock() + DEAF_SECONDS

    def accepts(self) -> bool:
        """Return whether a key that comes now counts; one that does not makes a typist's pause begin anew."""
        now = self._clock()
        if now >= self._deaf_until:
            return True
        if self._typing:
            self._deaf_until = now + PAUSE_SECONDS
        return False
