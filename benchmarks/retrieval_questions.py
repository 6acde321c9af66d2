"""Questions with known answers: the sets in `benchmarks/data`, and the public LoCoMo set from a file of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
_TURN = re.compile(r"D\d+:\d+")
_NOT_ANSWERABLE = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the places of the texts that answer it."""

    text: str
    answers: frozenset[int]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions over the same texts."""

    name: str
    texts: tuple[str, ...]
    questions: tuple[Question, ...]


def own_sets() -> list[QuestionSet]:
    """Return the English and the Chinese questions. Both go to one memory that holds the facts of both."""
    read = {language: _read(DATA / f"retrieval.{language}.txt") for language in ("en", "zh")}
    texts = tuple(fact for facts in read.values() for fact, _ in facts)
    sets, first = [], 0
    for language, facts in read.items():
        asked = tuple(
            Question(text, frozenset({first + place})) for place, (_, asked) in enumerate(facts) for text in asked
        )
        sets.append(QuestionSet(language, texts, asked))
        first += len(facts)
    return sets


def _read(path: Path) -> list[tuple[str, list[str]]]:
    facts: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("? "):
            facts[-1][1].append(line[2:])
        elif line and not line.startswith("#"):
            facts.append((line, []))
    return facts


def locomo(path: Path) -> Iterator[QuestionSet]:
    """Yield a set for each conversation of `locomo10.json`: each turn a text, evidence the answers.

    The file is CC BY-NC 4.0 and not part of this repository; it is in github.com/snap-research/LoCoMo, data folder.
    """
    for sample in json.loads(path.read_text(encoding="utf-8")):
        turns = [
            turn
            for name, session in sample["conversation"].items()
            if name.startswith("session_") and isinstance(session, list)
            for turn in session
        ]
        places = {turn["dia_id"]: place for place, turn in enumerate(turns)}
        questions = []
        for asked in sample["qa"]:
            named = _TURN.findall(" ".join(asked.get("evidence", [])))
            answers = frozenset(places[turn] for turn in named if turn in places)
            if answers and asked["category"] != _NOT_ANSWERABLE:
                questions.append(Question(asked["question"], answers))
        texts = tuple(f"{turn['speaker']}: {turn['text']}" for turn in turns)
        yield QuestionSet("locomo", texts, tuple(questions))
