"""What every ranker can do, and which there are."""

from __future__ import annotations

from typing import Protocol

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.ranking.formula import FormulaMatcher
from codeagent_tui.memory.ranking.indexed_ranker import IndexedRanker
from codeagent_tui.memory.ranking.scored import ScoredEntry
from codeagent_tui.memory.ranking.weighted import WeightedMatcher
from codeagent_tui.settings import RankerName


class Ranker(Protocol):
    """Finds the entries that fit a question. May be called from any thread."""

    def find(self, query: str, entries: tuple[MemoryEntry, ...], now: float, limit: int) -> list[ScoredEntry]:
        """Return the entries that fit `query` at the time `now`, best first, at most `limit`.

        Quick when `entries` is the tuple of the last call, or shares most of its entries with that.
        """
        ...

    def index(self, entries: tuple[MemoryEntry, ...]) -> None:
        """Prepare for questions about `entries`; a question does that as well."""
        ...

    def explain(self, query: str, entry: MemoryEntry, now: float) -> ScoredEntry:
        """Return the score of one entry in its parts."""
        ...


def new_ranker(name: RankerName) -> Ranker:
    """Return a ranker that has seen no entries yet."""
    return IndexedRanker(WeightedMatcher) if name is RankerName.WEIGHTED else IndexedRanker(FormulaMatcher)
