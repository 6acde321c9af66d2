"""What an entry scores: match x decay x weight, and the order of what was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from codeagent_tui.memory.entry import MemoryEntry

LONG_TERM_WEIGHT = 1.2
SHORT_TERM_WEIGHT = 1.0
OLDEST_DECAY = 0.5
_DECAY_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class ScoredEntry:
    """An entry with its score and what the score is made of."""

    entry: MemoryEntry
    match: float
    decay: float
    weight: float

    @property
    def score(self) -> float:
        """match x decay x weight."""
        return self.match * self.decay * self.weight


def scored(entry: MemoryEntry, match: float, now: float) -> ScoredEntry:
    """Return the score of an `entry` that fits by `match`, 0 to 1, at the time `now`.

    decay falls linearly from 1 at age 0 to 0.5 at 24 hours and stays there; weight is 1.2 for long-term entries and
    1.0 for others.
    """
    # An entry from the future (the clock was set back) is as good as new.
    age = max(0.0, now - entry.timestamp)
    decay = max(OLDEST_DECAY, 1.0 - OLDEST_DECAY * age / _DECAY_SECONDS)
    weight = LONG_TERM_WEIGHT if entry.is_long_term else SHORT_TERM_WEIGHT
    return ScoredEntry(entry, match, decay, weight)


def oldest_fresh(now: float) -> float:
    """Return a time before which every entry has the lowest decay."""
    return now - _DECAY_SECONDS - 1.0


def best(found: Iterable[ScoredEntry], limit: int) -> list[ScoredEntry]:
    """Return the first `limit` of `found`: best first, of equal ones the newer first."""
    return nsmallest(limit, found, key=lambda one: (-one.score, -one.entry.timestamp, one.entry.id))
