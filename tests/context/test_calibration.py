"""The factor between our estimate and the provider's count: smoothed, bounded, and not fooled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.calibration import LEAST_FACTOR, MOST_FACTOR, Calibration, Observation

LEARNED, IGNORED, TRUNCATED = Observation.LEARNED, Observation.IGNORED, Observation.TRUNCATED


def test_until_something_is_learned_the_numbers_are_exactly_the_formulas() -> None:
    calibration = Calibration()
    assert not calibration.measured
    assert [calibration.apply(tokens) for tokens in (0, 1, 12_345)] == [0, 1, 12_345]


def test_the_first_report_counts_wholly_and_later_ones_half() -> None:
    calibration = Calibration()
    assert calibration.observe(10_000, 14_000) is LEARNED
    assert (calibration.factor, calibration.apply(1_000)) == (pytest.approx(1.4), 1_400)
    assert calibration.observe(10_000, 10_000) is LEARNED
    assert calibration.factor == pytest.approx(1.2)


def test_c_11_three_reports_of_40_percent_more_correct_the_estimate() -> None:
    calibration = Calibration()
    for _ in range(3):
        calibration.observe(20_000, 28_000)
    assert calibration.apply(10_000) == 14_000


@pytest.mark.parametrize(
    ("estimated", "reported"),
    [(50, 300), (10_000, 0), (0, 0), (10_000, 10**11), (10_000, 50_000)],
    ids=["a tiny request", "no usage", "nothing", "absurd", "the sum of a turn's five requests"],
)
def test_c_05_what_says_nothing_teaches_nothing(estimated: int, reported: int) -> None:
    calibration = Calibration()
    assert calibration.observe(estimated, reported) is IGNORED
    assert not calibration.measured


def test_c_05_counts_that_a_server_adds_up_over_a_turn_are_not_learned() -> None:
    calibration = Calibration()
    real = [9_000, 10_800, 12_600, 14_400]
    seen = [calibration.observe(round(count / 0.9), sum(real[: at + 1])) for at, count in enumerate(real)]
    assert seen == [LEARNED, IGNORED, IGNORED, IGNORED]
    assert calibration.factor == pytest.approx(0.9)
    assert calibration.observe(20_000, 18_000) is LEARNED


def test_p_13_a_server_that_cuts_the_prompt_is_recognised_and_teaches_nothing() -> None:
    calibration = Calibration()
    assert calibration.observe(15_750, 2_051) is TRUNCATED
    assert calibration.apply(15_750) == 15_750 and not calibration.measured


def test_p_13_text_that_is_cheaper_than_its_safe_estimate_is_not_taken_for_a_cut() -> None:
    assert Calibration().observe(20_000, 9_000, plain=9_500) is LEARNED


@pytest.mark.parametrize("answers", [[40, 40, 40, 40], [40, 96, 70, 55]], ids=["the prompt", "prompt and answer"])
def test_p_13_a_count_that_sticks_to_one_number_while_the_request_grows(answers: list[int]) -> None:
    calibration = Calibration()
    requests = [4_200, 4_600, 5_100, 5_700]
    seen = [
        calibration.observe(estimated, 4_096 - answered, answered=answered)
        for estimated, answered in zip(requests, answers, strict=True)
    ]
    assert seen == [LEARNED, IGNORED, TRUNCATED, TRUNCATED]
    assert calibration.factor > 0.9


def test_the_same_request_twice_is_no_cut() -> None:
    calibration = Calibration()
    assert [calibration.observe(5_000, 4_500) for _ in range(4)] == [LEARNED] * 4


def test_each_model_has_its_factor_and_it_is_there_again_after_another_one() -> None:
    calibration = Calibration()
    calibration.use_model("a")
    calibration.observe(10_000, 15_000)
    calibration.use_model("b")
    assert (calibration.apply(1_000), calibration.measured, calibration.reports) == (1_000, False, 0)
    calibration.observe(10_000, 8_000)
    calibration.use_model("a")
    assert (calibration.apply(1_000), calibration.reports) == (1_500, 1)


def test_c_05_a_late_report_is_that_of_the_model_that_was_asked() -> None:
    calibration = Calibration()
    calibration.use_model("b")
    calibration.observe(10_000, 20_000, model="a")
    assert not calibration.measured
    calibration.use_model("a")
    assert calibration.factor == 2.0


def test_a_request_far_from_the_last_one_counted_is_an_estimate_again() -> None:
    calibration = Calibration()
    assert not calibration.is_near(0)
    calibration.observe(160_000, 170_000)
    assert calibration.is_near(150_000) and calibration.is_near(190_000)
    assert not calibration.is_near(12_000)


def test_switched_off_it_corrects_nothing_and_still_sees_a_cut() -> None:
    calibration = Calibration(enabled=False)
    assert calibration.observe(10_000, 15_000) is IGNORED
    assert (calibration.factor, calibration.measured, calibration.apply(999)) == (1.0, False, 999)
    assert calibration.observe(10_000, 1_500) is TRUNCATED


def test_reset_forgets_the_model_in_use() -> None:
    calibration = Calibration()
    calibration.observe(10_000, 20_000)
    calibration.reset()
    assert calibration.apply(100) == 100 and not calibration.measured


REPORTS = st.tuples(st.integers(0, 2_000_000), st.integers(0, 20_000_000), st.sampled_from(["a", "b", "c"]))


@given(st.lists(REPORTS, max_size=20), st.integers(0, 10**7))
def test_the_factor_is_bounded_whatever_is_reported(reports: list[tuple[int, int, str]], tokens: int) -> None:
    calibration = Calibration()
    for estimated, reported, model in reports:
        calibration.use_model(model)
        calibration.observe(estimated, reported)
        assert LEAST_FACTOR <= calibration.factor <= MOST_FACTOR
    assert 0 <= calibration.apply(tokens) <= calibration.apply(tokens + 1)
