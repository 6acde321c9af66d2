"""The plain formula as a ranker: the share of the query's words that an entry contains, for all entries at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from heapq import nsmallest

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.ranking.bits import Tally, slots_of
from codeagent_tui.memory.ranking.query import Query, searchable
from codeagent_tui.memory.ranking.roster import Roster
from codeagent_tui.memory.ranking.scored import LONG_TERM_WEIGHT, ScoredEntry, best, scored
from codeagent_tui.memory.ranking.substring_index import SubstringIndex


class FormulaRanker:
    """Finds exactly what scoring every entry by `Query.match` would find."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._roster = Roster()
        self._texts = SubstringIndex()

    def explain(self, query: str, entry: MemoryEntry, now: float) -> ScoredEntry:
        """Return the score of one entry in its parts."""
        return scored(entry, Query.of(query).match(entry.content), now)

    def find(self, query: str, entries: tuple[MemoryEntry, ...], now: float, limit: int) -> list[ScoredEntry]:
        """Return the entries whose match is above 0, best first, at most `limit`."""
        # Cut into words outside the lock: it may have to wait for jieba's dictionary.
        wanted = Query.of(query)
        with self._one_at_a_time:
            self._take(entries)
            return self._best(wanted, now, limit)

    def _take(self, entries: tuple[MemoryEntry, ...]) -> None:
        new = self._roster.take(entries)
        if self._roster.is_wasteful:
            self._roster, self._texts = Roster(), SubstringIndex()
            new = self._roster.take(entries)
        for entry in new:
            self._texts.add(searchable(entry.content))

    def _best(self, query: Query, now: float, limit: int) -> list[ScoredEntry]:
        found: list[ScoredEntry] = []
        for match, group in self._groups(query):
            # No decay is above 1. What follows matches less, and the one that is last so far is better already.
            if len(found) == limit and (not limit or found[-1].score > match * LONG_TERM_WEIGHT):
                break
            # Of entries with the same match and weight the newer is never worse: only so many need a score at all.
            for alike in (group & self._roster.long_term, group & ~self._roster.long_term):
                newest = nsmallest(limit, slots_of(alike), key=self._roster.newness.__getitem__)
                found += [scored(self._roster.by_slot[slot], match, now) for slot in newest]
            found = best(found, limit)
        return found

    def _groups(self, query: Query) -> Iterator[tuple[float, int]]:
        """Yield each match above 0 and the slots of the entries that have it, best first."""
        if not query.text:
            return
        present = self._roster.present
        whole = self._texts.containing(query.text) & present
        if whole:
            yield 1.0, whole
        tally = Tally()
        for word in query.words:
            tally.add(self._texts.containing_word(word))
        for count, group in tally.groups(present & ~whole):
            yield count / len(query.words), group
