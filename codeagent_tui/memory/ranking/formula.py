"""The plain formula: the share of the query's words that an entry contains, counted for all entries at once."""

from __future__ import annotations

from collections.abc import Iterator

from codeagent_tui.memory.ranking.bits import Tally
from codeagent_tui.memory.ranking.query import Query, searchable
from codeagent_tui.memory.ranking.substring_index import SubstringIndex


class FormulaMatcher:
    """Gives for many texts at once what `Query.match` says of each."""

    def __init__(self) -> None:
        self._texts = SubstringIndex()

    def prepare(self, query: str) -> Query:
        """Cut `query` into words."""
        return Query.of(query)

    def add(self, content: str) -> None:
        """Add a text under the next number."""
        self._texts.add(searchable(content))

    def match(self, question: Query, content: str, present: int) -> float:
        """Return how well one text matches; what else there is makes no difference."""
        return question.match(content)

    def groups(self, question: Query, present: int) -> Iterator[tuple[float, int]]:
        """Yield each match above 0 and the texts in the set `present` that have it, best first."""
        if not question.text:
            return
        whole = self._texts.containing(question.text) & present
        if whole:
            yield 1.0, whole
        tally = Tally()
        for word in question.words:
            tally.add(self._texts.containing_word(word))
        for count, group in tally.groups(present & ~whole):
            yield count / len(question.words), group
