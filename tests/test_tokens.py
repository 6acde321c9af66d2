"""The plain token estimate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("你", 1),
        ("你好", 2),
        ("你好吗", 2),
        ("你好吗a", 3),
        ("カタカナ", 1),
        ("한국", 1),
        ("，。", 1),
    ],
)
def test_figures_of_the_formula(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(cjk=st.integers(0, 400), other=st.integers(0, 400))
def test_rounds_up_once_on_the_sum(cjk: int, other: int) -> None:
    exact = (cjk * 2 * 2 * 2 + other * 3) / 12
    assert estimate_tokens("记" * cjk + "x" * other) == math.ceil(exact)


@given(text=st.text(), more=st.text())
def test_never_shrinks_when_text_is_appended(text: str, more: str) -> None:
    assert 0 <= estimate_tokens(text) <= estimate_tokens(text + more)
