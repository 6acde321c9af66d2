"""Shares the budget of project memory among its files: what matters most first, cut at whole lines, and said so."""

from __future__ import annotations

from codeagent_tui.text import grapheme_floor
from codeagent_tui.tokens import estimate_tokens

_LOST_FOR_A_WHOLE_LINE = 200
"""Characters. A cut gives up at most so many to end with a whole line; in longer lines it falls on a character."""


class Budget:
    """What may still be used: characters, and tokens where the model's window is small.

    After the first text that did not fit whole there is nothing left: what comes later matters less, and a gap in the
    middle would mislead.
    """

    def __init__(self, characters: int, tokens: int | None = None) -> None:
        self.characters = max(0, characters)
        self.tokens = tokens
        self.words = f"{characters:,} characters"
        """How large it was at first, for people."""
        if tokens is not None:
            self.words += f", and with this model {tokens:,} tokens"

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.characters <= 0 or (self.tokens is not None and self.tokens <= 0)

    def take(self, text: str) -> str:
        """Return as much of the beginning of `text` as fits, and use it up."""
        length = min(len(text), self.characters)
        if self.tokens is not None:
            length = _longest(text, length, max(0, self.tokens))
        if length == len(text):
            self.characters -= length
            if self.tokens is not None:
                self.tokens -= estimate_tokens(text)
            return text
        self.characters = 0
        line = text.rfind("\n", 0, length + 1)
        if length - line <= _LOST_FOR_A_WHOLE_LINE:
            return text[: max(0, line)]
        return text[: grapheme_floor(text, length)]


def _longest(text: str, most: int, tokens: int) -> int:
    """Return the length of the longest beginning of `text` of at most `most` characters and `tokens` tokens."""
    if estimate_tokens(text[:most]) <= tokens:
        return most
    low, high = 0, most
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= tokens else (low, middle)
    return low
