"""A line of text with the roles of its stretches, and how it flows into rows behind a prefix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from codeagent_tui.tui.blocks.rows import TAB, Layout, Roles, Row, Span
from codeagent_tui.tui.blocks.wrapping import columns, wrap_anywhere, wrap_words


class Run(NamedTuple):
    """A stretch of a line in one look; `end` is where it stops."""

    end: int
    roles: Roles = ()
    link: str = ""


class Styled(NamedTuple):
    """A line and its runs in order; they cover it without gaps."""

    text: str
    runs: tuple[Run, ...]

    @classmethod
    def plain(cls, text: str, *roles: str) -> Styled:
        """Return `text` in one look."""
        return cls(text, (Run(len(text), roles),))

    def spans(self, begin: int, end: int, ground: Roles = ()) -> Iterator[Span]:
        """Yield the spans of a stretch, each run's roles laid over `ground`; tabs become spans of their own."""
        start = 0
        for run in self.runs:
            first, last = max(start, begin), min(run.end, end)
            start = run.end
            if first < last:
                text = self.text[first:last]
                roles = ground + run.roles
                if "\t" in text:
                    yield from _with_tabs(text, roles, first, run.link)
                else:
                    yield Span(text, roles, first, last - first, run.link)
            if start >= end:
                return


def _with_tabs(text: str, roles: Roles, at: int, link: str) -> Iterator[Span]:
    for index, piece in enumerate(text.split("\t")):
        if index:
            yield Span(" " * TAB, roles, at, 1, link)
            at += 1
        if piece:
            yield Span(piece, roles, at, len(piece), link)
            at += len(piece)


class Prefix(NamedTuple):
    """What stands before the first row of a text and before the others: bullets, bars, indents."""

    first: tuple[Span, ...] = ()
    rest: tuple[Span, ...] = ()

    @property
    def width(self) -> int:
        """Columns of the wider of the two."""
        return max(sum(columns(span.text) for span in spans) for spans in self)


NO_PREFIX = Prefix()


def flow(
    layout: Layout,
    line: Styled,
    width: int,
    *,
    prefix: Prefix = NO_PREFIX,
    ground: Roles = (),
    words: bool = True,
    begin: int = 0,
) -> None:
    """Add `line` to `layout`, wrapped to `width` columns, prefix included; what is before `begin` is not shown.

    `ground` lies under the roles of the line and fills the rows to their end.
    """
    layout.lines.append(line.text)
    number = len(layout.lines) - 1
    room = max(1, width - prefix.width)
    text = line.text[begin:] if begin else line.text
    before = prefix.first
    for start, end in wrap_words(text, room) if words else wrap_anywhere(text, room):
        spans = tuple(line.spans(begin + start, begin + end, ground))
        layout.rows.append(Row(before + spans if before else spans, number, ground))
        before = prefix.rest
