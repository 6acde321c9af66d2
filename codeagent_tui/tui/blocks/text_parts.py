"""Plain text as parts: cut into pieces that are cheap to lay out, however long the text is."""

from __future__ import annotations

from collections.abc import Iterator

from codeagent_tui.text import grapheme_floor
from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, Roles
from codeagent_tui.tui.blocks.styled import NO_PREFIX, Prefix, Styled, flow

LINES = 64
CHARACTERS = 16_384
"""The most that one part holds: laying it out stays well under a frame of 16 ms."""


def pieces_of(text: str) -> Iterator[str]:
    """Yield `text` in pieces of at most `LINES` lines and about `CHARACTERS` characters, cut at line ends if possible.

    Joined with line ends they are the text again, but for those put into a line that is too long for one piece.
    """
    lines: list[str] = []
    size = 0
    for line in text.split("\n"):
        while len(line) > CHARACTERS:
            cut = grapheme_floor(line, CHARACTERS) or CHARACTERS
            if lines:
                yield "\n".join(lines)
                lines, size = [], 0
            yield line[:cut]
            line = line[cut:]
        if lines and (len(lines) >= LINES or size + len(line) > CHARACTERS):
            yield "\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    yield "\n".join(lines)


class TextPart(Part):
    """Lines of plain text in one look, behind one prefix."""

    __slots__ = ("_ground", "_prefix", "_text", "_words")

    def __init__(
        self,
        block: Block,
        text: str,
        *,
        ground: Roles,
        prefix: Prefix = NO_PREFIX,
        gap: bool = False,
        words: bool = True,
    ) -> None:
        super().__init__(block, gap=gap)
        self._text = text
        self._ground = ground
        self._prefix = prefix
        self._words = words

    def build(self, layout: Layout, width: int) -> None:
        """Add each line, wrapped; the first row alone has the first prefix."""
        prefix = self._prefix
        for line in self._text.split("\n"):
            flow(layout, Styled.plain(line), width, prefix=prefix, ground=self._ground, words=self._words)
            prefix = Prefix(prefix.rest, prefix.rest)

    def estimate(self, width: int) -> int:
        """Count the line ends and what does not fit."""
        return estimate_rows(self._text, width - self._prefix.width)


def estimate_rows(text: str, width: int) -> int:
    """Return about how many rows `text` takes."""
    return text.count("\n") + 1 + len(text) // max(8, width)
