"""The model's thinking: its newest lines while it goes on, one row when it is done."""

from __future__ import annotations

import time
from typing import ClassVar

from codeagent_tui.text import clean_text
from codeagent_tui.tui.blocks.answer import MARGIN
from codeagent_tui.tui.blocks.block import Arrangement, Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, decoration
from codeagent_tui.tui.blocks.styled import Prefix, Styled, flow
from codeagent_tui.tui.blocks.text_parts import TextPart, pieces_of
from codeagent_tui.tui.blocks.title import TitlePart
from codeagent_tui.tui.markdown.stream import CleanStream

_GROUND = ("reasoning",)
_MARGIN = (decoration(" " * MARGIN),)
_LIVE_ROWS = 4
_LIVE_CHARACTERS = 1_200
"""What is looked at for the newest rows: enough for four of 200 columns."""


class ReasoningBlock(Block):
    """Thinking that arrives in pieces, or a whole text that is read as little; folded when it is over."""

    kind: ClassVar[str] = "reasoning"
    __slots__ = ("_began", "_clean", "_newest", "_pieces", "_seconds", "_what", "running")

    def __init__(self, text: str = "", *, what: str = "thought") -> None:
        super().__init__()
        self._clean = CleanStream()
        self._pieces: list[str] = [text] if text else []
        self._newest = ""
        self._what = what
        self._began = time.monotonic()
        self._seconds = 0.0
        self.running = not text
        self.folded = bool(text)

    def feed(self, text: str) -> None:
        """Add a piece."""
        clean = self._clean.feed(text)
        self._pieces.append(clean)
        self._newest = (self._newest + clean)[-_LIVE_CHARACTERS:]
        self.stale = True

    def end(self) -> None:
        """Say that nothing more comes."""
        if self.running:
            self._pieces.append(self._clean.finish())
            self._newest = ""
            self._seconds = time.monotonic() - self._began
            self.running = False
            self.folded = True
            self.stale = True

    @property
    def foldable(self) -> bool:
        """Whether it is over."""
        return not self.running

    def arrange(self) -> Arrangement:
        """Show the title; under it the newest rows, nothing, or everything."""
        title = self.parts[0] if self.parts and isinstance(self.parts[0], TitlePart) else None
        kept = 1 if title is not None else 0
        title = title or TitlePart(self, gap=self.gap)
        sign = decoration("▸ " if self.folded else "▾ ", *_GROUND, "sign")
        title.say(sign, Styled.plain(""), (decoration(self._says(), *_GROUND),))
        body: list[Part] = []
        if self.running:
            newest = self.parts[1] if len(self.parts) == 2 else None
            if isinstance(newest, NewestPart):
                newest.say(self._newest)
                return Arrangement(2, [])
            newest = NewestPart(self)
            newest.say(self._newest)
            body.append(newest)
        elif not self.folded:
            prefix = Prefix(_MARGIN, _MARGIN)
            body += [TextPart(self, piece, ground=_GROUND, prefix=prefix) for piece in pieces_of(self.source().strip())]
        return Arrangement(kept, body if kept else [title, *body])

    def _says(self) -> str:
        if self.running:
            return "thinking"
        lines = self.source().strip().count("\n") + 1
        spent = f"thought for {self._seconds:.0f} s" if self._seconds >= 1 else self._what
        return f"{spent}, {lines:,} {'line' if lines == 1 else 'lines'}"

    def source(self) -> str:
        """Return the text."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return clean_text(self._pieces[0]) if self._pieces else ""

    def rough_height(self, width: int) -> int:
        """Return 1: it is folded."""
        return 1


class NewestPart(Part):
    """The last rows of thinking that goes on."""

    __slots__ = ("_text",)

    def __init__(self, block: Block) -> None:
        super().__init__(block)
        self._text = ""

    def say(self, text: str) -> None:
        """Set the end of the thinking."""
        self._text = text.strip("\n")
        self.changed()

    def build(self, layout: Layout, width: int) -> None:
        """Add the last rows at this width."""
        if not self._text:
            return
        prefix = Prefix(_MARGIN, _MARGIN)
        for line in self._text.split("\n")[-_LIVE_ROWS:]:
            flow(layout, Styled.plain(line), width, prefix=prefix, ground=_GROUND)
        del layout.rows[:-_LIVE_ROWS]

    def estimate(self, width: int) -> int:
        """Return the most there can be."""
        return _LIVE_ROWS
