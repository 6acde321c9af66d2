"""BM25 as a yardstick: what a text search without knowledge of memory would find."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from heapq import nsmallest

from codeagent_tui.memory.tokenizer import cut

_K1 = 1.2
_B = 0.75


class BM25:
    """Okapi BM25 over jieba's words, lower-cased, with the usual k1 = 1.2 and b = 0.75."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(cut(text)) for text in texts]
        lengths = [sum(counts.values()) for counts in self._counts]
        average = sum(lengths) / len(lengths)
        self._norms = [_K1 * (1 - _B + _B * length / average) for length in lengths]
        self._texts_with = Counter(word for counts in self._counts for word in counts)

    def find(self, query: str, limit: int) -> list[int]:
        """Return the places of the texts that fit `query`, best first; of equal ones the later first."""
        weights = {word: self._rarity(word) for word in set(cut(query)) if word in self._texts_with}
        scores = [
            sum(
                weight * counts[word] * (_K1 + 1) / (counts[word] + norm)
                for word, weight in weights.items()
                if word in counts
            )
            for counts, norm in zip(self._counts, self._norms, strict=True)
        ]
        places = (place for place, score in enumerate(scores) if score > 0)
        return nsmallest(limit, places, key=lambda place: (-scores[place], -place))

    def _rarity(self, word: str) -> float:
        having = self._texts_with[word]
        return math.log(1 + (len(self._counts) - having + 0.5) / (having + 0.5))
