"""What is piped into `codeagent -p`: read to its end, but not waited for when nobody ever writes.

A program started by another one often inherits a pipe on standard input that stays open and silent. Waiting for its
end would hang; not reading would lose what `git diff | codeagent -p …` sends. So the first byte is waited for, for a
short while; once something has come, everything is.
"""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import dataclass

from codeagent_tui.text import clean_text
from codeagent_tui.text_encoding import decode

PATIENCE = 5.0
"""Seconds to wait for the first byte, where there is a request already."""
LARGEST = 10_000_000
"""Bytes; more than any model's window holds."""
_PIECE = 1 << 16


class BadInput(Exception):
    """Standard input cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Piped:
    """What came: the text, and whether it was given up because nothing came at all."""

    text: str = ""
    silent: bool = False


def read_piped(descriptor: int, *, patience: float | None = PATIENCE) -> Piped:
    """Return what is piped into `descriptor`; a terminal, a device and a closed descriptor are not read.

    `patience` is how many seconds the first byte may take; None waits as long as it takes.

    Raises:
        BadInput: for more than `LARGEST` bytes, for what is no text, and when it cannot be read.
    """
    if not _is_piped(descriptor):
        return Piped()
    reader = _Reader(descriptor)
    # A daemon: a read that never returns must not keep the process.
    threading.Thread(target=reader.run, name="stdin", daemon=True).start()
    if not reader.begun.wait(patience):
        return Piped(silent=True)
    reader.ended.wait()
    if reader.failure is not None:
        raise BadInput(f"Standard input cannot be read: {reader.failure}.")
    if reader.size > LARGEST:
        raise BadInput(
            f"Standard input holds more than {LARGEST:,} bytes. Save it to a file and name the file in the request."
        )
    data = b"".join(reader.pieces)
    decoded = decode(data)
    if decoded is None:
        raise BadInput("Standard input is no text. Save it to a file and name the file in the request.")
    return Piped(clean_text(decoded[0]))


def _is_piped(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


class _Reader:
    """Reads a descriptor to its end in a thread, past Python's own buffers and their locks."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.pieces: list[bytes] = []
        self.size = 0
        self.failure: OSError | None = None
        self.begun = threading.Event()
        self.ended = threading.Event()

    def run(self) -> None:
        """Read."""
        try:
            while self.size <= LARGEST and (piece := os.read(self._descriptor, _PIECE)):
                self.pieces.append(piece)
                self.size += len(piece)
                self.begun.set()
        except OSError as error:
            self.failure = error
        finally:
            self.begun.set()
            self.ended.set()
