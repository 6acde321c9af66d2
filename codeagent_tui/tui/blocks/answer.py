"""What the model answered: Markdown that arrives in pieces, or whole from a history."""

from __future__ import annotations

from typing import ClassVar

from codeagent_tui.tui.blocks.block import Arrangement, Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, decoration
from codeagent_tui.tui.blocks.styled import Prefix, Styled, flow
from codeagent_tui.tui.blocks.text_parts import estimate_rows
from codeagent_tui.tui.markdown.sections import Section
from codeagent_tui.tui.markdown.stream import MarkdownStream

MARGIN = 2
"""Columns at the left that belong to signs and bars."""


class SectionPart(Part):
    """One section of the answer."""

    __slots__ = ("section",)

    def __init__(self, block: Block, section: Section, *, gap: bool) -> None:
        super().__init__(block, gap=gap)
        self.section = section

    def build(self, layout: Layout, width: int) -> None:
        """Render the section; the Markdown machinery is loaded by the first one that is seen."""
        from codeagent_tui.tui.markdown.render import add_section

        inner = Layout()
        add_section(inner, self.section, max(1, width - MARGIN))
        margin = decoration(" " * min(MARGIN, width - 1))
        base = len(layout.lines)
        layout.lines += inner.lines
        layout.waits_for |= inner.waits_for
        layout.rows += [row._replace(spans=(margin, *row.spans), line=row.line + base) for row in inner.rows]

    def estimate(self, width: int) -> int:
        """Count line ends and what does not fit."""
        return estimate_rows(self.section.source, width - MARGIN)


class EndPart(Part):
    """Says that the answer was cut off."""

    __slots__ = ()

    def build(self, layout: Layout, width: int) -> None:
        """Add one row."""
        margin = (decoration("  "),)
        flow(layout, Styled.plain("interrupted", "hint"), width, prefix=Prefix(margin, margin))

    def estimate(self, width: int) -> int:
        """Return 1."""
        return 1


class AnswerBlock(Block):
    """An answer: whole, or begun empty and then fed until its end."""

    kind: ClassVar[str] = "answer"
    __slots__ = ("_interrupted", "_settled", "_stream", "_texts", "_whole")

    def __init__(self, text: str = "", *, interrupted: bool = False) -> None:
        super().__init__()
        self._texts = [text] if text else []
        self._stream: MarkdownStream | None = None
        self._whole = bool(text)
        self._settled = 0
        self._interrupted = interrupted

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return not any(text.strip() for text in self._texts)

    def feed(self, text: str) -> None:
        """Add a piece."""
        self._texts.append(text)
        self._reader().feed(text)
        self.stale = True

    def end(self, *, interrupted: bool = False) -> None:
        """Say that nothing more comes."""
        self._reader().finish()
        self._interrupted = interrupted
        self.stale = True

    def _reader(self) -> MarkdownStream:
        if self._stream is None:
            self._stream = MarkdownStream()
            if self._whole:
                self._stream.feed(self._texts[0])
        return self._stream

    def arrange(self) -> Arrangement:
        """Give each section a part; those that are done keep theirs."""
        stream = self._reader()
        if self._whole:
            self._whole = False
            stream.finish()
        kept = self._settled
        sections = [*stream.done[kept:], *stream.ahead()]
        self._settled = len(stream.done)
        parts: list[Part] = []
        for place, section in enumerate(sections, kept):
            old = self.parts[place] if place < len(self.parts) else None
            gap = section.gap if place else self.gap
            if isinstance(old, SectionPart) and not parts:
                if old.section != section:
                    old.section, old.gap = section, gap
                    old.changed()
                kept = place + 1
            else:
                parts.append(SectionPart(self, section, gap=gap))
        if self._interrupted or not (kept or parts):
            parts.append(EndPart(self) if self._interrupted else WaitingPart(self))
        return Arrangement(kept, parts)

    def source(self) -> str:
        """Return the Markdown as it came."""
        if len(self._texts) > 1:
            self._texts = ["".join(self._texts)]
        return self._texts[0] if self._texts else ""

    def rough_height(self, width: int) -> int:
        """Count line ends and what does not fit."""
        return estimate_rows(self.source(), width - MARGIN)


class WaitingPart(Part):
    """Nothing yet: takes no row."""

    __slots__ = ()

    def build(self, layout: Layout, width: int) -> None:
        """Add nothing."""

    def estimate(self, width: int) -> int:
        """Return 0."""
        return 0
