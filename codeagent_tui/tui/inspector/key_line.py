"""The inspector's bottom line: what the keys do for what has the focus; two rows where one is too narrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.geometry import Size

from codeagent_tui.text import cell_width
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece, cut_pieces

Hint = tuple[str, str]
"""A key as people write it, and what it does in a word."""
_GAP = 2
_MOST_ROWS = 2


def hint_rows(hints: Sequence[Hint], width: int) -> list[list[Piece]]:
    """Return the rows that whole `hints` take at `width`; what does not fit in two rows is left out."""
    rows: list[list[Piece]] = [[]]
    used = 0
    for key, word in hints:
        cells = cell_width(f"{key} {word}")
        if used and used + _GAP + cells > width:
            if len(rows) == _MOST_ROWS:
                continue
            rows.append([])
            used = 0
        if used:
            rows[-1].append((" " * _GAP, "word"))
            used += _GAP
        rows[-1] += [(key, "key"), (f" {word}", "word")]
        used += cells
    return rows


class KeyLine(Instrument):
    """Shows hints."""

    PREFIX = "keys"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys--key", "keys--word"}

    def __init__(self) -> None:
        super().__init__(id="inspector-keys")
        self._hints: Sequence[Hint] = ()

    def show(self, hints: Sequence[Hint]) -> None:
        """Show `hints`, the most useful first."""
        if tuple(hints) != self._hints:
            self._hints = tuple(hints)
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return one row or two."""
        return len(hint_rows(self._hints, width))

    def line_pieces(self, y: int, width: int) -> list[Piece]:
        """Return a row."""
        rows = hint_rows(self._hints, width)
        return cut_pieces(rows[y], width) if y < len(rows) else []
