"""The row that says how much is folded away, and how to see it."""

from __future__ import annotations

from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, Roles, Row, decoration
from codeagent_tui.tui.blocks.styled import NO_PREFIX, Prefix


class MorePart(Part):
    """`… 120 lines more, enter or click to open`, or how to fold again."""

    __slots__ = ("_amount", "_ground", "_prefix")

    def __init__(self, block: Block, amount: str, *, ground: Roles = (), prefix: Prefix = NO_PREFIX) -> None:
        super().__init__(block)
        self._amount = amount
        self._ground = ground
        self._prefix = prefix

    def build(self, layout: Layout, width: int) -> None:
        """Add one row, which is no source."""
        text = f"… {self._amount} more, enter or click to open" if self.block.folded else "enter or click to fold"
        layout.lines.append("")
        spans = (*self._prefix.rest, decoration(text, *self._ground, "hint"))
        layout.rows.append(Row(spans, len(layout.lines) - 1, self._ground))

    def estimate(self, width: int) -> int:
        """Return 1."""
        return 1
