"""The index finds exactly what scoring every entry by the plain definition finds, whatever came and went before."""

from __future__ import annotations

import threading
import time
import unicodedata
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.ranking.ranker import Ranker, new_ranker
from codeagent_tui.memory.retriever import MemoryRetriever
from codeagent_tui.memory.tokenizer import words
from codeagent_tui.settings import RankerName

NOW = 1_000_000_000.0
HOUR = 3600.0
NUMBERS = count()

# Joined they make words within words, runs next to punctuation, both ways to write é, letters whose lower case depends
# on what stands around them (Σ) or is longer (İ), the words of jieba's dictionary that are not Chinese, and Chinese.
_ENGLISH = "a in port ports export PORT 80 8080 3.14 10% . - _ # ++ C++ c# AT&T the ?"
_ELSEWHERE = (
    "\u00e9 e\u0301 \u00c9 Σ σας İ K ß ﬁ か한 и😀 \uff0c \uff0c\u3002 \U00020bb7 提交 信息 提交信息 用中文 语言 时候"
)
PIECES = st.sampled_from([*_ENGLISH.split(), *_ELSEWHERE.split(), " ", "\n"])
TEXTS = st.lists(PIECES, max_size=8).map("".join) | st.lists(PIECES, max_size=8).map(" ".join)
ENTRIES = st.builds(
    lambda text, hours, scope: MemoryEntry(
        MemoryType.FACT if scope else MemoryType.USER, text, f"{next(NUMBERS)}", NOW - hours * HOUR, scope=scope
    ),
    TEXTS,
    st.sampled_from([-3, 0, 0, 1, 12, 24, 25, 900]),
    st.sampled_from([Scope.GLOBAL, Scope.PROJECT, None]),
)
POOLS = st.lists(ENTRIES, min_size=1, max_size=12)


def by_definition(query: str, entries: tuple[MemoryEntry, ...], limit: int) -> list[tuple[str, float]]:
    """Score each entry by the formula as it is written down, sort, cut."""
    text = unicodedata.normalize("NFC", query).strip()
    found = []
    for entry in entries:
        content, distinct = unicodedata.normalize("NFC", entry.content).lower(), words(text)
        if text and text.lower() in content:
            match = 1.0
        else:
            match = sum(word in content for word in distinct) / len(distinct) if distinct else 0.0
        decay = max(0.5, 1.0 - 0.5 * max(0.0, NOW - entry.timestamp) / (24 * HOUR))
        score = match * decay * (1.2 if entry.is_long_term else 1.0)
        if score > 0:
            found.append((-score, -entry.timestamp, entry.id))
    return [(entry_id, -score) for score, _, entry_id in sorted(found)[:limit]]


def found_by(ranker: Ranker, query: str, entries: tuple[MemoryEntry, ...], limit: int) -> list[tuple[str, float]]:
    return [(one.entry.id, one.score) for one in ranker.find(query, entries, NOW, limit)]


@settings(max_examples=150, deadline=None)
@given(POOLS, st.lists(st.tuples(TEXTS, st.lists(st.integers(0, 11), max_size=14)), min_size=1, max_size=6))
def test_it_equals_the_definition_through_any_changes(
    pool: list[MemoryEntry], steps: list[tuple[str, list[int]]]
) -> None:
    ranker = new_ranker(RankerName.FORMULA)
    for query, chosen in steps:
        # Any entries in any order, some of them twice.
        entries = tuple(pool[number % len(pool)] for number in chosen)
        for limit in (3, 10, 100):
            assert found_by(ranker, query, entries, limit) == by_definition(query, entries, limit)


