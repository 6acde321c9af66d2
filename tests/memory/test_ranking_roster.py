"""Slots: given once, found again when a file is read anew, and not kept for ever."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.memory.ranking.bits import slots_of
from codeagent_tui.memory.ranking.roster import Roster

POOL = [MemoryEntry(MemoryType.FACT, f"fact {number}", f"{number}", float(number)) for number in range(8)]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(0, 7), max_size=10), max_size=6), st.floats(-1, 9))
def test_the_present_ones_are_those_that_were_taken_last(steps: list[list[int]], since: float) -> None:
    roster = Roster()
    for step in steps:
        entries = tuple(POOL[number] for number in step)
        new = roster.take(entries)
        held = [roster.by_slot[slot] for slot in slots_of(roster.present)]
        assert sorted(entry.id for entry in held) == sorted(entry.id for entry in entries)
        assert new == roster.by_slot[len(roster.by_slot) - len(new) :]
        assert slots_of(roster.long_term) == list(range(len(roster.by_slot)))
        young = [slot for slot, entry in enumerate(roster.by_slot) if entry.timestamp >= since]
        assert slots_of(roster.since(since)) == young


def test_only_what_is_new_gets_a_slot() -> None:
    roster, extra = Roster(), MemoryEntry(MemoryType.FACT, "one more", "x", 9.0)
    assert roster.take(tuple(POOL)) == POOL
    assert roster.take((*POOL[:3], extra, *POOL[4:])) == [extra]
    again = MemoryEntry(MemoryType.FACT, "fact 0", "0", 0.0)
    assert roster.take((again, *POOL[1:3])) == [] and roster.by_slot[0] is again
    other = MemoryEntry(MemoryType.FACT, "fact 0, edited", "0", 0.0)
    assert roster.take((other, *POOL[1:3])) == [other]


def test_many_empty_slots_are_a_waste() -> None:
    roster = Roster()
    for number in range(1_000):
        roster.take((MemoryEntry(MemoryType.FACT, "x", f"{number}", 0.0),))
        assert roster.is_wasteful is (number + 1 > 514)
