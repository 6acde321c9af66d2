"""What every ranker can do, and which there are."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.ranking.formula import FormulaMatcher
from codeagent_tui.memory.ranking.indexed_ranker import IndexedRanker
from codeagent_tui.memory.ranking.scored import ScoredEntry
from codeagent_tui.memory.ranking.weighted import WeightedMatcher


class RankerName(StrEnum):
    """How a match is counted."""

    FORMULA = "formula"
    """The share of the question's words that an entry contains."""
    WEIGHTED = "weighted"
    """The same with words weighted by rarity, word forms folded, identifiers split and stop words left out."""


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


def new_ranker(name: RankerName) -> Ranker:
    """Return a ranker that has seen no entries yet."""
    return IndexedRanker(WeightedMatcher) if name is RankerName.WEIGHTED else IndexedRanker(FormulaMatcher)
