"""How often the rankers find what answers a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmarks.retrieval_bm25 import BM25
from benchmarks.retrieval_questions import QuestionSet
from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.retriever import MemoryRetriever
from codeagent_tui.settings import RankerName

LIMIT = 10
NAMES = ("BM25", *RankerName)
_NOW = 2_000_000_000.0
_YEAR = 365 * 24 * 3600.0

Find = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True)
class Quality:
    """Averages over questions: the share of the answers among the first 1, 5, 10, and 1 / the first one's rank."""

    at_1: float
    at_5: float
    at_10: float
    reciprocal_rank: float
    questions: int


def measure(sets: Iterable[QuestionSet], name: str) -> Quality:
    """Return how well the ranker `name` does."""
    sums, questions = [0.0] * 4, 0
    for one in sets:
        find = _finder(name, one.texts)
        for question in one.questions:
            found = find(question.text)
            hits = [place in question.answers for place in found]
            first = hits.index(True) + 1 if any(hits) else 0
            parts = [sum(hits[:size]) / len(question.answers) for size in (1, 5, LIMIT)]
            sums = [total + part for total, part in zip(sums, (*parts, 1 / first if first else 0.0), strict=True)]
        questions += len(one.questions)
    at_1, at_5, at_10, rank = (total / questions for total in sums)
    return Quality(at_1, at_5, at_10, rank, questions)


def _finder(name: str, texts: tuple[str, ...]) -> Find:
    if name == "BM25":
        index = BM25(texts)
        return lambda query: index.find(query, LIMIT)
    # All a year old and a second apart: age decides nothing but ties, and these as BM25 does.
    entries = tuple(
        MemoryEntry(MemoryType.FACT, text, str(place), _NOW - _YEAR + place, scope=Scope.GLOBAL)
        for place, text in enumerate(texts)
    )
    retriever = MemoryRetriever(lambda: _NOW, RankerName(name))
    return lambda query: [int(found.entry.id) for found in retriever.retrieve(query, entries, LIMIT)]
