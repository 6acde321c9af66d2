"""The index of heights: what it says is what a plain list of heights says."""

from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.tui.blocks.heights import HeightIndex
from codeagent_tui.tui.blocks.notice import RuleBlock, RulePart
from codeagent_tui.tui.blocks.part import Part

BLOCK = RuleBlock("")


def part_of(height: int) -> Part:
    part = RulePart(BLOCK)
    part.height = height
    return part


def check(index: HeightIndex, plain: list[Part]) -> None:
    assert list(index) == plain
    assert index.height == sum(part.height for part in plain)
    top = 0
    for place, part in enumerate(plain):
        assert index.top_of(part) == top
        for row in {0, part.height - 1} if part.height else ():
            assert index.at(top + row) == (part, row)
        assert index.above(part) is (plain[place - 1] if place else None)
        assert index.below(part) is (plain[place + 1] if place + 1 < len(plain) else None)
        top += part.height
    assert index.at(top) is None
    assert index.last is (plain[-1] if plain else None)


ACTS = st.lists(st.tuples(st.sampled_from("aibrs"), st.integers(0, 10**6), st.integers(0, 5)), max_size=60)


@settings(max_examples=60)
@given(ACTS, st.integers(0, 600))
def test_it_agrees_with_a_list(acts: list[tuple[str, int, int]], already: int) -> None:
    index = HeightIndex()
    plain = [part_of(number % 4) for number in range(already)]
    for part in plain:
        index.append(part)
    for act, number, height in acts:
        if act == "a" or not plain:
            plain.append(part_of(height))
            index.append(plain[-1])
            continue
        place = number % len(plain)
        if act == "i":
            plain.insert(place + 1, part_of(height))
            index.insert_after(plain[place], plain[place + 1])
        elif act == "b":
            plain.insert(place, part_of(height))
            index.insert_before(plain[place + 1], plain[place])
        elif act == "r":
            index.remove(plain.pop(place))
        else:
            index.resize(plain[place], height)
    check(index, plain)


def test_many_insertions_at_one_place_keep_the_order() -> None:
    index = HeightIndex()
    first, last = part_of(1), part_of(1)
    index.append(first)
    index.append(last)
    between = [part_of(1) for _ in range(700)]
    for part in between:
        index.insert_before(last, part)
    check(index, [first, *between, last])


def test_all_heights_at_once() -> None:
    index = HeightIndex()
    plain = [part_of(1) for _ in range(400)]
    for part in plain:
        index.append(part)
    index.resize_all(number % 3 for number in range(400))
    check(index, plain)
