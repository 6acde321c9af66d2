"""Tables as rows: columns as wide as they need to be, narrower where they must, and records where even that fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from codeagent_tui.tui.blocks.rows import Layout, Row, Span, decoration
from codeagent_tui.tui.blocks.styled import NO_PREFIX, Prefix, Styled, flow
from codeagent_tui.tui.blocks.wrapping import columns, wrap_words
from codeagent_tui.tui.markdown.inline import is_plain, styled_lines
from codeagent_tui.tui.markdown.parser import parse_inline
from codeagent_tui.tui.markdown.sections import table_cells

_BETWEEN = " │ "
_NARROWEST = 5
"""Columns that a column of the table keeps; with less for each, rows become records."""
_GROUND = ("text",)
_LINE = ("faint",)


@dataclass(frozen=True, slots=True)
class Table:
    """A head, rows of as many cells, and where each column's texts stand: `left`, `center` or `right`."""

    head: tuple[Styled, ...]
    rows: tuple[tuple[Styled, ...], ...]
    sides: tuple[str, ...]


def read_table(source: str) -> Table:
    """Return the table that the lines of `source` write: a head, the line of dashes, and rows."""
    head, dashes, *rows = source.split("\n")
    names = table_cells(head)
    sides = tuple(_side(cell) for cell in table_cells(dashes))
    body = tuple(_row(line, len(names)) for line in rows if line.strip())
    return Table(tuple(cell_text(name) for name in names), body, sides)


@lru_cache(maxsize=1024)
def _row(line: str, count: int) -> tuple[Styled, ...]:
    cells = table_cells(line)[:count]
    return tuple(cell_text(cell) for cell in cells + [""] * (count - len(cells)))


@lru_cache(maxsize=1024)
def cell_text(source: str) -> Styled:
    """Return a cell's inline Markdown as one line."""
    if is_plain(source):
        return Styled.plain(source)
    tokens = parse_inline(source)
    return styled_lines(tokens)[0] if tokens else Styled.plain(source)


def _side(dashes: str) -> str:
    if dashes.endswith(":"):
        return "center" if dashes.startswith(":") else "right"
    return "left"


def add_table(layout: Layout, table: Table, width: int, prefix: Prefix = NO_PREFIX, *, head: bool = True) -> None:
    """Add `table`; without `head` only its rows, which then go on where others stopped."""
    room = width - prefix.width
    widths = fitted([*zip(*([table.head, *table.rows]), strict=True)], room - len(_BETWEEN) * (len(table.head) - 1))
    if widths is None:
        _add_records(layout, table, width, prefix)
        return
    before = prefix.first
    if head:
        for row in _aligned(layout, table.head, widths, table.sides, "strong"):
            layout.rows.append(row._replace(spans=before + row.spans))
            before = prefix.rest
        rule = "─┼─".join("─" * columns_ for columns_ in widths)
        layout.rows.append(Row((*before, decoration(rule, *_LINE)), len(layout.lines) - 1))
    for cells in table.rows:
        for row in _aligned(layout, cells, widths, table.sides, ""):
            layout.rows.append(row._replace(spans=before + row.spans))
            before = prefix.rest


def fitted(cells: Sequence[Sequence[Styled]], room: int) -> list[int] | None:
    """Return the width of each column of `cells` (given by column) within `room`; None when that is too narrow.

    The widest columns give way first, all to the same width.
    """
    wanted = [max(max(columns(cell.text) for cell in column), 1) for column in cells]
    if sum(wanted) <= room:
        return wanted
    if room < _NARROWEST * len(wanted):
        return None
    left, open_columns = room, len(wanted)
    limit = 0
    for width in sorted(wanted):
        limit = left // open_columns
        if width > limit:
            break
        left -= width
        open_columns -= 1
    widths = [min(width, limit) for width in wanted]
    spare = room - sum(widths)
    for index, width in enumerate(wanted):
        if spare > 0 and width > widths[index]:
            widths[index] += 1
            spare -= 1
    return widths


def _aligned(
    layout: Layout, cells: Sequence[Styled], widths: Sequence[int], sides: Sequence[str], role: str
) -> Iterator[Row]:
    """Yield the rows of one row of the table; its line is its cells with bars between them."""
    layout.lines.append(" | ".join(cell.text for cell in cells))
    number = len(layout.lines) - 1
    ground = (*_GROUND, role) if role else _GROUND
    extents = [wrap_words(cell.text, width) for cell, width in zip(cells, widths, strict=True)]
    for index in range(max(map(len, extents))):
        spans: list[Span] = []
        at = 0
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            if place:
                spans.append(decoration(_BETWEEN, *_LINE))
            shown = extents[place][index] if index < len(extents[place]) else (0, 0)
            pieces = [span._replace(at=span.at + at) for span in cell.spans(*shown, ground)]
            spans += _at_side(pieces, width - columns(cell.text[slice(*shown)]), sides[place])
            at += len(cell.text) + 3
        yield Row(tuple(spans), number)


def _at_side(pieces: list[Span], blank: int, side: str) -> list[Span]:
    before = blank if side == "right" else blank // 2 if side == "center" else 0
    left = [decoration(" " * before)] if before > 0 else []
    right = [decoration(" " * (blank - before))] if blank > before else []
    return [*left, *pieces, *right]


def _add_records(layout: Layout, table: Table, width: int, prefix: Prefix) -> None:
    """Add each row as lines of `name: value`."""
    before = prefix
    for index, cells in enumerate(table.rows or (tuple(Styled.plain("") for _ in table.head),)):
        if index:
            layout.blank()
        for name, cell in zip(table.head, cells, strict=True):
            title = Styled.plain(f"{name.text}: ", "strong")
            runs = (*title.runs, *(run._replace(end=run.end + len(title.text)) for run in cell.runs))
            flow(layout, Styled(title.text + cell.text, runs), width, prefix=before, ground=_GROUND)
            before = Prefix(prefix.rest, prefix.rest)
