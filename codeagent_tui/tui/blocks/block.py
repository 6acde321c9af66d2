"""A block of the transcript: one thing that was said or done. It holds its source and makes parts of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout


class Arrangement(NamedTuple):
    """How the parts of a block change: the first `kept` stay, `parts` come after them, all others go."""

    kept: int
    parts: list[Part]


class Block(ABC):
    """One entry. `number` counts upwards in the order of the transcript; `parts` is what stands in the index."""

    close_to: ClassVar[frozenset[str]] = frozenset()
    """Kinds of block that this one may stand under without an empty row."""
    kind: ClassVar[str] = ""

    __slots__ = ("folded", "gap", "id", "number", "parts", "stale")

    def __init__(self) -> None:
        self.id = ""
        self.number = 0
        self.gap = True
        self.parts: list[Part] = []
        self.folded = False
        self.stale = True
        """Whether `arrange` has to be called before the block is shown."""

    @abstractmethod
    def arrange(self) -> Arrangement:
        """Return the parts that the block consists of now. There is always at least one."""

    @abstractmethod
    def source(self) -> str:
        """Return what copying the whole block gives."""

    @abstractmethod
    def rough_height(self, width: int) -> int:
        """Return about how many rows the block takes, at little cost."""

    @property
    def foldable(self) -> bool:
        """Whether there is more to it than what is shown folded."""
        return False

    def fold(self, folded: bool) -> None:
        """Fold or unfold."""
        if self.foldable and folded != self.folded:
            self.folded = folded
            self.stale = True


class UnseenPart(Part):
    """Stands for a whole block that nobody has looked at yet."""

    __slots__ = ()

    def build(self, layout: Layout, width: int) -> None:
        """Add one empty row: the block is arranged before it is ever shown."""
        layout.blank()

    def estimate(self, width: int) -> int:
        """Return the block's rough height."""
        return self.block.gap + self.block.rough_height(width)
