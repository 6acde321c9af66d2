"""One row of the draft as data: its texts in roles, with the cursor and the selection in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from codeagent_tui.tui.editing.buffer import ComposerBuffer
from codeagent_tui.tui.editing.clusters import next_boundary
from codeagent_tui.tui.editing.rows import Layout
from codeagent_tui.tui.pieces import Piece

CURSOR = "cursor"
SELECTED = "selected"
LABEL = "label"
TEXT = "text"


def row_pieces(layout: Layout, buffer: ComposerBuffer, row: int, *, cursor: bool) -> tuple[Piece, ...]:
    """Return what `row` shows, without its margin; with `cursor` the place of the next text is marked."""
    shown = layout.shown(row)
    roles: list[tuple[int, int, str]] = [(*span, LABEL) for span in layout.labels_in(row)]
    if buffer.selection is not None:
        roles.append((*layout.shown_span(row, *buffer.selection), SELECTED))
    place = layout.place(buffer.cursor) if cursor else None
    tail = False
    if place is not None and place.row == row and place.column >= 0:
        start, end = layout.shown_span(row, buffer.cursor, next_boundary(buffer.text, buffer.cursor))
        tail = start == end
        roles.append((start, end, CURSOR))
    pieces = tuple((shown[start:end].replace("\u00a0", " "), role) for start, end, role in _parts(len(shown), roles))
    return (*pieces, (" ", CURSOR)) if tail else pieces


def _parts(length: int, roles: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Cut `0..length` at the edges of `roles`; where several cover a part the last one counts."""
    edges = sorted({0, length, *(edge for start, end, _ in roles for edge in (start, end))})
    for start, end in pairwise(edges):
        role = next((role for low, high, role in reversed(roles) if low <= start and end <= high), TEXT)
        yield start, end, role
