"""A unified diff as rows: line numbers, signs and colours; the text of each line is copied without them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, Row, Span, decoration
from codeagent_tui.tui.blocks.styled import Prefix, Styled, flow
from codeagent_tui.tui.blocks.text_parts import LINES

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)")
_NAME = re.compile(r"(?:a/|b/)?([^\t]*)")


class DiffLine(NamedTuple):
    """A line of a diff: `sign` is `+`, `-` or a blank (unchanged), `@` (a place) or `f` (a file's name)."""

    sign: str
    number: int
    text: str


def read_diff(diff: str) -> list[DiffLine]:
    """Return the lines of a unified diff with their numbers: the new file's, or the old one's for what went.

    A hunk ends when it has the lines that its head announces: what looks like a file's name inside one is content.
    """
    lines: list[DiffLine] = []
    old = new = old_end = new_end = hunks = 0
    before = ""
    for line in diff.rstrip("\n").split("\n"):
        sign = line[:1] or " "
        if found := _HUNK.match(line):
            old, new = int(found[1]), int(found[3])
            old_end, new_end = old + int(found[2] or 1), new + int(found[4] or 1)
            hunks += 1
            if hunks > 1:
                lines.append(DiffLine("@", 0, found[5].strip()))
        elif (old < old_end or new < new_end) and sign in "+- ":
            lines.append(DiffLine(sign, old if sign == "-" else new, line[1:]))
            old += sign != "+"
            new += sign != "-"
        elif line.startswith("--- "):
            before = _file_name(line[4:])
        elif line.startswith("+++ "):
            name = _file_name(line[4:])
            lines.append(DiffLine("f", 0, name if name != "/dev/null" else f"{before} (deleted)"))
            hunks = 0
        elif line:
            lines.append(DiffLine("@", 0, line))
    return lines


def _file_name(text: str) -> str:
    found = _NAME.match(text)
    return found[1] if found else text


_ROLES = {"+": "added", "-": "removed", " ": "context"}


class DiffPart(Part):
    """Some lines of a diff; `digits` is the room for the numbers."""

    __slots__ = ("_digits", "_lines", "_margin")

    def __init__(self, block: Block, lines: list[DiffLine], digits: int, margin: Span) -> None:
        super().__init__(block)
        self._lines = lines
        self._digits = digits
        self._margin = margin

    def build(self, layout: Layout, width: int) -> None:
        """Add each line behind its number and sign."""
        for line in self._lines:
            if line.sign == "f":
                prefix = Prefix((self._margin,), (self._margin,))
                flow(layout, Styled.plain(line.text, "diff-file"), width, prefix=prefix)
            elif line.sign == "@":
                layout.lines.append(line.text)
                place = decoration("⋯ ", "faint")
                text = decoration(line.text, "hint")._replace(at=0, size=len(line.text))
                layout.rows.append(Row((self._margin, place, text), len(layout.lines) - 1))
            else:
                role = _ROLES[line.sign]
                number = decoration(f"{line.number:>{self._digits}} ", "line-number")
                rest = decoration(" " * (self._digits + 1))
                sign = decoration(f"{line.sign} ", role, "sign")
                prefix = Prefix((self._margin, number, sign), (self._margin, rest, decoration("  ", role)))
                if prefix.width > width // 2:
                    prefix = Prefix((sign,), (sign,))
                flow(layout, Styled.plain(line.text), width, prefix=prefix, ground=(role,), words=False)

    def estimate(self, width: int) -> int:
        """Count the lines."""
        return len(self._lines)


def diff_parts(block: Block, lines: list[DiffLine], margin: Span) -> Iterator[Part]:
    """Yield parts for `lines`."""
    digits = len(str(max((line.number for line in lines), default=0)))
    for start in range(0, len(lines), LINES):
        yield DiffPart(block, lines[start : start + LINES], digits, margin)
