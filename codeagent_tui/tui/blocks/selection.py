"""Places in the transcript as Textual's selection knows them: two whole numbers, in reading order.

The second number holds block, part and line; places stay right while text arrives below or is measured above.
"""

from __future__ import annotations

from typing import NamedTuple

from textual.geometry import Offset
from textual.selection import Selection

from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.document import Document
from codeagent_tui.tui.blocks.part import Part

_BITS = 20
_MASK = (1 << _BITS) - 1


class Place(NamedTuple):
    """A line: its block's number, the part's place in the block, the line's number in the part."""

    block: int
    part: int
    line: int

    @classmethod
    def of(cls, part: Part, line: int) -> Place:
        """Return the place of a line of `part`."""
        return cls(part.block.number, part.block.parts.index(part), line)

    @classmethod
    def from_y(cls, y: int) -> Place:
        """Return the place that `y` stands for."""
        return cls(y >> 2 * _BITS, y >> _BITS & _MASK, y & _MASK)

    @property
    def y(self) -> int:
        """The place as one number; numbers are in reading order."""
        return (self.block << 2 * _BITS) + (self.part << _BITS) + self.line


def selected_text(document: Document, selection: Selection) -> str:
    """Return the source of what is selected: lines without the breaks and the padding of the screen.

    Blocks that are selected from before their beginning to after their end give their whole source, as Markdown where
    it is Markdown; the first and the last block give the lines that are seen.
    """
    first = Place.from_y(selection.start.y) if selection.start is not None else None
    last = Place.from_y(selection.end.y) if selection.end is not None else None
    pieces: list[str] = []
    for block in document:
        if (first is not None and block.number < first.block) or (last is not None and block.number > last.block):
            continue
        begins = selection.start if first is not None and block.number == first.block else None
        ends = selection.end if last is not None and block.number == last.block else None
        if begins is None and ends is None:
            pieces.append(block.source())
        else:
            pieces.append(_lines_between(document, block, begins, ends))
    return "\n\n".join(piece.strip("\n") for piece in pieces)


def _lines_between(document: Document, block: Block, begins: Offset | None, ends: Offset | None) -> str:
    if block.stale:
        document.sync(block)
    first = Place.from_y(begins.y) if begins is not None else Place(block.number, 0, 0)
    last = Place.from_y(ends.y) if ends is not None else Place(block.number, len(block.parts), 0)
    lines: list[str] = []
    for number, part in enumerate(list(block.parts)):
        if not first.part <= number <= last.part:
            continue
        for line, text in enumerate(document.layout_of(part).lines):
            place = Place(block.number, number, line)
            if place < first or place > last:
                continue
            if ends is not None and place == last:
                text = text[: max(0, ends.x)]
            if begins is not None and place == first:
                text = text[max(0, begins.x) :]
            lines.append(text)
    return "\n".join(lines)
