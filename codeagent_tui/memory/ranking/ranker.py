"""What every ranker can do."""

from __future__ import annotations

from typing import Protocol

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.ranking.scored import ScoredEntry


class Ranker(Protocol):
    """Finds the entries that fit a question. May be called from any thread."""

    def find(self, query: str, entries: tuple[MemoryEntry, ...], now: float, limit: int) -> list[ScoredEntry]:
        """Return the entries that fit `query` at the time `now`, best first, at most `limit`.

        Quick when `entries` is the tuple of the last call, or shares most of its entries with that.
        """
        ...

    def explain(self, query: str, entry: MemoryEntry, now: float) -> ScoredEntry:
        """Return the score of one entry in its parts."""
        ...
