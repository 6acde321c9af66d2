"""Answers which of many texts contain a string, without looking at each of them.

Kept are, for each run of ASCII letters and digits and for each other character that is not ASCII, the texts it is in. A
text that contains a string contains each of these parts of it: a character as it is, a run within one of its own runs.
The texts of the rarest part are looked at, and what is in nearly every text ("a", "in") is looked for in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codeagent_tui.memory.ranking.bits import from_flags, from_slots
from codeagent_tui.memory.ranking.vocabulary import Vocabulary

_PART = re.compile(r"[a-z0-9]+|[^\x00-\x7f]")
_SHORT_RUN = 2
"""Runs so short are within too many others for their list to help."""
_FEW_TEXTS = 200
_MOST_REMEMBERED = 512
"""Words; for 100,000 texts 12 kB each."""


class SubstringIndex:
    """Lower-cased texts, numbered from 0 as they were added."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._runs = Vocabulary()
        self._characters = Vocabulary()
        self._remembered: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, text: str) -> None:
        """Add a text, lower-cased, under the next number."""
        number = len(self._texts)
        self._texts.append(text)
        parts = set(_PART.findall(text))
        runs = {part for part in parts if part.isascii()}
        self._runs.add(runs, number)
        self._characters.add(parts - runs, number)

    def containing_word(self, word: str) -> int:
        """Return the set of texts that contain `word`; remembered, for words come again."""
        bits, seen = self._remembered.pop(word, (0, 0))
        if seen < len(self._texts):
            bits |= self._scan(word, seen) if len(self._texts) - seen <= _FEW_TEXTS else self.containing(word)
        self._remembered[word] = bits, len(self._texts)
        if len(self._remembered) > _MOST_REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
        return bits

    def containing(self, wanted: str) -> int:
        """Return the set of texts that contain `wanted`, any lower-cased string."""
        parts = _PART.findall(wanted)
        others = [part for part in parts if not part.isascii()]
        if others:
            lists = [min((self._characters.places(part) for part in others), key=len)]
        else:
            run = max(parts, key=len, default="")
            if len(run) <= _SHORT_RUN:
                return self._scan(wanted, 0)
            lists = [self._runs.places(longer) for longer in self._runs.containing(run)]
        if 2 * sum(map(len, lists)) > len(self._texts):
            return self._scan(wanted, 0)
        if [wanted] != parts:
            texts = self._texts
            lists = [[number for number in numbers if wanted in texts[number]] for numbers in lists]
        return from_slots((number for numbers in lists for number in numbers), len(self._texts)) if any(lists) else 0

    def _scan(self, wanted: str, first: int) -> int:
        texts: Iterable[str] = self._texts[first:] if first else self._texts
        return from_flags(bytes([wanted in text for text in texts])) << first
