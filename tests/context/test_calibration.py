"""The factor between our estimate and the provider's count: smoothed, bounded, and not fooled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.calibration import LEAST_FACTOR, MOST_FACTOR, Calibration


def test_until_something_is_learned_the_numbers_are_exactly_the_formulas() -> None:
    calibration = Calibration()
    assert not calibration.measured
    assert [calibration.apply(tokens) for tokens in (0, 1, 12_345)] == [0, 1, 12_345]


def test_the_first_report_counts_wholly_and_later_ones_half() -> None:
    calibration = Calibration()
    calibration.observe(10_000, 14_000)
    assert (calibration.factor, calibration.apply(1_000)) == (pytest.approx(1.4), 1_400)
    calibration.observe(10_000, 10_000)
    assert calibration.factor == pytest.approx(1.2)


def test_c_11_three_reports_of_40_percent_more_correct_the_estimate() -> None:
    calibration = Calibration()
    for _ in range(3):
        calibration.observe(20_000, 28_000)
    assert calibration.apply(10_000) == 14_000


@pytest.mark.parametrize(
    ("estimated", "reported"),
    [(15_750, 2_051), (50, 300), (10_000, 0), (0, 0)],
    ids=["p_13 a server that cut the prompt", "a tiny request", "no usage", "nothing"],
)
def test_what_says_nothing_teaches_nothing(estimated: int, reported: int) -> None:
    calibration = Calibration()
    calibration.observe(estimated, reported)
    assert not calibration.measured


@given(st.lists(st.tuples(st.integers(0, 2_000_000), st.integers(0, 20_000_000)), max_size=20), st.integers(0, 10**7))
def test_the_factor_is_bounded_whatever_is_reported(reports: list[tuple[int, int]], tokens: int) -> None:
    calibration = Calibration()
    for estimated, reported in reports:
        calibration.observe(estimated, reported)
    assert LEAST_FACTOR <= calibration.factor <= MOST_FACTOR
    assert 0 <= calibration.apply(tokens) <= calibration.apply(tokens + 1)


def test_another_model_counts_otherwise() -> None:
    calibration = Calibration()
    calibration.observe(10_000, 20_000)
    calibration.reset()
    assert calibration.apply(100) == 100 and not calibration.measured
