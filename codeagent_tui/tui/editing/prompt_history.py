"""What the user has sent, across sessions: one JSON line each, in a file that is only ever appended to."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from codeagent_tui.paths import PRIVATE_FILE_MODE, ensure_private_dir
from codeagent_tui.text import clean_text, replace_surrogates

_MOST_ENTRIES = 1_000
_MOST_BYTES = 2_000_000
"""Only the end of the file is read: loading costs the same however old the file is."""
_MOST_CHARACTERS = 20_000_000
_LONGEST_STORED = 100_000
"""Longer entries (a draft with a large paste) are kept while the program runs, not on disk."""

_log = logging.getLogger(__name__)


class PromptHistory:
    """The entries, oldest first. `read_older` and `flush` block and belong in a thread;
    `flush` writes in order whoever calls it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._unwritten: list[str] = []
        self.entries: list[str] = []

    def add(self, text: str) -> bool:
        """Append an entry unless it is blank or the same as the newest. Returns whether there is something to flush."""
        if not text.strip() or (self.entries and self.entries[-1] == text):
            return False
        self.entries.append(text)
        self._bound()
        if self._path is None or len(text) > _LONGEST_STORED:
            return False
        self._unwritten.append(text)
        return True

    def read_older(self) -> list[str]:
        """Return what the file holds; lines that are damaged are skipped. Blocks."""
        if self._path is None:
            return []
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _MOST_BYTES))
                lines = file.read(_MOST_BYTES).split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            _log.warning("the prompt history %s could not be read: %s", self._path, error)
            return []
        # Cut out of the middle of the file, the first line is a fragment; it is damaged like any other.
        return _without_repeats(_entries_of(lines))

    def put_before(self, older: list[str]) -> None:
        """Take what `read_older` returned; entries added meanwhile stay the newest."""
        self.entries[:0] = older
        self.entries[:] = _without_repeats(self.entries)
        self._bound()

    def flush(self) -> None:
        """Write what was added. Blocks; a failure is noted in the log, the entries stay for this run."""
        with self._lock:
            pending, self._unwritten = self._unwritten, []
            if self._path is None or not pending:
                return
            data = b"".join(_encoded(text) for text in pending)
            try:
                _append(self._path, data)
            except OSError as error:
                _log.warning("the prompt history %s was not written: %s", self._path, error)

    def _bound(self) -> None:
        del self.entries[:-_MOST_ENTRIES]
        size = sum(map(len, self.entries))
        while size > _MOST_CHARACTERS and len(self.entries) > 1:
            size -= len(self.entries.pop(0))


def _append(path: Path, data: bytes) -> None:
    ensure_private_dir(path.parent)
    fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE_FILE_MODE)
    with os.fdopen(fd, "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                # A write that a crash cut short must not take the next entry with it.
                data = b"\n" + data
        file.write(data)


def _encoded(text: str) -> bytes:
    return json.dumps({"text": replace_surrogates(text)}, ensure_ascii=False).encode() + b"\n"


def _entries_of(lines: list[bytes]) -> Iterator[str]:
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        text = entry.get("text") if isinstance(entry, dict) else None
        if isinstance(text, str) and text.strip():
            yield clean_text(text)


def _without_repeats(entries: Iterator[str] | list[str]) -> list[str]:
    kept: list[str] = []
    for entry in entries:
        if not kept or kept[-1] != entry:
            kept.append(entry)
    return kept
