"""Where the user-perceived characters of a draft begin and end.

`text.graphemes` is the measure, with two things added that only a draft has: line ends and tabs stand alone, and so
does a stand-in, the single code point that represents a large paste. Stand-ins are lone surrogates: cleaned text
never contains one, so they cannot be confused with what was typed.
"""

from __future__ import annotations

import re

from codeagent_tui.text import cell_width, graphemes

FIRST_STAND_IN = 0xD800
MOST_STAND_INS = 0x400
STAND_IN = re.compile("[\ud800-\udbff]")

_ALONE = re.compile("[\n\t\ud800-\udbff]")
_JOINER = "\u200d"
_WINDOW = 16


def next_boundary(text: str, index: int) -> int:
    """Return the end of the character that begins at `index` (a boundary); `len(text)` at the end."""
    if index >= len(text):
        return len(text)
    if _ALONE.match(text, index):
        return index + 1
    stop = _ALONE.search(text, index)
    limit = stop.start() if stop else len(text)
    window = _WINDOW
    while True:
        piece = text[index : min(limit, index + window)]
        end = next(end for _, end, _ in graphemes(piece))
        if end < len(piece) or index + end >= limit:
            return index + end
        window *= 4


def previous_boundary(text: str, index: int) -> int:
    """Return the start of the character that ends at `index` (a boundary); 0 at the start."""
    if index <= 0:
        return 0
    return _start_of_cluster(text, index - 1)


def snap(text: str, index: int) -> int:
    """Return `index` if it is a boundary, else the next boundary after it; always within the text."""
    if index <= 0:
        return 0
    if index >= len(text):
        return len(text)
    start = _start_of_cluster(text, index)
    return start if start == index else next_boundary(text, start)


def _start_of_cluster(text: str, index: int) -> int:
    """Return where the character that contains the code point at `index` begins."""
    at = index
    while not _surely_starts(text, at):
        at -= 1
    end = next_boundary(text, at)
    while end <= index:
        at, end = end, next_boundary(text, end)
    return at


def _surely_starts(text: str, index: int) -> bool:
    """Whether a character begins at `index` whatever stands before: only marks and what is joined do not."""
    if index == 0 or _ALONE.match(text, index) or _ALONE.match(text, index - 1):
        return True
    return text[index - 1] != _JOINER and cell_width(text[index]) > 0
