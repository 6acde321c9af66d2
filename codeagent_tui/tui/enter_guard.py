"""Tells an enter that a person pressed from one inside a paste that came as keys.

A terminal without bracketed paste replays a paste as keys, a few milliseconds apart. An enter among them must not
send. So an enter that follows a key this closely is held for a moment: more keys right after it make it a line end;
silence makes it a deliberate enter, unless the same burst had line ends already.
"""

from __future__ import annotations

BURST_SECONDS = 0.012
"""Keys closer than this come from a program. Key repeat and quick typists stay above 20 ms."""

HOLD_SECONDS = 0.04


class EnterGuard:
    """Watches the times of keys, in seconds on any one clock."""

    def __init__(self) -> None:
        self._last = float("-inf")
        self._lines_in_burst = False
        self.holding = False

    def key(self, at: float) -> bool:
        """Note a key that is no enter; return whether a held enter was a line end."""
        was_line_end = self.holding
        if at - self._last > BURST_SECONDS and not was_line_end:
            self._lines_in_burst = False
        self._lines_in_burst = self._lines_in_burst or was_line_end
        self.holding = False
        self._last = at
        return was_line_end

    def enter(self, at: float) -> bool:
        """Note an enter; return whether it sends at once. Otherwise it is held: ask `release` after a moment."""
        if at - self._last > BURST_SECONDS and not self.holding:
            self._last = at
            self._lines_in_burst = False
            return True
        self._lines_in_burst = self._lines_in_burst or self.holding
        self._last = at
        self.holding = True
        return False

    def release(self) -> bool:
        """No key came after a held enter: return whether it sends (else it is a line end)."""
        self.holding = False
        sends, self._lines_in_burst = not self._lines_in_burst, False
        return sends
