"""Sets of slots and sums over them, against Python's own sets and counters."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.ranking.bits import Tally, from_flags, from_slots, slots_of

SETS = st.frozensets(st.integers(0, 199))


@given(SETS)
def test_a_set_and_its_slots(slots: frozenset[int]) -> None:
    assert slots_of(from_slots(slots, 200)) == sorted(slots)
    assert from_flags(bytes(number in slots for number in range(200))) == sum(1 << slot for slot in slots)


def test_the_empty_set() -> None:
    assert from_flags(b"") == from_slots([], 0) == from_slots([], 9) == 0 and slots_of(0) == []


@settings(max_examples=200)
@given(st.lists(st.tuples(SETS, st.integers(0, 100)), max_size=12), SETS)
def test_a_tally_adds_up(added: list[tuple[frozenset[int], int]], within: frozenset[int]) -> None:
    tally, expected = Tally(), Counter[int]()
    for slots, number in added:
        tally.add(from_slots(slots, 200), number)
        expected.update(dict.fromkeys(slots, number))
    groups = [(number, slots_of(bits)) for number, bits in tally.groups(from_slots(within, 200))]
    numbers = sorted({expected[slot] for slot in within} - {0}, reverse=True)
    assert groups == [(number, [slot for slot in sorted(within) if expected[slot] == number]) for number in numbers]
