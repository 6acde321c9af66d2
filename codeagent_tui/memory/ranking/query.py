"""A question ready for comparing, and the plain definition of how well a text matches it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from codeagent_tui.memory.tokenizer import words

_LONGEST_QUERY = 16_000
"""Characters. Of a longer message (a pasted log) the first and the last half of that are looked at: cutting it into
words takes a second and more for a megabyte, and what it asks stands at one of its ends."""


def searchable(content: str) -> str:
    """Return `content` as it is compared: NFC, lower-cased. The same object when that changes nothing."""
    text = unicodedata.normalize("NFC", content).lower()
    return content if text == content else text


def without_middle(text: str) -> str:
    """Return a question in NFC without white space around it; of a giant one, its beginning and its end."""
    text = unicodedata.normalize("NFC", text).strip()
    if len(text) <= _LONGEST_QUERY:
        return text
    half = _LONGEST_QUERY // 2
    return f"{text[:half]}\n{text[-half:]}"


@dataclass(frozen=True, slots=True)
class Query:
    """A question: lower-cased whole, and its distinct words."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Query:
        """Cut `text` into words. May load jieba's dictionary (see `tokenizer`)."""
        text = without_middle(text)
        return cls(text.lower(), words(text))

    def match(self, content: str) -> float:
        """Return 1 when `content` holds the whole query, else the share of the query's distinct words found in it.

        This is the definition; `FormulaRanker` gives the same numbers for many entries at once.
        """
        if not self.text:
            return 0.0
        held = searchable(content)
        if self.text in held:
            return 1.0
        if not self.words:
            return 0.0
        return sum(word in held for word in self.words) / len(self.words)
