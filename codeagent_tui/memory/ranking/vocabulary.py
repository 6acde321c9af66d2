"""Words, the texts that they are in, and which of them contain a piece of a word."""

from __future__ import annotations

from collections.abc import Iterable


class Vocabulary:
    """Grows with the texts, which are numbered; forgets nothing. A word has no line end in it."""

    def __init__(self) -> None:
        self._places: dict[str, list[int]] = {}
        self._new: list[str] = []
        self._joined = "\n"

    def add(self, words: Iterable[str], number: int) -> None:
        """Say that each of `words`, which are distinct, is in the text `number`, the highest so far."""
        for word in words:
            places = self._places.get(word)
            if places is None:
                self._places[word] = [number]
                self._new.append(word)
            else:
                places.append(number)

    def places(self, word: str) -> list[int]:
        """Return the numbers of the texts with `word`, in order. Not to be changed."""
        return self._places.get(word, [])

    def containing(self, piece: str) -> list[str]:
        """Return the words that contain `piece`, itself among them when it is one."""
        if self._new:
            self._joined += "".join(f"{word}\n" for word in self._new)
            self._new = []
        joined, found = self._joined, []
        place = joined.find(piece)
        while place >= 0:
            end = joined.index("\n", place)
            found.append(joined[joined.rindex("\n", 0, place) + 1 : end])
            place = joined.find(piece, end)
        return found
