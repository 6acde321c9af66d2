"""A row of the transcript as data: spans of text with their roles, and where each span stands in the source.

A *line* is a line of the source as it is copied; a *row* is what fits the width. A line takes one row or more.
Roles name the look (`transcript--<role>` in the stylesheet), from the ground up: `("user", "strong")` is the look of
`user` with that of `strong` laid over it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

Roles: TypeAlias = tuple[str, ...]

TAB = 4
"""Columns that a tab takes."""


class Span(NamedTuple):
    """A piece of a row.

    `at` is the place of its first character in its line, or -1 for what is not source (bars, bullets, padding).
    `size` is how many characters of the line it stands for: as many as `text` has, but 1 for an expanded tab.
    `link` is the address that the terminal opens.
    """

    text: str
    roles: Roles = ()
    at: int = -1
    size: int = 0
    link: str = ""


class Row(NamedTuple):
    """One row on the screen: its spans, the number of its line in the layout, and the roles of the rest of the row."""

    spans: tuple[Span, ...]
    line: int = 0
    ground: Roles = ()

    @property
    def text(self) -> str:
        """What is seen, without the padding."""
        return "".join(span.text for span in self.spans)


@dataclass(slots=True)
class Layout:
    """What a part of a block looks like at one width: its rows, and the lines that they show."""

    rows: list[Row] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    waits_for: set[str] = field(default_factory=set)
    """Languages whose lexers were not loaded yet: the layout is to be made again when they are."""

    def blank(self, ground: Roles = ()) -> None:
        """Add an empty row; when selected it counts as an empty line."""
        self.lines.append("")
        self.rows.append(Row((), len(self.lines) - 1, ground))


def decoration(text: str, *roles: str) -> Span:
    """Return a span that is no source."""
    return Span(text, roles)
