"""The Markdown parser, loaded when the first text needs it: the screen's first frame does not wait for it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

NESTING = 40
"""Levels that are read; deeper ones would be lost, so such a text is shown as it is written."""
_MOST_BRACKETS = 300
"""Brackets that open: the parser takes quadratic time on those that never close."""


@lru_cache(maxsize=1)
def load_parser() -> MarkdownIt:
    """Return the parser: CommonMark with tables and strike-through, where HTML is text.

    Definitions of links (`[name]: address`) stay visible as text: they would change what was shown long before.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING})
    return parser.enable(["table", "strikethrough"]).disable(["reference", "html_block", "html_inline"])


def parse(source: str) -> list[Token] | None:
    """Return the tokens of `source`; None when it is nested or tangled too deeply to be read."""
    if source.count("[") > _MOST_BRACKETS:
        return None
    tokens = load_parser().parse(source)
    if any(token.level >= NESTING - 1 for token in tokens):
        return None
    return tokens


def parse_inline(source: str) -> list[Token]:
    """Return the tokens of a text without blocks, for example a cell of a table."""
    if source.count("[") > _MOST_BRACKETS:
        return []
    return load_parser().parseInline(source)[0].children or []
