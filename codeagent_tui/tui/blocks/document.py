"""The blocks of the transcript in order, and the heights of their parts at the present width."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from codeagent_tui.tui.blocks.block import Block, UnseenPart
from codeagent_tui.tui.blocks.heights import HeightIndex
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout

_CACHED_ROWS = 1_500
"""Rows whose layout is kept (about 3 KB each, drawn). Those seen longest ago go first."""


class Document:
    """Blocks, their parts in an index of heights, and the layouts of those that were seen lately.

    Heights are estimates until a part is measured; `measure` corrects them one by one. Without a width (0) nothing
    can be measured.
    """

    def __init__(self) -> None:
        self.index = HeightIndex()
        self.width = 0
        self._blocks: dict[str, Block] = {}
        self._numbers: dict[int, Block] = {}
        self._count = 0
        self._laid_out: OrderedDict[Part, int] = OrderedDict()
        self._rows_kept = 0

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks.values())

    def __reversed__(self) -> Iterator[Block]:
        return reversed(self._blocks.values())

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def last(self) -> Block | None:
        """The block added last."""
        return next(reversed(self._blocks.values()), None)

    def get(self, block_id: str) -> Block | None:
        """Return the block of that id."""
        return self._blocks.get(block_id)

    def neighbour(self, block: Block, step: int) -> Block | None:
        """Return the block under `block` (`step` 1) or over it (-1)."""
        number = block.number + step
        while 0 < number <= self._count:
            if number in self._numbers:
                return self._numbers[number]
            number += step
        return None

    @staticmethod
    def is_unseen(block: Block) -> bool:
        """Whether nobody has looked at `block` yet."""
        return bool(block.parts) and isinstance(block.parts[0], UnseenPart)

    def add(self, block: Block) -> None:
        """Put `block` at the end and give it its id."""
        self._register(block)
        block.parts = block.arrange().parts
        block.stale = False
        self._append_parts(block)

    def add_unseen(self, block: Block) -> None:
        """Put `block` at the end at next to no cost: it is arranged when somebody looks at it."""
        self._register(block)
        block.parts = [UnseenPart(block)]
        block.stale = True
        self._append_parts(block)

    def _register(self, block: Block) -> None:
        above = self.last
        block.gap = above is not None and above.kind not in block.close_to
        self._count += 1
        block.number = self._count
        block.id = f"block-{self._count}"
        self._blocks[block.id] = block
        self._numbers[block.number] = block

    def _append_parts(self, block: Block) -> None:
        for part in block.parts:
            part.height = part.guess(self.width)
            self.index.append(part)

    def remove(self, block: Block) -> None:
        """Take `block` out."""
        del self._blocks[block.id], self._numbers[block.number]
        for part in block.parts:
            self._forget(part)
            self.index.remove(part)
        block.parts = []

    def clear(self) -> None:
        """Take everything out."""
        self.index.clear()
        for block in self:
            block.parts = []  # parts know their block: without this only the garbage collector would free both
        self._blocks.clear()
        self._numbers.clear()
        self._laid_out.clear()
        self._rows_kept = 0

    def sync(self, block: Block) -> None:
        """Bring the index up to date with a block that changed."""
        if not block.stale:
            return
        kept, parts = block.arrange()
        block.stale = False
        gone = block.parts[kept:]
        above = block.parts[kept - 1] if kept else None
        for part in parts:
            part.height = part.guess(self.width)
            if above is None:
                self.index.insert_before(gone[0], part)
            else:
                self.index.insert_after(above, part)
            above = part
        for part in gone:
            self._forget(part)
            self.index.remove(part)
        block.parts[kept:] = parts

    def measure(self, part: Part) -> bool:
        """Lay `part` out and correct its height; False when its block was rearranged instead: look at it anew.

        That happens to blocks that changed, and to those added unseen: they are one part until somebody looks at them.
        """
        if part.block.stale:
            self.sync(part.block)
            return False
        if part.layout is None or part.width != self.width:
            self._forget(part)
            rows = len(part.rows_at(self.width).rows)
            self.index.resize(part, rows)
            self._laid_out[part] = rows
            self._rows_kept += rows
        else:
            self._laid_out.move_to_end(part)
        return True

    def layout_of(self, part: Part) -> Layout:
        """Return the layout of a part that is in the index."""
        if part.layout is None or part.width != self.width:
            self.measure(part)
        return part.rows_at(self.width)

    def _forget(self, part: Part) -> None:
        self._rows_kept -= self._laid_out.pop(part, 0)

    def trim(self, needed: int) -> None:
        """Drop the layouts that were not seen for longest, but keep at least `needed` rows."""
        most = max(_CACHED_ROWS, needed)
        while self._rows_kept > most and len(self._laid_out) > 1:
            part, rows = self._laid_out.popitem(last=False)
            self._rows_kept -= rows
            part.drop()

    def set_width(self, width: int) -> None:
        """Take another width: every height becomes an estimate, every layout goes."""
        if width == self.width:
            return
        self.width = width
        for part in self._laid_out:
            part.drop()
        self._laid_out.clear()
        self._rows_kept = 0
        self.index.resize_all(part.guess(width) for part in self.index)

    def laid_out(self) -> Iterable[Part]:
        """Return the parts that have a layout."""
        return self._laid_out
