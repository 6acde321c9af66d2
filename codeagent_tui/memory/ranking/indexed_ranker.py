"""Finds the best entries with an index: sets of equally good entries, best first, and only their newest get a score."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from heapq import nsmallest
from typing import Generic, Protocol, TypeVar

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.ranking.bits import slots_of
from codeagent_tui.memory.ranking.roster import Roster
from codeagent_tui.memory.ranking.scored import LONG_TERM_WEIGHT, OLDEST_DECAY, ScoredEntry, best, oldest_fresh, scored

_Question = TypeVar("_Question")


class Matcher(Protocol[_Question]):
    """An index of texts, numbered from 0 as they were added, that says how well each matches a question."""

    def prepare(self, query: str) -> _Question:
        """Cut a question into what is looked for. Reads nothing of the index, and may wait for a dictionary."""
        ...

    def add(self, content: str) -> None:
        """Add a text under the next number."""
        ...

    def match(self, question: _Question, content: str, present: int) -> float:
        """Return how well one text matches, from 0 to 1; it need not be in the index."""
        ...

    def groups(self, question: _Question, present: int) -> Iterator[tuple[float, int]]:
        """Yield each match above 0 and the texts in the set `present` that have it, best first."""
        ...


class IndexedRanker(Generic[_Question]):
    """A `Ranker` by any `Matcher`: what it finds is what scoring every entry by `Matcher.match` would find."""

    def __init__(self, matcher: Callable[[], Matcher[_Question]]) -> None:
        self._new_matcher = matcher
        self._one_at_a_time = threading.Lock()
        self._roster = Roster()
        self._matcher = matcher()

    def explain(self, query: str, entry: MemoryEntry, now: float) -> ScoredEntry:
        """Return the score of one entry in its parts."""
        question = self._matcher.prepare(query)
        with self._one_at_a_time:
            return scored(entry, self._matcher.match(question, entry.content, self._roster.present), now)

    def index(self, entries: tuple[MemoryEntry, ...]) -> None:
        """Take `entries` into the index."""
        with self._one_at_a_time:
            self._take(entries)

    def find(self, query: str, entries: tuple[MemoryEntry, ...], now: float, limit: int) -> list[ScoredEntry]:
        """Return the entries whose match is above 0, best first, at most `limit`."""
        # Cut into words outside the lock: it may have to wait for jieba's dictionary.
        question = self._matcher.prepare(query)
        with self._one_at_a_time:
            self._take(entries)
            return self._best(list(self._matcher.groups(question, self._roster.present)), now, limit)

    def _take(self, entries: tuple[MemoryEntry, ...]) -> None:
        new = self._roster.take(entries)
        if self._roster.is_wasteful:
            self._roster, self._matcher = Roster(), self._new_matcher()
            new = self._roster.take(entries)
        for entry in new:
            self._matcher.add(entry.content)

    def _best(self, groups: list[tuple[float, int]], now: float, limit: int) -> list[ScoredEntry]:
        fresh, long_term = self._roster.since(oldest_fresh(now)), self._roster.long_term
        found: list[ScoredEntry] = []
        for within, most in ((fresh, 1.0), (~fresh, OLDEST_DECAY)):
            for match, group in groups:
                # What follows scores no more than this, and the one that is last so far is better already.
                if len(found) == limit and (not limit or found[-1].score > match * most * LONG_TERM_WEIGHT):
                    break
                # Of entries with the same match and weight the newer is never worse: few need a score at all.
                for alike in (group & within & long_term, group & within & ~long_term):
                    newest = nsmallest(limit, slots_of(alike), key=self._roster.newness.__getitem__)
                    found += [scored(self._roster.by_slot[slot], match, now) for slot in newest]
                found = best(found, limit)
        return found
