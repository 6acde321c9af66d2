"""The program's standard streams: writing that no reader, disk or encoding can break."""

from __future__ import annotations

import codecs
import contextlib
import errno
import json
import os
from collections.abc import Mapping
from typing import TextIO


class OutputStream:
    """Writes lines to a text stream. What goes wrong is kept in `failure`, and nothing more is written then.

    Characters that the stream's encoding lacks are written as escapes. A missing stream (a closed descriptor) swallows
    everything.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._encoding = _encoding_of(stream)
        self.failure: OSError | None = None

    @property
    def reader_left(self) -> bool:
        """Whether whoever read the stream has gone away, as `| head` does: no fault, but nobody listens any more."""
        # Windows says EINVAL where others say EPIPE.
        return self.failure is not None and self.failure.errno in (errno.EPIPE, errno.EINVAL, errno.ECONNRESET)

    def line(self, text: str) -> None:
        """Write `text` and a line end, at once."""
        if self._stream is None or self.failure is not None:
            return
        plain = text.encode(self._encoding, "backslashreplace").decode(self._encoding)
        try:
            self._stream.write(f"{plain}\n")
            self._stream.flush()
        except OSError as error:
            self.failure = error
            _forget_unwritten(self._stream)

    def record(self, data: Mapping[str, object]) -> None:
        """Write `data` as one line of JSON: readable where the encoding has every character, else escaped."""
        self.line(json.dumps(data, ensure_ascii=not self._encoding.startswith("utf")))


def _encoding_of(stream: TextIO | None) -> str:
    try:
        return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name
    except LookupError:
        return "ascii"


def _forget_unwritten(stream: TextIO) -> None:
    """Lead what is still in the stream's buffers nowhere: Python would complain about it when it exits."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)
