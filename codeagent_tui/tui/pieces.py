"""A line of an instrument as data: texts with the role that says how each looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from codeagent_tui.text import cell_width, cut_cells

Piece: TypeAlias = tuple[str, str]
"""A text and its role; the widget maps roles to component classes of its stylesheet."""


def width_of(pieces: Iterable[Piece]) -> int:
    """Return the terminal columns that `pieces` take."""
    return sum(cell_width(text) for text, _ in pieces)


def cut_pieces(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """Return `pieces` cut to at most `width` columns; the last one left ends in an ellipsis when something went."""
    kept: list[Piece] = []
    left = width
    for text, role in pieces:
        cells = cell_width(text)
        if cells > left:
            shortened = cut_cells(text, left)
            if shortened:
                kept.append((shortened, role))
            break
        kept.append((text, role))
        left -= cells
    return kept


def on_both_sides(left: Sequence[Piece], right: Sequence[Piece], width: int) -> list[Piece]:
    """Return `left` at the left edge and `right` at the right one; what does not fit is cut from the left part."""
    right = cut_pieces(right, width)
    room = width - width_of(right)
    if right and room:
        room -= 1
    left = cut_pieces(left, room)
    gap = width - width_of(left) - width_of(right)
    return [*left, (" " * gap, "gap"), *right] if right else list(left)
