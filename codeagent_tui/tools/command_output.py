"""The output of a command, kept within bounds while it comes, and made into text at the end."""

from __future__ import annotations

import codecs
import locale
from collections import deque

from codeagent_tui.text import clean_text, resolve_carriage_returns
from codeagent_tui.tools.output import LINE_CHARACTERS, clip_line


class OutputCollector:
    """Keeps the head and the tail of a stream of bytes in constant memory; adding costs no more as it grows."""

    def __init__(self, limit: int) -> None:
        """`limit` is how many bytes are kept in all, half of them from the start."""
        self._head_room = limit // 2
        self._tail_limit = limit - limit // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take more output."""
        self.total += len(data)
        if len(self._head) < self._head_room:
            taken = data[: self._head_room - len(self._head)]
            self._head += taken
            data = data[len(taken) :]
        if not data:
            return
        data = data[-self._tail_limit :]
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    @property
    def left_out(self) -> int:
        """Bytes that were not kept."""
        return self.total - len(self._head) - min(self._tail_size, self._tail_limit)

    def text(self) -> str:
        """Return what was kept as text, with a mark where something is missing."""
        tail = b"".join(self._tail)[-self._tail_limit :]
        if not self.left_out:
            return output_text(bytes(self._head) + tail)
        head = output_text(_whole_end(bytes(self._head)))
        rest = output_text(_whole_start(tail))
        joint = "" if head.endswith("\n") else "\n"
        return f"{head}{joint}[… {self.left_out:,} bytes left out …]\n{rest}"


def output_text(data: bytes) -> str:
    """Return the bytes of a command as the text that a terminal would end up showing, without what acts on one."""
    text = clean_text(resolve_carriage_returns(_decoded(data)))
    return "\n".join(clip_line(line, LINE_CHARACTERS) for line in text.split("\n"))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    local = codecs.lookup(locale.getpreferredencoding(False)).name
    if local not in ("utf-8", "ascii", "iso8859-1"):
        try:
            return data.decode(local)
        except UnicodeDecodeError:
            pass
    return data.decode("utf-8", "replace")


def _whole_start(data: bytes) -> bytes:
    """Drop what is left of a character or an escape sequence at the start of a cut: up to the next line if near."""
    newline = data.find(b"\n", 0, 200)
    if newline >= 0:
        return data[newline + 1 :]
    start = 0
    while start < min(4, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]


def _whole_end(data: bytes) -> bytes:
    """Drop the beginning of a character that was cut at the end."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        length = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
        return data[:-back] if length > back else data
    return data
