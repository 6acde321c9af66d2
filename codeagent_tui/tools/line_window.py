"""Reads a window of lines out of a file of any size, in constant memory, and learns the rest on the way."""

from __future__ import annotations

import codecs
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.tools.output import LINE_CHARACTERS, READ_CHARACTERS
from codeagent_tui.tools.text_file import Encoding, sniff

_CHUNK = 1 << 18


@dataclass(slots=True)
class LineWindow:
    """What a read found. `lines` are (number, text, full length in characters); numbers count from 1."""

    lines: list[tuple[int, str, int]] = field(default_factory=list)
    total_lines: int = 0
    size: int = 0
    digest: str = ""
    encoding: Encoding | None = None
    full: bool = False
    """The character budget was used up before the asked-for lines were."""

    @property
    def whole(self) -> bool:
        """Whether every character of the file is in `lines`."""
        return (
            len(self.lines) == self.total_lines
            and not self.full
            and all(len(text) == length for _, text, length in self.lines)
        )


class _Collector:
    """Takes decoded text in pieces; keeps only the wanted lines, each up to its limit."""

    def __init__(self, offset: int, limit: int, skip: int, line_limit: int) -> None:
        self.window = LineWindow()
        self._first, self._last = offset, offset + limit - 1
        self._skip, self._line_limit = skip, line_limit
        self._number, self._length, self._kept, self._used = 1, 0, "", 0

    def feed(self, text: str) -> None:
        start = 0
        while (end := text.find("\n", start)) >= 0:
            self._extend(text, start, end)
            self._end_line()
            start = end + 1
        self._extend(text, start, len(text))

    def _extend(self, text: str, start: int, end: int) -> None:
        if self._first <= self._number <= self._last and not self.window.full:
            room = self._line_limit - len(self._kept)
            begin = start + max(0, self._skip - self._length)
            if room > 0 and begin < end:
                self._kept += text[begin : min(end, begin + room)]
        self._length += end - start

    def _end_line(self) -> None:
        if self._first <= self._number <= self._last and not self.window.full:
            if self.window.lines and self._used + len(self._kept) > READ_CHARACTERS:
                self.window.full = True
            else:
                self.window.lines.append((self._number, self._kept, self._length))
                self._used += len(self._kept) + 8
        self._number += 1
        self._length, self._kept = 0, ""

    def finish(self) -> LineWindow:
        if self._length:
            self._end_line()
        self.window.total_lines = self._number - 1
        return self.window


def read_window(
    path: Path, *, offset: int, limit: int, char_offset: int = 0, line_limit: int = LINE_CHARACTERS
) -> LineWindow | None:
    """Return `limit` lines of `path` from line `offset` on, each from character `char_offset` on; None if it is binary.

    The whole file is read once, to count its lines and to know its identity; memory stays bounded.

    Raises:
        OSError: when it cannot be read.
    """
    digest = hashlib.sha256()
    collector = _Collector(offset, limit, char_offset, line_limit)
    size = 0
    with path.open("rb") as file:
        head = file.read(_CHUNK)
        encoding = sniff(head, complete=len(head) < _CHUNK)
        if encoding is None:
            return None
        decoder = codecs.getincrementaldecoder(encoding.name)(errors="replace")
        data = head[len(encoding.mark) :]
        digest.update(head)
        size = len(head)
        while True:
            collector.feed(decoder.decode(data))
            data = file.read(_CHUNK)
            if not data:
                break
            digest.update(data)
            size += len(data)
        collector.feed(decoder.decode(b"", final=True))
    window = collector.finish()
    window.size, window.digest, window.encoding = size, digest.hexdigest(), encoding
    return window
