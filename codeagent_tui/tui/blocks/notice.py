"""Notices and dividers: what the program itself says between the messages."""

from __future__ import annotations

from typing import ClassVar

from codeagent_tui.text import clean_text, cut_cells, one_line
from codeagent_tui.tui.blocks.block import Arrangement, Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, Row, decoration
from codeagent_tui.tui.blocks.styled import Prefix
from codeagent_tui.tui.blocks.text_parts import TextPart, estimate_rows, pieces_of
from codeagent_tui.tui.blocks.wrapping import columns

_SIGNS = {"info": "i ", "warning": "! ", "error": "✗ "}


class NoticeBlock(Block):
    """Something that the user should know; `level` is info, warning or error."""

    kind: ClassVar[str] = "notice"
    close_to: ClassVar[frozenset[str]] = frozenset({"notice"})
    __slots__ = ("_level", "_text")

    def __init__(self, level: str, text: str) -> None:
        super().__init__()
        self._level = level if level in _SIGNS else "info"
        self._text = text

    def arrange(self) -> Arrangement:
        """Put the sign before the first row."""
        role = f"notice-{self._level}"
        first = (decoration(_SIGNS[self._level], role, "sign"),)
        rest = (decoration("  "),)
        parts: list[Part] = []
        for piece in pieces_of(clean_text(self._text).strip("\n")):
            prefix = Prefix(rest if parts else first, rest)
            parts.append(TextPart(self, piece, ground=(role,), prefix=prefix, gap=self.gap and not parts))
        return Arrangement(0, parts)

    def source(self) -> str:
        """Return the text."""
        return clean_text(self._text)

    def rough_height(self, width: int) -> int:
        """Count line ends and what does not fit."""
        return estimate_rows(self._text, width - 2)


class RuleBlock(Block):
    """A thin divider with words in it, for example where a compaction took place."""

    kind: ClassVar[str] = "rule"
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = one_line(text)

    def arrange(self) -> Arrangement:
        """Show one row."""
        return Arrangement(0, [RulePart(self, gap=self.gap)])

    def source(self) -> str:
        """Return the words."""
        return self.text

    def rough_height(self, width: int) -> int:
        """Return 1."""
        return 1


class RulePart(Part):
    """The divider's row."""

    __slots__ = ()

    def build(self, layout: Layout, width: int) -> None:
        """Add the words between two lines that fill the width."""
        words = cut_cells(self.block.source(), max(1, width - 4)) if width > 8 else ""
        layout.lines.append(words)
        number = len(layout.lines) - 1
        right = width - columns(words) - 4
        spans = (
            decoration("── ", "faint"),
            decoration(words, "hint")._replace(at=0, size=len(words)),
            decoration(" " + "─" * max(0, right), "faint"),
        )
        layout.rows.append(Row(spans if words else (decoration("─" * width, "faint"),), number))

    def estimate(self, width: int) -> int:
        """Return 1."""
        return 1
