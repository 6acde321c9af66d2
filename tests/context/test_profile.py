"""The budgets that follow from a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.profile import ContextProfile


@pytest.mark.parametrize(
    ("window", "short_term", "reserve", "buffer", "trigger", "memory"),
    [
        (200_000, 90_000, 20_000, 13_000, 167_000, 1_000),
        (128_000, 57_600, 20_000, 13_000, 95_000, 640),
        (32_768, 14_745, 8_192, 4_096, 20_480, 163),
        (8_192, 3_686, 2_048, 1_024, 5_120, 40),
        (4_096, 1_843, 1_024, 512, 2_560, 20),
    ],
)
def test_the_table(window: int, short_term: int, reserve: int, buffer: int, trigger: int, memory: int) -> None:
    profile = ContextProfile.for_window(window)
    assert profile.short_term_budget == short_term
    assert profile.summary_reserve == reserve
    assert profile.safety_buffer == buffer
    assert profile.history_trigger == trigger
    assert profile.hard_ceiling == window - reserve
    assert profile.memory_context_tokens == memory


@given(st.integers(1, 3_000_000), st.floats(-1, 2))
def test_c_04_the_trigger_is_positive_for_every_window(window: int, ratio: float) -> None:
    profile = ContextProfile.for_window(window, compression_trigger_ratio=ratio)
    assert 0 < profile.history_trigger <= profile.hard_ceiling <= window
    assert profile.compression_trigger_ratio >= 0.5


def test_a_window_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError):
        ContextProfile.for_window(0)
