"""The log of a session: one JSONL file, only ever appended to, written before a message is sent."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

from codeagent_tui.conversation.messages import Message, new_id
from codeagent_tui.paths import PRIVATE_FILE_MODE, ensure_private_dir
from codeagent_tui.sessions.records import VERSION, encode, message_to_json

_MOST_BUFFERED = 10_000


class SessionLog:
    """Appends records to one file. Nothing is created on disk before the first record.

    A write that fails (a full disk, a read-only home) loses nothing: records wait in memory, `failure` says what is
    wrong, and the next append tries again, after mending the torn line that the failed write may have left.
    """

    def __init__(self, path: Path, *, session_id: str, cwd: Path, sequence: int = 0) -> None:
        self.path = path
        self.session_id = session_id
        self.cwd = cwd
        self.failure: OSError | None = None
        self._sequence = sequence
        self._waiting: list[bytes] = []
        self._fd = -1
        self._torn = False

    @classmethod
    def create(cls, folder: Path, cwd: Path) -> SessionLog:
        """Return a new log in `folder`; its name sorts by time."""
        session_id = new_id()
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{session_id}.jsonl"
        return cls(folder / name, session_id=session_id, cwd=cwd)

    def mend_tail(self, data: bytes) -> None:
        """Take note of how the file ends (`data` is all of it), so that the next record starts on its own line."""
        self._torn = bool(data) and not data.endswith(b"\n")

    @property
    def started(self) -> bool:
        """Whether anything was recorded."""
        return self._sequence > 0

    def append_message(self, message: Message) -> None:
        """Record that `message` was added to the history."""
        self._append({"type": "message", "message": message_to_json(message)})

    def append_replacement(self, count: int, messages: Iterable[Message], note: str = "") -> None:
        """Record that the first `count` messages of the history gave way to `messages` (a compaction)."""
        held = [message_to_json(message) for message in messages]
        self._append({"type": "replace", "count": count, "messages": held, "note": note})

    def append_title(self, title: str) -> None:
        """Record what the session is about."""
        self._append({"type": "title", "title": title})

    def _append(self, record: dict[str, object]) -> None:
        if not self.started:
            self._waiting.append(self._line({"type": "session", "id": self.session_id, "cwd": str(self.cwd)}))
        self._waiting.append(self._line(record))
        self.flush()

    def _line(self, record: dict[str, object]) -> bytes:
        self._sequence += 1
        return encode({"v": VERSION, "seq": self._sequence, "at": round(time.time(), 3), **record})

    def flush(self) -> bool:
        """Write what waits; return whether everything is on disk. `failure` says why not."""
        if not self._waiting:
            return True
        try:
            self._open()
            if self._torn:
                self._write_all(b"\n")
                self._torn = False
            while self._waiting:
                self._write_all(self._waiting[0])
                del self._waiting[0]
        except OSError as error:
            self.failure = error
            self._torn = self._torn or self._fd >= 0
            del self._waiting[:-_MOST_BUFFERED]
            return False
        self.failure = None
        return True

    def _open(self) -> None:
        if self._fd >= 0:
            return
        ensure_private_dir(self.path.parent)
        self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE_MODE)

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]

    def sync(self) -> None:
        """Make what was written durable; slow, so call it off the loop."""
        if self._fd >= 0:
            os.fsync(self._fd)

    def close(self) -> None:
        """Write what waits and close the file."""
        self.flush()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
