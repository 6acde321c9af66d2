"""Answers which of many texts contain a string, without looking at each of them.

Kept are, for each run of ASCII letters and digits and for each other character that is not ASCII, the texts it is in. A
text that contains a string contains each of these parts of it: a character as it is, a run within one of its own runs.
The texts of the rarest part are looked at, and what is in nearly every text ("a", "in") is looked for in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codeagent_tui.memory.ranking.bits import from_flags, from_slots

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
        self._places: dict[str, list[int]] = {}
        self._runs: list[str] = []
        self._joined_runs = "\n"
        self._joined = 0
        self._remembered: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, text: str) -> None:
        """Add a text, lower-cased, under the next number."""
        number = len(self._texts)
        self._texts.append(text)
        for part in set(_PART.findall(text)):
            places = self._places.get(part)
            if places is not None:
                places.append(number)
                continue
            self._places[part] = [number]
            if part.isascii():
                self._runs.append(part)

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
            lists = [min((self._places.get(part, []) for part in others), key=len)]
        else:
            run = max(parts, key=len, default="")
            if len(run) <= _SHORT_RUN:
                return self._scan(wanted, 0)
            lists = [self._places[longer] for longer in self._runs_with(run)]
        if 2 * sum(map(len, lists)) > len(self._texts):
            return self._scan(wanted, 0)
        if [wanted] != parts:
            texts = self._texts
            lists = [[number for number in numbers if wanted in texts[number]] for numbers in lists]
        return from_slots((number for numbers in lists for number in numbers), len(self._texts)) if any(lists) else 0

    def _scan(self, wanted: str, first: int) -> int:
        texts: Iterable[str] = self._texts[first:] if first else self._texts
        return from_flags(bytes([wanted in text for text in texts])) << first

    def _runs_with(self, run: str) -> list[str]:
        """Return the runs that contain `run`."""
        if self._joined < len(self._runs):
            self._joined_runs += "".join(f"{new}\n" for new in self._runs[self._joined :])
            self._joined = len(self._runs)
        joined, found = self._joined_runs, []
        place = joined.find(run)
        while place >= 0:
            end = joined.index("\n", place)
            found.append(joined[joined.rindex("\n", 0, place) + 1 : end])
            place = joined.find(run, end)
        return found
