"""Where the rows of a line begin and end: at words, anywhere between Chinese characters, never inside a grapheme.

`codeagent_tui.tui.wrapping` cuts the lines of plain listings; this is for prose and code in many styles.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from codeagent_tui.text import cell_width, graphemes
from codeagent_tui.tui.blocks.rows import TAB

Extent: TypeAlias = tuple[int, int]
"""Start and end of a row in its line; blanks at which a line was broken belong to no row."""

# Marks that must not begin a row and marks that must not end one (the common part of JIS X 4051 and GB/T 15834).
_NOT_FIRST = frozenset("，。、；：？！）》」』】〕〉”’…—·％℃,.;:?!)]}%")
_NOT_LAST = frozenset("（《「『【〔〈“‘([{")


def columns(text: str) -> int:
    """Return the terminal columns of `text`, tabs included."""
    tabs = text.count("\t")
    return cell_width(text.replace("\t", "")) + TAB * tabs if tabs else cell_width(text)


def clusters(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and columns of each character as a reader counts them; a tab is one of its own."""
    at = 0
    for piece in text.split("\t"):
        if at:
            yield at - 1, at, TAB
        for start, end, cells in graphemes(piece):
            yield at + start, at + end, cells
        at += len(piece) + 1


def wrap_words(text: str, width: int) -> list[Extent]:
    """Return the rows of `text` at `width` columns, broken between words where that is possible.

    There is at least one row. A character wider than `width` has a row of its own.
    """
    width = max(1, width)
    if len(text) <= width and text.isascii() and "\t" not in text:
        return [(0, len(text))]
    if text.isascii() and "\t" not in text:
        return _wrap_ascii(text, width)
    return _wrap_wide(text, width)


def wrap_anywhere(text: str, width: int) -> list[Extent]:
    """Return the rows of `text` at `width` columns, each as full as it can be; for code."""
    width = max(1, width)
    if text.isascii() and "\t" not in text:
        return [(at, min(at + width, len(text))) for at in range(0, len(text), width)] or [(0, 0)]
    rows: list[Extent] = []
    begin = used = 0
    for start, _, cells in clusters(text):
        if used + cells > width and start > begin:
            rows.append((begin, start))
            begin, used = start, 0
        used += cells
    rows.append((begin, len(text)))
    return rows


def _wrap_ascii(text: str, width: int) -> list[Extent]:
    rows: list[Extent] = []
    begin, length = 0, len(text)
    while length - begin > width:
        cut = text.rfind(" ", begin, begin + width + 1)
        if cut <= begin or not text[begin:cut].strip():
            cut = after = begin + width
        else:
            after = cut + 1
            while after < length and text[after] == " ":
                after += 1
        rows.append((begin, cut))
        begin = after
    if begin < length or not rows:
        rows.append((begin, length))
    return rows


def _wrap_wide(text: str, width: int) -> list[Extent]:
    rows: list[Extent] = []
    begin = used = 0
    # The last place where this row may end, where the next one would begin then, and the columns up to there.
    chance = (0, 0, 0)
    before = ""
    for start, end, cells in clusters(text):
        character = text[start]
        blank = character in " \t"
        if not blank and start > begin and _may_break(before, character):
            at = _without_blanks(text, begin, start)
            if at > begin:
                chance = (at, start, used)
        while used + cells > width and start > begin and not blank:
            if chance[1] > begin:
                rows.append((begin, chance[0]))
                begin, used = chance[1], used - chance[2]
                chance = (0, 0, 0)
            else:
                rows.append((begin, _without_blanks(text, begin, start)))
                begin, used = start, 0
        used += cells
        before = text[start:end][0]
    if begin < len(text) or not rows:
        rows.append((begin, _without_blanks(text, begin, len(text)) if columns(text[begin:]) > width else len(text)))
    return rows


def _without_blanks(text: str, begin: int, end: int) -> int:
    while end > begin and text[end - 1] in " \t":
        end -= 1
    return end


def _may_break(before: str, after: str) -> bool:
    """Whether a row may end between two neighbouring characters, the second of which is no blank."""
    if before in " \t":
        return True
    if after in _NOT_FIRST or before in _NOT_LAST:
        return False
    return _is_ideographic(before) or _is_ideographic(after)


@lru_cache(maxsize=8192)
def _is_ideographic(character: str) -> bool:
    """Whether lines may break beside `character`: Chinese, Japanese and full-width characters (not Hangul)."""
    return ord(character) > 0x1100 and (
        unicodedata.east_asian_width(character) in "WF" and not 0xAC00 <= ord(character) <= 0xD7A3
    )
