"""What the user said, as it was typed."""

from __future__ import annotations

from typing import ClassVar

from codeagent_tui.text import clean_text
from codeagent_tui.tui.blocks.block import Arrangement, Block
from codeagent_tui.tui.blocks.more import MorePart
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import decoration
from codeagent_tui.tui.blocks.styled import Prefix
from codeagent_tui.tui.blocks.text_parts import TextPart, estimate_rows, pieces_of

_GROUND = ("user",)
_BAR = (decoration("▌ ", "user", "user-bar"),)
_SHOWN = 16
"""Lines of a long message that are shown while it is folded."""
_SHOWN_CHARACTERS = 4_000


class UserBlock(Block):
    """A message of the user's; a long one (a paste) is folded."""

    kind: ClassVar[str] = "user"
    __slots__ = ("_queued", "_text")

    def __init__(self, text: str, *, queued: bool = False) -> None:
        super().__init__()
        self._text = text
        self._queued = queued
        self.folded = True

    @property
    def foldable(self) -> bool:
        """Whether it is long."""
        return len(self._text) > _SHOWN_CHARACTERS or self._text.count("\n") > _SHOWN + 4

    def arrange(self) -> Arrangement:
        """Show the beginning when folded, everything in pieces otherwise."""
        text = clean_text(self._text).strip("\n")
        prefix = Prefix(_BAR, _BAR)
        shown = text
        if self.foldable and self.folded:
            shown = "\n".join(text[:_SHOWN_CHARACTERS].split("\n")[:_SHOWN])
        if self._queued:
            shown += "\n(waits for the running turn)"
        parts: list[Part] = [TextPart(self, piece, ground=_GROUND, prefix=prefix) for piece in pieces_of(shown)]
        parts[0].gap = self.gap
        if self.foldable:
            hidden = text.count("\n") - shown.count("\n")
            size = len(text) - len(shown)
            amount = f"{hidden:,} lines" if hidden else f"{size:,} characters"
            parts.append(MorePart(self, amount, ground=_GROUND, prefix=prefix))
        return Arrangement(0, parts)

    def source(self) -> str:
        """Return the message."""
        return clean_text(self._text)

    def rough_height(self, width: int) -> int:
        """Count line ends and what does not fit."""
        return min(estimate_rows(self._text, width - 2), _SHOWN + 4)
