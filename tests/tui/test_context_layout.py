"""The map of the window: every part has its place, at every width and however full the window is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.picture import ContextItem, ContextPicture
from codeagent_tui.conversation.events import ContextPart, ContextReading
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.tui.context_layout import PART_ROLES, SPARKS, item_row, map_rows, sparkline, window_map
from codeagent_tui.tui.gauge_layout import CEILING, TRIGGER
from codeagent_tui.tui.pieces import Piece, width_of


def picture(
    *tokens: int, window: int = 200_000, growth: tuple[int, ...] = (), pace: int = 0, left: int | None = None
) -> ContextPicture:
    parts = tuple(ContextPart(name, count) for name, count in zip(PART_ROLES, tokens, strict=False) if count)
    trigger, ceiling = window * 167 // 200, window * 180 // 200
    reading = ContextReading(window, trigger, ceiling, sum(tokens), parts, 31_000, 90_000)
    return ContextPicture(reading, parts, (), growth, pace, left)


def text(row: list[Piece]) -> str:
    return "".join(piece for piece, _ in row)


def shown(at: ContextPicture, width: int = 120, usage: Usage | None = None) -> str:
    return "\n".join(text(row) for row in map_rows(at, usage or Usage(), width))


def cells(row: list[Piece], role: str) -> int:
    return sum(len(piece) for piece, its in row if its == role)


def test_the_map_is_to_scale_and_names_what_has_room() -> None:
    row = window_map(picture(20_000, 2_000, 40_000), 100)
    assert (cells(row, "on-system"), cells(row, "on-tools"), cells(row, "on-project")) == (10, 1, 20)
    assert " project memory " in text(row)
    assert text(row).index(TRIGGER) == 84  # 83.5 %
    assert text(row).index(CEILING) == 90


def test_what_is_beyond_the_window_is_on_the_map() -> None:
    row = window_map(picture(0, 0, 400_000), 100)
    assert cells(row, "on-project") == 98  # all but the two lines
    assert "200% of the window" in shown(picture(0, 0, 400_000))


def test_the_legend_has_every_part_with_its_share() -> None:
    said = shown(picture(*(1_000 for _ in PART_ROLES), 0))
    for name in PART_ROLES:
        assert name in said
    assert said.count("11%") == len(PART_ROLES)
    assert "<1%" in shown(picture(1, 100_000))


@pytest.mark.parametrize(
    ("pace", "left", "words"),
    [
        (4_100, 24, "4.1k a turn · at this pace a compaction in about 24 turns"),
        (4_100, 1, "the next turn brings a compaction"),
        (4_100, 0, "a compaction is due now"),
    ],
)
def test_it_says_when_a_compaction_is_due(pace: int, left: int, words: str) -> None:
    assert words in shown(picture(1_000, growth=(3_000, pace), pace=pace, left=left))


def test_an_empty_conversation_and_no_cost_are_said_plainly() -> None:
    said = shown(picture(1_000))
    assert "nothing was said yet" in said
    assert "session so far" not in said
    assert "in 9k (8k cached) out 70" in shown(picture(1_000), usage=Usage(9_000, 70, cached_tokens=8_000))


def test_the_plot_is_as_high_as_its_values() -> None:
    assert sparkline([0, 50, 100]) == SPARKS[0] + SPARKS[3] + SPARKS[-1]
    assert sparkline([]) == ""
    assert sparkline([0, 0]) == SPARKS[0] * 2


@given(
    tokens=st.lists(st.integers(0, 400_000), min_size=0, max_size=9),
    window=st.integers(1, 2_000_000),
    width=st.integers(1, 220),
    growth=st.lists(st.integers(0, 90_000), max_size=80),
)
def test_no_row_is_wider_than_it_may_be_and_no_part_is_lost(
    tokens: list[int], window: int, width: int, growth: list[int]
) -> None:
    at = picture(*tokens, window=window, growth=tuple(growth), pace=5, left=3)
    assert all(width_of(row) <= width for row in map_rows(at, Usage(10, 10), width))
    row = window_map(at, width)
    assert width_of(row) == width
    if width >= 40:
        # The two lines may stand on parts that are one cell wide.
        lost = [part.name for part in at.parts if not cells(row, f"on-{PART_ROLES[part.name]}")]
        assert len(lost) <= 2


def test_a_row_of_the_list_has_its_figures_at_the_left_and_its_turn_at_the_right() -> None:
    item = ContextItem("m", "result of read_file 长文件.py", "第一行", 12_300, 4, True, True)
    row = text(item_row(item, 200_000, 60))
    assert row.split()[:2] == ["12.3k", "6%"]
    assert row.endswith("turn 4")
    assert "长文件.py" in row
