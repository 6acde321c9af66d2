"""Syntax highlighting: roles for stretches of code. Lexers are loaded off the screen's loop, when one is wanted."""

from __future__ import annotations

import threading
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from codeagent_tui.tui.blocks.rows import Roles
from codeagent_tui.tui.blocks.styled import Run

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]  # pygments ships no types
    from pygments.token import _TokenType  # type: ignore[import-untyped]

_LONGEST_LINE = 1_000
"""A piece with a longer line (minified code) is not highlighted: some lexers take quadratic time on it."""
_ROLES = {
    "Comment": "comment",
    "Keyword": "keyword",
    "Keyword.Constant": "number",
    "Operator.Word": "keyword",
    "Literal.String": "string",
    "Literal.String.Doc": "comment",
    "Literal.Number": "number",
    "Name.Function": "name",
    "Name.Class": "name",
    "Name.Tag": "keyword",
    "Name.Attribute": "name",
    "Name.Decorator": "keyword",
    "Name.Builtin": "builtin",
    "Name.Exception": "builtin",
    "Generic.Inserted": "added",
    "Generic.Deleted": "removed",
    "Generic.Heading": "name",
    "Generic.Subheading": "comment",
    "Generic.Prompt": "comment",
    "Generic.Output": "comment",
}


class Highlighter:
    """The lexers that are loaded, and the languages that somebody asked for before they were."""

    def __init__(self) -> None:
        self.wanted: set[str] = set()
        self._lexers: dict[str, Lexer | None] = {}
        self._roles: dict[_TokenType, Roles] = {}
        self._lock = threading.Lock()

    def load(self, language: str) -> None:
        """Load the lexer of `language`, if there is one; to be called in a thread."""
        from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
        from pygments.util import ClassNotFound  # type: ignore[import-untyped]

        with self._lock:
            try:
                found = get_lexer_by_name(language)
                list(found.get_tokens_unprocessed("x = 1\n"))  # compiles its tables, which is the slow part
                lexer: Lexer | None = found
            except (ClassNotFound, ValueError, LookupError, TypeError, AttributeError, ImportError):
                lexer = None
            self._lexers[language] = lexer
            self.wanted.discard(language)

    def knows(self, language: str) -> bool:
        """Whether `language` was loaded, or is known to have no lexer."""
        return not language or language in self._lexers

    def runs(self, code: str, language: str) -> list[tuple[Run, ...]] | None:
        """Return the runs of each line of `code`; None when it is to be shown plainly (now, or for good)."""
        if not language or not code:
            return None
        if language not in self._lexers:
            self.wanted.add(language)
            return None
        lexer = self._lexers[language]
        if lexer is None or max(map(len, code.split("\n"))) > _LONGEST_LINE:
            return None
        try:
            tokens = list(lexer.get_tokens_unprocessed(code + "\n"))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        return self._by_line(code, tokens)

    def _by_line(self, code: str, tokens: list[tuple[int, _TokenType, str]]) -> list[tuple[Run, ...]]:
        starts = [0]
        for line in code.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        lines: list[list[Run]] = [[] for _ in starts[:-1]]
        for at, kind, text in tokens:
            roles = self._roles_of(kind)
            number = bisect_right(starts, at) - 1
            end = min(at + len(text), len(code))
            while number < len(lines) and starts[number] < end:
                last = min(end, starts[number + 1] - 1) - starts[number]
                runs = lines[number]
                if last > (runs[-1].end if runs else 0):
                    if runs and runs[-1].roles == roles:
                        runs.pop()
                    runs.append(Run(last, roles))
                number += 1
        return [
            (*runs, Run(length, ())) if length > (runs[-1].end if runs else 0) else tuple(runs)
            for runs, length in zip(lines, (b - a - 1 for a, b in pairwise(starts)), strict=True)
        ]

    def _roles_of(self, kind: _TokenType) -> Roles:
        roles = self._roles.get(kind)
        if roles is None:
            roles, above = (), kind
            while above is not None:
                name = ".".join(above)
                if name in _ROLES:
                    roles = (_ROLES[name],)
                    break
                above = above.parent
            self._roles[kind] = roles
        return roles


HIGHLIGHTER = Highlighter()
"""Lexers are the same for everybody and slow to load: there is one set of them."""
