"""Sections of text that can be folded: their data, their rows at a width, and what is found in them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from codeagent_tui.text import one_line
from codeagent_tui.tui.line_view import diff_lines, lines_of
from codeagent_tui.tui.pieces import Piece
from codeagent_tui.tui.wrapping import wrap_line

_PREVIEW_CHARACTERS = 200

Row = tuple[int, int, int]
"""Line, and the start and end of the part of it that is in the row."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a text. `figure` stands at the heading's right edge; the text is from outside and gets cleaned.

    `note` says more in the heading; `is_diff` colours the text as a diff. One without a text is only a heading.
    """

    key: str
    title: str
    text: str = ""
    figure: str = ""
    note: str = ""
    is_diff: bool = False

    @property
    def preview(self) -> str:
        """The beginning of the text, on one line."""
        return one_line(self.text[: _PREVIEW_CHARACTERS * 2], _PREVIEW_CHARACTERS)

    def lines(self) -> list[Piece]:
        """Return the text's lines with their roles."""
        return diff_lines(self.text) if self.is_diff else lines_of(self.text)


@dataclass(frozen=True, slots=True)
class Laid:
    """An open section's lines and the rows that they take at a width."""

    section: Section
    width: int
    lines: list[Piece]
    rows: list[Row]


def lay_out(section: Section, width: int) -> Laid:
    """Return `section` wrapped at `width` columns; costs time in proportion to its text."""
    lines = section.lines()
    rows = [(index, start, end) for index, (text, _) in enumerate(lines) for start, end in wrap_line(text, width)]
    return Laid(section, width, lines, rows)


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where something was found; `line` -1 is the heading."""

    section: int
    line: int
    start: int


def pattern_of(words: str) -> re.Pattern[str]:
    """Return what finds `words` as they are, in any letter case."""
    return re.compile(re.escape(words), re.IGNORECASE)


def find(sections: Sequence[Section], pattern: re.Pattern[str]) -> list[Hit]:
    """Return every place of `pattern`, in order."""
    hits: list[Hit] = []
    for index, section in enumerate(sections):
        hits += (Hit(index, -1, match.start()) for match in pattern.finditer(section.title))
        # Most sections do not hold it: their lines need not be made.
        if not pattern.search(section.text):
            continue
        for line, (text, _) in enumerate(section.lines()):
            hits += (Hit(index, line, match.start()) for match in pattern.finditer(text))
    return hits
