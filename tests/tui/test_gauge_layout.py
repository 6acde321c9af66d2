"""The budget gauge: it says the same at every width, as far as the width allows (U-11, U-12)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.events import ContextReading
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.tui.gauge_layout import (
    CEILING,
    EMPTY,
    FILLED,
    TRIGGER,
    Compacting,
    GaugeState,
    Pressure,
    bar,
    gauge_pieces,
    pressure,
    short_count,
)
from codeagent_tui.tui.pieces import width_of


def reading(total: int, *, window: int = 200_000, trigger: int = 167_000, short: int = 3_100) -> ContextReading:
    return ContextReading(window, trigger, window - 20_000, total, short_term=short, short_term_budget=90_000)


def shown(state: GaugeState, width: int) -> str:
    return "".join(piece for piece, _ in gauge_pieces(state, width))


def text(total: int, width: int) -> str:
    return shown(GaugeState(reading(total)), width)


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        (0, "0"),
        (812, "812"),
        (1_000, "1k"),
        (41_234, "41.2k"),
        (99_960, "100k"),
        (200_000, "200k"),
        (1_047_576, "1.05M"),
    ],
)
def test_counts_are_short(tokens: int, shown: str) -> None:
    assert short_count(tokens) == shown


def test_the_state_has_a_word_for_each_pressure() -> None:
    assert pressure(reading(41_200)) is Pressure.CALM
    assert pressure(reading(140_000)) is Pressure.NEAR
    assert pressure(reading(167_000)) is Pressure.OVER
    assert pressure(reading(170_000), Compacting()) is Pressure.COMPACTING
    assert pressure(reading(185_000), Compacting(waiting=True)) is Pressure.WAITING


@pytest.mark.parametrize("width", [20, 40, 80, 120, 200])
def test_a_compaction_shows_its_progress_and_that_a_request_waits(width: int) -> None:
    assert shown(GaugeState(reading(170_000), Compacting(2, 5)), width).startswith("compacting 2/5 ")
    assert shown(GaugeState(reading(185_000), Compacting(2, 5, waiting=True)), width).startswith("waiting 2/5 ")
    # One piece is no progress.
    assert shown(GaugeState(reading(170_000), Compacting(0, 1)), width).startswith("compacting ")
    assert "0/1" not in shown(GaugeState(reading(170_000), Compacting(0, 1)), width)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_what_no_provider_has_counted_is_marked(width: int) -> None:
    assert "~41.2k / 200k" in text(41_200, width)
    measured = shown(GaugeState(replace(reading(41_200), measured=True)), width)
    assert "41.2k / 200k" in measured
    assert "~" not in measured


def test_trigger_and_ceiling_stand_where_they_are() -> None:
    glyphs = "".join(text for text, _ in bar(41_200, 200_000, 100, "calm", 167_000, 180_000))
    assert glyphs.index(TRIGGER) == 84  # 83.5 %
    assert glyphs.index(CEILING) == 90


@pytest.mark.parametrize("width", [120, 200])
def test_the_cost_is_shown_where_there_is_room(width: int) -> None:
    usage = Usage(1_230_000, 34_000, cached_tokens=1_100_000)
    assert "in 1.23M (1.1M cached) out 34k" in shown(GaugeState(reading(41_200), usage=usage), width)
    assert "in " not in shown(GaugeState(reading(41_200), usage=Usage()), width)
    assert "trigger 167k" in shown(GaugeState(reading(41_200), usage=usage), 80)


def test_a_compression_of_the_short_term_memory_is_seen() -> None:
    assert "condensing" in shown(GaugeState(reading(41_200), condensing=True), 120)


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_wide_enough_it_says_everything_in_words(width: int) -> None:
    line = text(41_200, width)
    assert "calm" in line
    assert "41.2k / 200k · trigger 167k" in line
    assert "short-term" in line
    assert "3.1k" in line
    assert TRIGGER in line


@pytest.mark.parametrize(
    ("width", "needed"), [(40, "41.2k / 200k"), (30, "41.2k / 200k"), (20, "21%"), (10, "calm 21%")]
)
def test_narrow_it_keeps_the_state_and_the_fullness(width: int, needed: str) -> None:
    line = text(41_200, width)
    assert needed in line
    assert "calm" in line


@given(
    total=st.integers(0, 3_000_000),
    window=st.integers(1, 2_000_000),
    short=st.integers(0, 500_000),
    width=st.integers(0, 260),
    done=st.integers(0, 12),
)
def test_it_never_takes_more_than_its_width(total: int, window: int, short: int, width: int, done: int) -> None:
    at = reading(total, window=window, trigger=window * 3 // 4, short=short)
    state = GaugeState(at, Compacting(done, 12) if done else None, bool(done % 2), Usage(total, short, done))
    assert width_of(gauge_pieces(state, width)) <= width


def test_before_the_session_is_open_it_says_so() -> None:
    assert gauge_pieces(None, 80) == [("opening the session", "label")]
    assert width_of(gauge_pieces(None, 5)) <= 5


@given(filled=st.integers(0, 1000), whole=st.integers(1, 1000), width=st.integers(1, 120), mark=st.integers(0, 1000))
def test_a_bar_has_its_width_and_shows_little_and_nearly_full_as_such(
    filled: int, whole: int, width: int, mark: int
) -> None:
    glyphs = "".join(text for text, _ in bar(filled, whole, width, "calm", mark))
    assert len(glyphs) == width
    if width > 3 and 0 < filled < whole and not mark:
        assert FILLED in glyphs
        assert EMPTY in glyphs
    if 0 < mark < whole:
        assert glyphs.count(TRIGGER) == 1


def test_filled_and_empty_differ_without_colour() -> None:
    glyphs = "".join(text for text, _ in bar(50, 100, 10, "calm", 80))
    assert glyphs == FILLED * 5 + EMPTY * 3 + TRIGGER + EMPTY
