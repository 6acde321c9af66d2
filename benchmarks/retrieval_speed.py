"""How long a question takes over 1,000, 10,000 and 100,000 facts, and what the index costs."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil

from benchmarks.retrieval_questions import own_sets
from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.retriever import MemoryRetriever
from codeagent_tui.memory.tokenizer import load_dictionary
from codeagent_tui.settings import RankerName

_QUESTIONS = 100
_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds of CPU time (nothing here waits), and megabytes for the index.

    `first` are questions with words that were not asked before, `again` the same questions once more.
    """

    build: float
    memory: float
    first_p50: float
    first_max: float
    again_p50: float
    after_save: float


def measure_apart(name: str, size: int) -> Speed:
    """Measure in a process of its own, so that its memory is only that of one index."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.retrieval_speed", name, str(size)], capture_output=True, check=True
    )
    return Speed(*map(float, done.stdout.split()))


def measure(name: str, size: int) -> Speed:
    """Measure the ranker `name` over `size` made-up facts, half of them Chinese."""
    randomly = random.Random(size)
    facts = _facts(size, randomly)
    questions = [question.text for one in own_sets() for question in one.questions]
    asked = randomly.sample(questions, _QUESTIONS)
    # jieba's dictionary is there before the clock runs: it costs the same for any number of facts.
    load_dictionary()
    retriever = MemoryRetriever(ranker=RankerName(name))
    before = psutil.Process().memory_info().rss
    build = _milliseconds(lambda: retriever.index(facts))
    memory = (psutil.Process().memory_info().rss - before) / 1e6
    first, again = (sorted(_asking(retriever, text, facts) for text in asked) for _ in range(2))
    more = [(*facts, _facts(1, randomly)[0]) for _ in range(5)]
    saved = sorted(_asking(retriever, text, some) for text, some in zip(asked, more, strict=False))
    return Speed(build, memory, first[_QUESTIONS // 2], first[-1], again[_QUESTIONS // 2], saved[len(saved) // 2])


def _facts(size: int, randomly: random.Random) -> tuple[MemoryEntry, ...]:
    """Return facts put together of halves of the real ones, each with a word that no other has."""
    texts = own_sets()[0].texts
    made, now = [], time.time()
    for _ in range(size):
        one, other = (randomly.choice(texts) for _ in range(2))
        text = f"{one[: len(one) // 2 + 3]} {other[len(other) // 2 :]} x{randomly.getrandbits(32):x}"
        age = randomly.random() * 300 * _DAY
        made.append(MemoryEntry(MemoryType.FACT, text, timestamp=now - age, scope=Scope.GLOBAL))
    return tuple(sorted(made, key=lambda entry: entry.timestamp))


def _asking(retriever: MemoryRetriever, text: str, facts: tuple[MemoryEntry, ...]) -> float:
    return _milliseconds(lambda: retriever.retrieve(text, facts))


def _milliseconds(act: Callable[[], object]) -> float:
    started = time.thread_time()
    act()
    return (time.thread_time() - started) * 1e3


if __name__ == "__main__":
    speed = measure(sys.argv[1], int(sys.argv[2]))
    print(speed.build, speed.memory, speed.first_p50, speed.first_max, speed.again_p50, speed.after_save)
