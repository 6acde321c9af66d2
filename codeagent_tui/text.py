"""Text from outside made safe and measured: control bytes, surrogates, graphemes, cell width, cutting."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len, split_graphemes

# CSI, then the string sequences (OSC, DCS, SOS, PM, APC) up to their terminator or the line's end, then the
# two-byte escapes: ECMA-48, sections 5.3 to 5.6. An unfinished sequence goes too.
_ESCAPE_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]*[0-~]?"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Marks that reorder what is shown (Unicode bidi controls): harmless as text, misleading on a screen.
_BIDI = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_PLAIN = re.compile("[\n\t -~]*")
# Whatever `clean_text` changes begins with one of these.
_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def replace_surrogates(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD, so that it can be written as UTF-8."""
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", text)


def resolve_carriage_returns(text: str) -> str:
    """Return what a terminal would show of progress lines: `10%\\r20%\\n` becomes `20%\\n`."""
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return text
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))


def clean_text(text: str) -> str:
    """Return `text` without anything that acts on a terminal.

    Escape sequences and control characters go; line ends become `\\n`; tabs stay; lone surrogates and marks that
    reorder text become visible. Applying it twice changes nothing more.
    """
    if _PLAIN.fullmatch(text) or not _SUSPECT.search(text):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub("", _ESCAPE_SEQUENCE.sub("", text))
    text = _SURROGATE.sub("\ufffd", text)
    return _BIDI.sub(lambda mark: f"<U+{ord(mark[0]):04X}>", text)


def one_line(text: str, limit: int = 0) -> str:
    """Return `text` cleaned, on one line with single blanks, cut to `limit` characters when that is not 0."""
    line = " ".join(clean_text(text).split())
    return cut_characters(line, limit) if limit else line


def graphemes(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield `(start, end, cells)` of each user-perceived character of `text`."""
    if text.isascii():
        for index in range(len(text)):
            yield index, index + 1, 1 if text[index] >= " " and text[index] != "\x7f" else 0
        return
    yield from split_graphemes(text)[0]


def cell_width(text: str) -> int:
    """Return the terminal columns that `text` takes."""
    return cell_len(text)


def cut_characters(text: str, limit: int, mark: str = "…") -> str:
    """Return `text` cut to at most `limit` characters, `mark` included, never inside a grapheme."""
    if len(text) <= limit:
        return text
    room = max(0, limit - len(mark))
    return text[: grapheme_floor(text, room)] + mark[:limit]


def grapheme_floor(text: str, index: int) -> int:
    """Return the largest grapheme boundary of `text` that is not after `index`."""
    if index >= len(text):
        return len(text)
    if index <= 0:
        return 0
    if text[max(0, index - 1) : index + 1].isascii():
        return index
    # A grapheme is short: a window before the index is enough to find where it starts.
    base = max(0, index - 64)
    floor = 0
    for start, end, _ in graphemes(text[base : index + 32]):
        if base + end > index:
            floor = base + start
            break
        floor = base + end
    return floor if floor > base or base == 0 else index


def cut_cells(text: str, width: int, mark: str = "…") -> str:
    """Return `text` cut to at most `width` terminal columns, `mark` included when something was cut."""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(mark)
    if room < 0:
        return ""
    used = end_at = 0
    for _, end, cells in graphemes(text):
        if used + cells > room:
            break
        used += cells
        end_at = end
    return text[:end_at] + mark
