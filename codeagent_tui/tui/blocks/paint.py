"""Rows as strips: for the terminal, with a selection on top, and for finding out what the mouse points at."""

from __future__ import annotations

from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from codeagent_tui.text import cell_width, graphemes
from codeagent_tui.tui.blocks.look import Look
from codeagent_tui.tui.blocks.rows import Row, Span


def paint(row: Row, width: int, look: Look) -> Strip:
    """Return `row` as a strip of exactly `width` columns.

    Every segment costs the terminal some forty bytes of colours: what can share one does, blanks above all.
    """
    segments: list[Segment] = []
    texts: list[str] = []
    ground = style = look.style(row.ground)
    used = 0
    only_blanks = True
    for text, roles, _, _, link in row.spans:
        used += cell_width(text)
        own = look.linked(roles, link) if link else look.style(roles)
        blank = text.isspace()
        if own is not style:
            if only_blanks and _blanks_alike(own, style):
                style = own
            elif not (blank and _blanks_alike(own, style)):
                segments.append(Segment("".join(texts), style))
                texts, style, only_blanks = [], own, True
        texts.append(text)
        only_blanks = only_blanks and blank
    if used < width and _blanks_alike(ground, style):
        texts.append(" " * (width - used))
        used = width
    segments.append(Segment("".join(texts), style))
    return _of_width(segments, used, width, ground)


def _blanks_alike(one: Style, other: Style) -> bool:
    """Whether a blank looks the same in both styles."""
    return one is other or (
        one.bgcolor == other.bgcolor
        and not (one.underline or one.strike or one.reverse or one.link)
        and not (other.underline or other.strike or other.reverse or other.link)
    )


def paint_selected(row: Row, width: int, look: Look, begin: int, end: int, selected: Style) -> Strip:
    """Return `row` with the characters `begin` to `end` (-1: to its last) of its line in the style `selected`."""
    segments: list[Segment] = []
    used = 0
    for span in row.spans:
        style = look.style(span.roles)
        for text, inside in _split(span, begin, end):
            segments.append(Segment(text, style + selected if inside else style))
        used += cell_width(span.text)
    if end < 0 and begin <= _end_of(row) and used < width:
        segments.append(Segment(" ", selected))
        used += 1
    return _of_width(segments, used, width, look.style(row.ground))


def _split(span: Span, begin: int, end: int) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a span and whether each is selected."""
    if span.at < 0:
        yield span.text, False
        return
    last = span.at + span.size if end < 0 else end
    if span.size != len(span.text):
        yield span.text, begin <= span.at < last
        return
    first = min(max(begin - span.at, 0), span.size)
    final = min(max(last - span.at, first), span.size)
    for text, inside in ((span.text[:first], False), (span.text[first:final], True), (span.text[final:], False)):
        if text:
            yield text, inside


def _of_width(segments: list[Segment], used: int, width: int, ground: Style) -> Strip:
    segments = [segment for segment in segments if segment.text]
    if used < width:
        segments.append(Segment(" " * (width - used), ground))
        return Strip(segments, width)
    strip = Strip(segments, used)
    return strip if used == width else strip.adjust_cell_length(width, ground)


def _end_of(row: Row) -> int:
    return max((span.at + span.size for span in row.spans if span.at >= 0), default=0)


def pointed_strip(row: Row, y: int) -> Strip:
    """Return a strip in which every cell of `row` says where in the source it is: (character of the line, `y`).

    What is no source counts as the place where the next source begins; right of the last one Textual takes the end of
    the line. A character of more than one cell or code point is blanks here: Textual would look for a place inside it.
    """
    segments: list[Segment] = []
    end = _end_of(row)
    following = [span.at for span in row.spans if span.at >= 0] + [end]
    for span in row.spans:
        if span.at >= 0:
            following.pop(0)
        for start, stop, cells in graphemes(span.text):
            at = span.at + start if span.size == len(span.text) else span.at
            place = _place(at if span.at >= 0 else following[0], y)
            text = span.text[start:stop] if cells == 1 and stop == start + 1 else " " * cells
            segments += [Segment(cell, place) for cell in text]
    segments.append(Segment("", _place(end, y)))
    return Strip(segments)


def _place(x: int, y: int) -> Style:
    return Style.from_meta({"offset": (x, y)})
