"""What the weighted ranker compares: the stems of words, the parts of identifiers, and pieces of Chinese.

`getUserName`, `get_user_name` and `get-user-name` give the same: the three words and, whole, `getusername`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from codeagent_tui.memory.ranking.query import without_middle
from codeagent_tui.memory.ranking.stemming import stem
from codeagent_tui.memory.ranking.stop_words import CHINESE, ENGLISH
from codeagent_tui.memory.tokenizer import words

# Scripts without blanks between words, or with endings grown to them: Han, kana, Hangul.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_NAME = re.compile(f"[^\\W{_CJK}]+(?:-[^\\W{_CJK}]+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
_MARK = re.compile("[\u0300-\u036f]")
_LONGEST_TERM = 64


def terms(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` that are not Chinese, and its identifiers in parts and whole."""
    text = _CJK_RUN.sub(" ", text)
    if not text.isascii():
        # Letters without their accents: café and cafe are one.
        text = unicodedata.normalize("NFC", _MARK.sub("", unicodedata.normalize("NFKD", text)))
    found: set[str] = set()
    for name in _NAME.findall(text):
        parts = [part.lower() for part in _PART.findall(name)]
        found.update(stem(part[:_LONGEST_TERM]) for part in parts if part not in ENGLISH)
        if len(parts) > 1:
            found.add("".join(parts)[:_LONGEST_TERM])
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class WeightedQuery:
    """A question in pieces. All of them are lower-cased; the Chinese ones are looked for as substrings."""

    text: str
    """The whole."""
    terms: frozenset[str]
    words: frozenset[str]
    """Chinese words as jieba cuts them."""
    pairs: frozenset[str]
    """Two Chinese characters side by side that are no such word: for where jieba cuts the entry differently."""
    characters: frozenset[str]

    @classmethod
    def of(cls, text: str) -> WeightedQuery:
        """Cut `text` into its pieces, without stop words. May load jieba's dictionary."""
        text = without_middle(text)
        runs = _CJK_RUN.findall(text)
        cut = {word for word in words(text) if _CJK_RUN.fullmatch(word)} if runs else set()
        pairs = {run[place : place + 2] for run in runs for place in range(len(run) - 1)}
        return cls(
            text.lower(),
            terms(text),
            frozenset(word for word in cut if len(word) > 1 and word not in CHINESE),
            frozenset(pair for pair in pairs - cut if not CHINESE.intersection((pair, *pair))),
            frozenset(char for run in runs for char in run if char not in CHINESE),
        )
