"""A part of a block: the unit that is laid out, cached and counted. A long block is many parts, a short one is one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from textual.strip import Strip

from codeagent_tui.tui.blocks.rows import Layout, Row

if TYPE_CHECKING:
    from codeagent_tui.tui.blocks.block import Block
    from codeagent_tui.tui.blocks.heights import Shelf


class Part(ABC):
    """Rows that are laid out together.

    `height` is the true number of rows while `width` is the width it was laid out for; with `width` 0 it is an
    estimate. `layout` and `strips` are caches that may be dropped at any time.
    """

    __slots__ = ("_before", "block", "gap", "height", "layout", "shelf", "strips", "width")

    def __init__(self, block: Block, *, gap: bool = False) -> None:
        self.block = block
        self.gap = gap
        """Whether an empty row stands above."""
        self.height = 0
        self.width = 0
        self.layout: Layout | None = None
        self.strips: list[Strip | None] = []
        self.shelf: Shelf | None = None
        self._before: tuple[list[Row], list[Strip | None], int] = ([], [], 0)

    @abstractmethod
    def build(self, layout: Layout, width: int) -> None:
        """Add the rows at `width` columns to `layout`, the gap above not among them."""

    @abstractmethod
    def estimate(self, width: int) -> int:
        """Return about how many rows `build` would add, at little cost."""

    def guess(self, width: int) -> int:
        """Return the estimated height, the gap included."""
        return self.gap + self.estimate(width)

    def rows_at(self, width: int) -> Layout:
        """Return the layout at `width`, from the cache where it is there."""
        if self.layout is None or self.width != width:
            layout = Layout()
            if self.gap:
                layout.blank()
            self.build(layout, width)
            self.layout = layout
            self.width = width
            self.strips = self._still_good(layout.rows)
        return self.layout

    def _still_good(self, rows: list[Row]) -> list[Strip | None]:
        """Return the strips of the rows that are what they were before the change: those need not be drawn again."""
        (before, strips, width), self._before = self._before, ([], [], 0)
        if width != self.width:
            return [None] * len(rows)
        kept = [strip if row == old else None for row, old, strip in zip(rows, before, strips, strict=False)]
        return kept + [None] * (len(rows) - len(kept))

    def drop_strips(self) -> None:
        """Forget what depends on the colours."""
        self.strips = [None] * len(self.strips)
        self._before = ([], [], 0)

    def drop(self) -> None:
        """Forget the layout; the height stays what it is."""
        self.layout = None
        self.strips = []
        self._before = ([], [], 0)

    def changed(self) -> None:
        """Forget the layout because the content is another one; the height is an estimate again."""
        before = (self.layout.rows, self.strips, self.width) if self.layout is not None else self._before
        self.drop()
        self._before = before
        self.width = 0
