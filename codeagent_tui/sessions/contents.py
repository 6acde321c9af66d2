"""The contents of files before they were changed, each once, named by its digest, beside the session's log."""

from __future__ import annotations

import os
from pathlib import Path

from codeagent_tui.paths import write_private

LARGEST_SUM = 200_000_000
"""Bytes kept for one session. What would go beyond is not kept, and its record says so."""


class ContentsFull(Exception):
    """No more is kept for this session; the message says why."""


class Contents:
    """A folder of files named by the SHA-256 of what they hold. They are never changed and never deleted singly."""

    def __init__(self, folder: Path, *, largest_sum: int = LARGEST_SUM) -> None:
        self.folder = folder
        self._largest_sum = largest_sum
        self._sum: int | None = None

    def keep(self, sha256: str, data: bytes) -> None:
        """Keep `data`, whose digest is `sha256`; durable when this returns.

        Raises:
            ContentsFull: when the session's share is used up.
            OSError: when it cannot be written.
        """
        target = self.folder / sha256
        if target.exists():
            return
        size = self.size()
        if size + len(data) > self._largest_sum:
            raise ContentsFull(f"more than {self._largest_sum:,} bytes are kept for this session already")
        write_private(target, data)
        self._sum = size + len(data)

    def read(self, sha256: str) -> bytes | None:
        """Return the content with that digest; None when it is not kept (any more)."""
        try:
            return (self.folder / sha256).read_bytes()
        except OSError:
            return None

    def size(self) -> int:
        """Return how many bytes are kept."""
        if self._sum is None:
            try:
                self._sum = sum(entry.stat().st_size for entry in os.scandir(self.folder))
            except OSError:
                self._sum = 0
        return self._sum
