"""Which facts somebody means who names one to forget it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.fact_rules import normal_form

_LEAST_OF_AN_ID = 4
_LEAST_OF_A_TEXT = 2


def facts_meant(wanted: str, facts: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Return the facts that `wanted` may mean: several when it is not clear, none when there is no such fact.

    The first of these that any fact meets decides: it reads exactly so; its id is that; its id begins so; its text
    holds it, in any letter case.
    """
    form = normal_form(wanted)
    if not form:
        return []
    ways: list[Callable[[MemoryEntry], bool]] = [
        lambda fact: normal_form(fact.content) == form,
        lambda fact: fact.id == form,
    ]
    if len(form) >= _LEAST_OF_AN_ID:
        ways.append(lambda fact: fact.id.startswith(form.lower()))
    if len(form) >= _LEAST_OF_A_TEXT:
        ways.append(lambda fact: form.casefold() in normal_form(fact.content).casefold())
    for meets in ways:
        hits = [fact for fact in facts if meets(fact)]
        if hits:
            return hits
    return []
