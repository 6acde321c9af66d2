"""How a draft is laid out in rows of a width: pure functions of text, width and cursor."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui.text import cell_width, graphemes

_TAB = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One row on the screen: the characters from `start` to `end` of the text, without the line end."""

    start: int
    end: int
    ends_line: bool
    """Whether a line end (or the text's end) follows, rather than the same line's next row."""


def lay_out(text: str, width: int) -> list[Row]:
    """Return the rows of `text` at `width` cells; at least one. Words stay whole where they fit."""
    rows: list[Row] = []
    at = 0
    for line in text.split("\n"):
        rows += _rows_of_line(line, at, max(1, width))
        at += len(line) + 1
    return rows


def _rows_of_line(line: str, at: int, width: int) -> list[Row]:
    if line.isascii() and "\t" not in line and len(line) <= width:
        return [Row(at, at + len(line), True)]
    rows: list[Row] = []
    start = used = 0
    space = -1
    used_to_space = 0
    for begin, end, cells in graphemes(line):
        cells = _TAB if line[begin] == "\t" else cells
        if used + cells > width and begin > start:
            cut = space if space > start else begin
            rows.append(Row(at + start, at + cut, False))
            used -= used_to_space if space > start else used
            start, space, used_to_space = cut, -1, 0
        used += cells
        if line[begin] in " \t":
            space, used_to_space = end, used
    return [*rows, Row(at + start, at + len(line), True)]


def shown(text: str) -> str:
    """Return the text of a row as it is drawn."""
    return text.replace("\t", " " * _TAB)


def row_of(rows: list[Row], cursor: int) -> int:
    """Return the number of the row that the cursor is in."""
    for number, row in enumerate(rows):
        if cursor < row.end or (cursor == row.end and row.ends_line):
            return number
    return len(rows) - 1


def column_of(text: str, row: Row, cursor: int) -> int:
    """Return the cell column of the cursor within its row."""
    return cell_width(shown(text[row.start : cursor]))


def index_at(text: str, row: Row, column: int) -> int:
    """Return the index in `row` whose cell column is nearest to `column` from the left."""
    piece = text[row.start : row.end]
    used = 0
    for begin, _, cells in graphemes(piece):
        cells = _TAB if piece[begin] == "\t" else cells
        if used + cells > column:
            return row.start + begin
        used += cells
    # The end of a row that its line goes on from belongs to the next row.
    if row.ends_line or not piece:
        return row.end
    return row.start + max((begin for begin, _, _ in graphemes(piece)), default=0)
