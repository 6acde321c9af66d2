"""How many tokens a text costs: the plain estimate, and the protocol an exact tokenizer plugs into."""

from __future__ import annotations

import re
from typing import Protocol

# Han ideographs only: kana, Hangul and CJK punctuation count with "all others" in the specified formula.
_CJK_RUN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


class TokenEstimator(Protocol):
    """Anything that says how many tokens a text costs: the formula here, or an exact tokenizer."""

    def __call__(self, text: str) -> int:
        """Return the token count of `text`; never negative, and never smaller for a longer text."""
        ...


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of `text`: ceil(cjk / 1.5 + other / 4), rounded up once on the sum.

    Linear in the length of the text and free of dependencies. The figures are this product's own rule; the
    thresholds that use it keep a safety buffer because it is rough.
    """
    if text.isascii():
        return (len(text) + 3) // 4
    cjk = sum(map(len, _CJK_RUN.findall(text)))
    # cjk / 1.5 + other / 4 over the common denominator 12, so that no float rounds the wrong way.
    return (8 * cjk + 3 * (len(text) - cjk) + 11) // 12