@settings(max_examples=30, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=30), st.lists(TEXTS, min_size=1, max_size=4))
def test_it_equals_the_definition_among_many(texts: list[str], queries: list[str]) -> None:
    # Enough that the index answers, and not a look at each text.
    entries = tuple(
        MemoryEntry(MemoryType.FACT, f"{text} {number:x}", f"{number}", NOW - number * HOUR / 50, scope=Scope.GLOBAL)
        for number, text in enumerate(texts * (600 // len(texts)))
    )
    ranker = new_ranker(RankerName.FORMULA)
    for query in queries:
        assert found_by(ranker, query, entries, 10) == by_definition(query, entries, 10)
    fewer = entries[: len(entries) // 4]
    for query in queries:
        assert found_by(ranker, query, fewer, 10) == by_definition(query, fewer, 10)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=12), st.text(max_size=30), st.text(max_size=30))
@example("Σ", "ΑΣ", "σ")
@example("İ", "i̇", "İİ")
def test_it_equals_the_definition_for_any_text(query: str, first: str, second: str) -> None:
    entries = tuple(
        MemoryEntry(MemoryType.USER, text, f"{number}", NOW) for number, text in enumerate((first, second, query))
    )
    assert found_by(new_ranker(RankerName.FORMULA), query, entries, 10) == by_definition(query, entries, 10)


def facts(*texts: str) -> tuple[MemoryEntry, ...]:
    return tuple(
        MemoryEntry(MemoryType.FACT, text, f"id-{number}", NOW - number, scope=Scope.GLOBAL)
        for number, text in enumerate(texts)
    )


def contents(ranker: Ranker, query: str, entries: tuple[MemoryEntry, ...]) -> list[str]:
    return [one.entry.content for one in ranker.find(query, entries, NOW, 10)]


def test_what_is_saved_and_forgotten_counts_from_the_next_question() -> None:
    ranker, (first, second) = new_ranker(RankerName.FORMULA), facts("the port is 8080", "the port is 9090")
    assert contents(ranker, "port", (first,)) == ["the port is 8080"]
    assert contents(ranker, "port", (first, second)) == ["the port is 8080", "the port is 9090"]
    assert contents(ranker, "port", (second,)) == ["the port is 9090"]
    assert contents(ranker, "port", ()) == []
    assert contents(ranker, "port", (first,)) == ["the port is 8080"]


def test_an_entry_of_the_same_id_with_another_text_is_another_entry() -> None:
    ranker = new_ranker(RankerName.FORMULA)
    [before], [after] = facts("use tabs"), facts("use blanks")
    assert contents(ranker, "tabs", (before,)) == ["use tabs"]
    assert contents(ranker, "tabs", (after,)) == [] and contents(ranker, "blanks", (after,)) == ["use blanks"]


def test_a_file_that_was_read_again_gives_its_new_entries() -> None:
    ranker = new_ranker(RankerName.FORMULA)
    old, new = facts("use tabs", "port 8080"), facts("use tabs", "port 8080")
    assert ranker.find("tabs", old, NOW, 10)[0].entry is old[0]
    assert ranker.find("tabs", new, NOW, 10)[0].entry is new[0]


def test_of_those_that_left_nothing_is_found() -> None:
    ranker, entries = new_ranker(RankerName.FORMULA), facts(*(f"port {number}" for number in range(3_000)))
    for start in range(0, 3_000, 300):
        found = ranker.find("port", entries[start : start + 300], NOW, 1_000)
        assert [one.entry for one in found] == list(entries[start : start + 300])


def test_many_threads_may_ask_at_once() -> None:
    ranker = new_ranker(RankerName.FORMULA)
    entries = facts(*(f"port {number} of host {number % 7}" for number in range(400)))
    wrong: list[str] = []

    def ask(first: int) -> None:
        for number in range(first, first + 25):
            some = entries[number : number + 300]
            if [one.entry.content for one in ranker.find(f"port {number}", some, NOW, 1)] != [some[0].content]:
                wrong.append(some[0].content)

    threads = [threading.Thread(target=ask, args=(first,)) for first in (0, 25, 50, 75)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("limit", [0, 1, 2, 50])
def test_no_more_than_the_limit(limit: int) -> None:
    entries = facts(*(f"port {number}" for number in range(20)))
    found = MemoryRetriever(now=lambda: NOW).retrieve("port", entries, limit)
    assert [one.entry for one in found] == list(entries[:limit])


def test_entries_of_all_ages_are_ordered_by_score_and_then_by_age() -> None:
    old = MemoryEntry(MemoryType.FACT, "port host", "old", NOW - 900 * HOUR, scope=Scope.GLOBAL)
    older = MemoryEntry(MemoryType.FACT, "port host", "older", NOW - 901 * HOUR, scope=Scope.GLOBAL)
    new = MemoryEntry(MemoryType.FACT, "port", "new", NOW, scope=Scope.GLOBAL)
    said = MemoryEntry(MemoryType.USER, "port of the host", "said", NOW - HOUR)
    found = new_ranker(RankerName.FORMULA).find("port, host", (older, old, new, said), NOW, 10)
    assert [one.entry.id for one in found] == ["said", "new", "old", "older"]


def test_the_clock_of_the_retriever_is_the_real_one() -> None:
    entry = MemoryEntry(MemoryType.FACT, "port", timestamp=time.time(), scope=Scope.GLOBAL)
    assert MemoryRetriever().score("port", entry) == pytest.approx(1.2, rel=1e-3)
