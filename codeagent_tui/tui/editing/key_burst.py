"""Tells typing from a paste that a terminal without bracketed paste replays as keys: by the time between the keys."""

from __future__ import annotations

from enum import Enum, auto

QUICK = 0.010
"""Keys this close together (seconds) were not typed: the quickest typists need 60 ms a key, repeats come every 30."""
LAGGING = 0.05
"""Within a long paste, the pause that a slow line may make between two pieces."""
_SURELY_PASTED = 4
_LONG_PASTE = 12


class Enter(Enum):
    """What an enter key means."""

    SEND = auto()
    LINE_END = auto()
    UNCLEAR = auto()
    """It was close to the key before, but so are the last key of a quick typist and enter. If another key follows
    within `QUICK` it was a line end, else it sends."""


class KeyBurst:
    """Counts keys in quick succession. Times are seconds on any one clock."""

    def __init__(self) -> None:
        self._last = float("-inf")
        self._run = 0
        self._enter_last = False
        self._has_line_end = False

    def press(self, time: float) -> None:
        """Note a key."""
        follows = self.follows(time)
        self._run = self._run + 1 if follows else 1
        self._has_line_end = follows and (self._has_line_end or self._enter_last)
        self._enter_last = False
        self._last = time

    def follows(self, time: float) -> bool:
        """Whether a key at `time` belongs to the keys before."""
        return time - self._last <= (LAGGING if self._run >= _LONG_PASTE else QUICK)

    def enter(self, time: float) -> Enter:
        """Judge an enter key, and note it."""
        follows, run = self.follows(time), self._run
        self.press(time)
        self._enter_last = True
        if not follows:
            return Enter.SEND
        return Enter.LINE_END if run >= _SURELY_PASTED or self._has_line_end else Enter.UNCLEAR
