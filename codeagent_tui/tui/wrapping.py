"""Cuts a text line into rows of a width, by terminal columns and never inside a user-perceived character."""

from __future__ import annotations

from codeagent_tui.text import graphemes

_BREAK_BACK = 2
"""A row breaks after a blank when that leaves at least 1/2 of it filled; else in mid-word."""


def wrap_line(line: str, width: int) -> list[tuple[int, int]]:
    """Return the `(start, end)` of each row of `line` at `width` columns; one empty row for an empty line.

    A character wider than the width stands alone in its row (and is cut when drawn): no width is too small.
    """
    width = max(1, width)
    if line.isascii():
        return _wrap_ascii(line, width)
    rows: list[tuple[int, int]] = []
    begin = used = 0
    for start, end, cells in graphemes(line):
        if used + cells > width and start > begin:
            at = _blank_before(line, begin, start)
            rows.append((begin, at))
            begin = at
            used = sum(c for s, _, c in graphemes(line[at:start]))
        used += cells
        if end == len(line):
            break
    rows.append((begin, len(line)))
    return rows


def _wrap_ascii(line: str, width: int) -> list[tuple[int, int]]:
    rows: list[tuple[int, int]] = []
    begin = 0
    while len(line) - begin > width:
        at = _blank_before(line, begin, begin + width)
        rows.append((begin, at))
        begin = at
    rows.append((begin, len(line)))
    return rows


def _blank_before(line: str, begin: int, limit: int) -> int:
    """Return where the row that starts at `begin` and must end by `limit` best ends."""
    if line[limit] == " ":
        return limit + 1 if limit + 1 < len(line) else limit
    blank = line.rfind(" ", begin + (limit - begin) // _BREAK_BACK, limit)
    return blank + 1 if blank >= 0 else limit
