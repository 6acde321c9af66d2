"""Draws the composer's rows: completions above, the draft below, each as a strip of segments."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from codeagent_tui.text import cell_width, clean_text, cut_cells
from codeagent_tui.tui.completion import Candidate
from codeagent_tui.tui.composer_layout import Row, shown

SIGN_CELLS = 2
StyleOf = Callable[[str], Style]


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands out in the text: the cursor (None without focus), the selection, the placeholders' spans."""

    cursor: int | None
    selection: tuple[int, int] | None
    atoms: Sequence[tuple[int, int]]


def text_strip(text: str, row: Row, sign: str, marks: Marks, style: StyleOf, width: int) -> Strip:
    """Return one row of the draft with its sign before it."""
    segments = [Segment(sign.ljust(SIGN_CELLS), style("sign"))]
    edges = {row.start, row.end}
    for start, end in (*marks.atoms, *((marks.selection,) if marks.selection else ())):
        edges |= {index for index in (start, end) if row.start < index < row.end}
    ordered = sorted(edges)
    for start, end in itertools.pairwise(ordered):
        segments.append(Segment(shown(text[start:end]), style(_kind(start, marks))))
    strip = Strip(segments)
    if marks.cursor is not None:
        strip = _with_cursor(
            strip, SIGN_CELLS + cell_width(shown(text[row.start : marks.cursor])), text, row, marks, style
        )
    return strip.adjust_cell_length(width, style("text"))


def _kind(index: int, marks: Marks) -> str:
    if marks.selection and marks.selection[0] <= index < marks.selection[1]:
        return "selection"
    return "atom" if any(start <= index < end for start, end in marks.atoms) else "text"


def _with_cursor(strip: Strip, column: int, text: str, row: Row, marks: Marks, style: StyleOf) -> Strip:
    """Draw the grapheme under the cursor in the cursor's style."""
    length = strip.cell_length
    if column >= length:
        return Strip([*strip, Segment(" ", style("cursor"))])
    at = marks.cursor or 0
    wide = max(1, cell_width(shown(text[at : at + 1])))
    # A grapheme of several code points: its cells are found by growing until the next one would begin.
    before, under, after = strip.divide([column, min(length, column + wide), length])
    return Strip.join([before, under.apply_style(style("cursor")), after])


def placeholder_strip(sign: str, words: str, focused: bool, style: StyleOf, width: int) -> Strip:
    """Return the row of an empty draft."""
    segments = [Segment(sign.ljust(SIGN_CELLS), style("sign"))]
    rest = cut_cells(words, max(0, width - SIGN_CELLS - 1))
    if focused:
        segments.append(Segment(rest[:1] or " ", style("cursor")))
        rest = rest[1:]
    segments.append(Segment(rest, style("placeholder")))
    return Strip(segments).adjust_cell_length(width, style("text"))


def candidate_strip(candidate: Candidate, chosen: bool, label_cells: int, style: StyleOf, width: int) -> Strip:
    """Return one row of the completion list; the chosen one is marked by a sign as well."""
    name = "chosen" if chosen else "candidate"
    label = cut_cells(clean_text(candidate.label), max(1, width - SIGN_CELLS))
    label += " " * max(0, min(label_cells, width - SIGN_CELLS) - cell_width(label))
    segments = [Segment("▸ " if chosen else "  ", style(name)), Segment(label, style(name))]
    room = width - SIGN_CELLS - cell_width(label) - 2
    if candidate.note and room > 8:
        segments.append(Segment("  " + cut_cells(clean_text(candidate.note), room), style("note")))
    return Strip(segments).adjust_cell_length(width, style(name))
