"""Reads a window of lines out of a file of any size, in bounded memory, and learns the rest on the way."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from codeagent_tui.text import grapheme_floor
from codeagent_tui.text_encoding import Encoding, decode, sniff
from codeagent_tui.tools.output import LINE_CHARACTERS, READ_CHARACTERS
from codeagent_tui.tools.text_file import LARGEST_EDITABLE

_CHUNK = 1 << 18
_LOOK_AHEAD = 32
"""Characters kept past the limit of a line, to see whether a grapheme would be cut there."""
_LINE_COST = 8
"""What a line takes of the character budget besides its text: number, tab, line feed."""


@dataclass(frozen=True, slots=True)
class WindowLine:
    """A line in the window. `number` counts from 1; `text` is what is shown of it, from character `skipped` of the
    line on; `start` is where `text` begins in the whole file, `length` what the line is long, both in characters."""

    number: int
    text: str
    skipped: int
    start: int
    length: int

    @property
    def end(self) -> int:
        """How far into the line `text` reaches."""
        return self.skipped + len(self.text)


@dataclass(slots=True)
class LineWindow:
    """What a read found. `text` is the whole file's text where it is small enough to be edited, else None."""

    lines: list[WindowLine] = field(default_factory=list)
    total_lines: int = 0
    characters: int = 0
    encoding: Encoding | None = None
    text: str | None = None
    ends_with_newline: bool = False

    def spans(self) -> list[tuple[int, int]]:
        """Return which characters of the file are in the window, as (start, end)."""
        spans: list[tuple[int, int]] = []
        for line in self.lines:
            last = line.number == self.total_lines and not self.ends_with_newline
            end = line.start + len(line.text) + (line.end == line.length and not last)
            if spans and spans[-1][1] == line.start:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((line.start, end))
        return spans


class _Collector:
    """Takes decoded text in pieces; keeps only the wanted lines, each up to its limit."""

    def __init__(self, offset: int, limit: int, skip: int, line_limit: int) -> None:
        self.window = LineWindow()
        self._first, self._last = offset, offset + limit - 1
        self._skip, self._line_limit = skip, line_limit
        self._number, self._length, self._kept, self._used = 1, 0, "", 0
        self._position = 0

    def feed(self, text: str) -> None:
        at = self._pass_over(text)
        while at < len(text):
            newline = text.find("\n", at)
            self._extend(text, at, newline if newline >= 0 else len(text))
            if newline < 0:
                return
            self._end_line(1)
            at = newline + 1
            if self._number > self._last:
                at = self._pass_over(text, at)

    def _pass_over(self, text: str, at: int = 0) -> int:
        """Count the lines of `text` from `at` on without looking at each, if none of them is wanted."""
        ended = text.count("\n", at)
        if self._first - ended <= self._number <= self._last or not ended:
            return at
        rest = text.rfind("\n") + 1
        self._position += self._length + rest - at
        self._number += ended
        self._length, self._kept = 0, ""
        return rest

    def _extend(self, text: str, start: int, end: int) -> None:
        if self._first <= self._number <= self._last:
            room = self._line_limit + _LOOK_AHEAD - len(self._kept)
            begin = start + max(0, self._skip - self._length)
            if room > 0 and begin < end:
                self._kept += text[begin : min(end, begin + room)]
        self._length += end - start

    def _end_line(self, newline: int) -> None:
        if self._first <= self._number <= self._last:
            if self.window.lines and self._used + len(self._kept) > READ_CHARACTERS:
                self._last = self._number - 1
            else:
                if len(self._kept) > self._line_limit:
                    self._kept = self._kept[: grapheme_floor(self._kept, self._line_limit) or self._line_limit]
                skipped = min(self._skip, self._length)
                line = WindowLine(self._number, self._kept, skipped, self._position + skipped, self._length)
                self.window.lines.append(line)
                self._used += len(self._kept) + _LINE_COST
        self._number += 1
        self._position += self._length + newline
        self._length, self._kept = 0, ""

    def finish(self) -> LineWindow:
        self.window.ends_with_newline = not self._length and self._position > 0
        if self._length:
            self._end_line(0)
        self.window.total_lines = self._number - 1
        self.window.characters = self._position
        return self.window


def read_window(
    path: Path, *, offset: int, limit: int, char_offset: int = 0, line_limit: int = LINE_CHARACTERS
) -> LineWindow | None:
    """Return `limit` lines of `path` from line `offset` on, each from character `char_offset` on; None if it is binary.

    The whole file is read once, to count its lines. One that is too large to be edited goes by in chunks.

    Raises:
        OSError: when it cannot be read.
    """
    collector = _Collector(offset, limit, char_offset, line_limit)
    with path.open("rb") as file:
        data = file.read(LARGEST_EDITABLE + 1)
        if len(data) <= LARGEST_EDITABLE:
            decoded = decode(data)
            if decoded is None:
                return None
            collector.window.text, collector.window.encoding = decoded
            for at in range(0, len(decoded[0]), _CHUNK):
                collector.feed(decoded[0][at : at + _CHUNK])
        else:
            encoding = collector.window.encoding = sniff(data[:_CHUNK], complete=False)
            if encoding is None:
                return None
            for text in _streamed(file, data[len(encoding.mark) :], encoding):
                collector.feed(text)
    return collector.finish()


def _streamed(file: BinaryIO, head: bytes, encoding: Encoding) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding.name)(errors="replace")
    yield decoder.decode(head)
    while data := file.read(_CHUNK):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)
