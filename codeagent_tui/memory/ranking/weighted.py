"""A ranker for long questions: rare words weigh more, forms of a word are one, grammar weighs nothing.

match = what the text holds of the question's pieces / all of them, each piece counted by its share and its rarity.
Which pieces there are says `terms`, how much each counts says the table here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from codeagent_tui.memory.ranking.bits import Tally, from_slots
from codeagent_tui.memory.ranking.query import searchable
from codeagent_tui.memory.ranking.substring_index import SubstringIndex
from codeagent_tui.memory.ranking.terms import WeightedQuery, terms
from codeagent_tui.memory.ranking.vocabulary import Vocabulary

KIN_SHARE = 0.5
"""For a term within a longer one or the other way about: `postgres` and `postgresql`, `test` and `pytest`."""
PAIR_SHARE = 0.5
CHARACTER_SHARE = 0.3
_SHORTEST_KIN = 4
_STEPS = 8
"""Rarity is counted in eighths, as whole numbers: adding them is exact, in any order."""


class _Kind(Enum):
    TERM = auto()
    KIN = auto()
    SUBSTRING = auto()


@dataclass(frozen=True, slots=True)
class _Piece:
    """One thing that is looked for: the texts that have it, what it counts there, and what it adds to the whole."""

    kind: _Kind
    wanted: str
    texts: int
    counts: int
    of_whole: int

    def is_in(self, text: str, held: frozenset[str]) -> bool:
        """Whether a text has it that, lower-cased, is `text` and has the terms `held`."""
        if self.kind is _Kind.SUBSTRING:
            return self.wanted in text
        if self.kind is _Kind.TERM or self.wanted in held:
            return self.kind is _Kind.TERM and self.wanted in held
        return any(_are_kin(self.wanted, other) for other in held)


class WeightedMatcher:
    """An index of stems, identifiers and substrings."""

    def __init__(self) -> None:
        self._texts = SubstringIndex()
        self._terms = Vocabulary()

    def prepare(self, query: str) -> WeightedQuery:
        """Cut `query` into pieces."""
        return WeightedQuery.of(query)

    def add(self, content: str) -> None:
        """Add a text under the next number."""
        self._terms.add(terms(content), len(self._texts))
        self._texts.add(searchable(content))

    def groups(self, question: WeightedQuery, present: int) -> Iterator[tuple[float, int]]:
        """Yield each match above 0 and the texts in the set `present` that have it, best first."""
        if not question.text:
            return
        whole = self._texts.containing(question.text) & present
        if whole:
            yield 1.0, whole
        tally, most = Tally(), 0
        for piece in self._pieces(question, present):
            tally.add(piece.texts, piece.counts)
            most += piece.of_whole
        for number, group in tally.groups(present & ~whole):
            yield number / most, group

    def match(self, question: WeightedQuery, content: str, present: int) -> float:
        """Return how well one text matches. How rare a piece is depends on the texts in the set `present`."""
        text, held = searchable(content), terms(content)
        if not question.text:
            return 0.0
        if question.text in text:
            return 1.0
        pieces = list(self._pieces(question, present))
        most = sum(piece.of_whole for piece in pieces)
        return sum(piece.counts for piece in pieces if piece.is_in(text, held)) / most if most else 0.0

    def _pieces(self, question: WeightedQuery, present: int) -> Iterator[_Piece]:
        everything = present.bit_count()

        def rarity(texts: int, share: float = 1.0) -> int:
            having = (texts & present).bit_count()
            return max(1, round(share * _STEPS * math.log(1 + (everything - having + 0.5) / (having + 0.5))))

        for term in question.terms:
            same, kin = self._with_term(term)
            yield _Piece(_Kind.TERM, term, same, rarity(same), rarity(same))
            if kin & present:
                yield _Piece(_Kind.KIN, term, kin, rarity(same | kin, KIN_SHARE), 0)
        for word in question.words:
            texts = self._texts.containing_word(word)
            yield _Piece(_Kind.SUBSTRING, word, texts, rarity(texts), rarity(texts))
        for pieces, share in ((question.pairs, PAIR_SHARE), (question.characters, CHARACTER_SHARE)):
            for piece in pieces:
                texts = self._texts.containing_word(piece)
                # These only help: what no text has takes nothing from the others.
                if texts & present:
                    yield _Piece(_Kind.SUBSTRING, piece, texts, rarity(texts, share), rarity(texts, share))

    def _with_term(self, term: str) -> tuple[int, int]:
        """Return the texts with `term`, and the others that have a kin of it."""
        size = len(self._texts)
        same = from_slots(self._terms.places(term), size)
        if len(term) < _SHORTEST_KIN or not term.isalpha():
            return same, 0
        others = {*self._terms.containing(term), *(term[:end] for end in range(_SHORTEST_KIN, len(term)))} - {term}
        kin = from_slots((place for other in others for place in self._terms.places(other)), size)
        return same, kin & ~same


def _are_kin(term: str, other: str) -> bool:
    """Whether `other` contains `term`, or is the beginning of it; neither shorter than four letters."""
    if len(term) < _SHORTEST_KIN or not term.isalpha():
        return False
    return term in other or (len(other) >= _SHORTEST_KIN and term.startswith(other))
