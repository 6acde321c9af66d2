"""The facts as the table needs them: prepared once each, narrowed by words, put in an order. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.retriever import Injection
from codeagent_tui.text import one_line

_LONGEST_NAME = 40
_STEP = 2_000
"""Facts that are compared before others get a turn: about 1 ms."""


class Order(StrEnum):
    """How the table is sorted."""

    NEWEST = "newest first"
    FITTING = "best fit first"
    RECALLED = "most recalled first"


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact on one line. `project` is `this`, another project's name, or "" for a global fact."""

    entry: MemoryEntry
    text: str
    searched: str
    project: str

    @property
    def is_elsewhere(self) -> bool:
        """Whether it belongs to another project."""
        return self.project not in ("", "this")


@dataclass(frozen=True, slots=True)
class FactState:
    """All that the table shows. `question` is the message that `injections` are for; `budget` in tokens."""

    rows: Mapping[str, FactRow]
    injections: Mapping[str, Injection]
    recalls: Mapping[str, int]
    question: str = ""
    is_draft: bool = False
    budget: int = 0


def prepared(entries: Iterable[MemoryEntry], here: Collection[str], known: Mapping[str, FactRow]) -> dict[str, FactRow]:
    """Return the rows by id, in the order of `entries`; those in `known` that have not changed are taken from there.

    `here` are the names of the project that is open.
    """
    rows: dict[str, FactRow] = {}
    for entry in entries:
        row = known.get(entry.id)
        rows[entry.id] = row if row is not None and row.entry is entry else _row(entry, here)
    return rows


def _row(entry: MemoryEntry, here: Collection[str]) -> FactRow:
    text = one_line(entry.content)
    return FactRow(entry, text, f"{text}\n{entry.id}".casefold(), _project(entry, here))


def _project(entry: MemoryEntry, here: Collection[str]) -> str:
    if entry.scope is not Scope.PROJECT:
        return ""
    if entry.project in here:
        return "this"
    folder = entry.metadata.get("folder")
    path = folder if isinstance(folder, str) and folder else entry.project.partition(":")[2] or entry.project
    return one_line(PurePath(path).name, _LONGEST_NAME) or "another"


def narrowed(rows: Iterable[FactRow], words: str) -> Iterator[list[str]]:
    """Yield the ids of the rows that hold all `words`, in steps: what takes long gives way between them."""
    wanted = words.casefold().split()
    step: list[str] = []
    for count, row in enumerate(rows, 1):
        if all(word in row.searched for word in wanted):
            step.append(row.entry.id)
        if count % _STEP == 0:
            yield step
            step = []
    yield step


def ordered(ids: Sequence[str], order: Order, state: FactState) -> Sequence[str]:
    """Return `ids` (newest first) in another order; among equals the newer first."""
    key: dict[Order, Callable[[str], float]] = {
        Order.FITTING: lambda one: -_score(state.injections.get(one)),
        Order.RECALLED: lambda one: -state.recalls.get(one, 0),
    }
    return ids if order is Order.NEWEST else sorted(ids, key=key[order])


def _score(injection: Injection | None) -> float:
    return injection.scored.score if injection is not None else 0.0
