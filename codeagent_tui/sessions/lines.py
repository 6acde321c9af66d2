"""The lines of a log read back one at a time: torn, glued, foreign, giant and binary ones are told, never fatal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from codeagent_tui.sessions.records import BadRecord, decode

LARGEST_LINE = 32 * 1024 * 1024
"""Bytes. A longer line is passed over unread, so that one of them cannot fill the memory; it stays in the file."""
_RECORD_START = b'{"v":'
_MOST_TRIES = 16
"""Places in one damaged line where a whole record may begin; each try reads the rest of it."""


def read_records(file: BinaryIO) -> Iterator[dict[str, object] | None]:
    """Yield the record of each line of `file`, None for what is damaged; empty lines are nothing.

    A record that an older writer glued onto a torn one is found again: two are yielded, None and the record.
    """
    while line := file.readline(LARGEST_LINE):
        if len(line) == LARGEST_LINE and not line.endswith(b"\n"):
            _skip_line(file)
            yield None
        elif line.strip():
            yield from _records_of(line)


def _skip_line(file: BinaryIO) -> None:
    while (piece := file.readline(1 << 20)) and not piece.endswith(b"\n"):
        pass


def _records_of(line: bytes) -> Iterator[dict[str, object] | None]:
    try:
        yield decode(line)
        return
    except BadRecord:
        yield None
    at = line.find(_RECORD_START, 1)
    for _ in range(_MOST_TRIES):
        if at < 0:
            return
        try:
            yield decode(line[at:])
            return
        except BadRecord:
            at = line.find(_RECORD_START, at + 1)
