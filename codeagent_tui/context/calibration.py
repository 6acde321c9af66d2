"""How far the estimate is from what the provider counts, learned from its `usage`, for one model."""

from __future__ import annotations

LEAST_FACTOR = 0.5
MOST_FACTOR = 3.0
_WEIGHT_OF_NEW = 0.5
# Below this the fixed overhead of a request (roles, separators) outweighs its text, so the ratio says nothing.
_LEAST_TOKENS = 200
# A server that reports under this share of the estimate has cut the prompt silently: nothing to learn from.
_LEAST_PLAUSIBLE = 0.4


class Calibration:
    """A smoothed, bounded factor between estimated and reported prompt tokens. Lives in RAM only."""

    def __init__(self) -> None:
        self._factor = 1.0
        self.measured = False

    @property
    def factor(self) -> float:
        """What an estimate is multiplied by; between 0.5 and 3."""
        return self._factor

    def observe(self, estimated: int, reported: int) -> None:
        """Learn from one request: `estimated` is the plain estimate, `reported` the provider's prompt tokens."""
        if estimated < _LEAST_TOKENS or reported < estimated * _LEAST_PLAUSIBLE:
            return
        ratio = min(MOST_FACTOR, max(LEAST_FACTOR, reported / estimated))
        self._factor += (ratio - self._factor) * (_WEIGHT_OF_NEW if self.measured else 1.0)
        self.measured = True

    def apply(self, tokens: int) -> int:
        """Return the plain estimate `tokens` corrected; exactly itself while nothing was learned."""
        return tokens if not self.measured else round(tokens * self._factor)

    def reset(self) -> None:
        """Forget what was learned: another model counts otherwise."""
        self._factor = 1.0
        self.measured = False
