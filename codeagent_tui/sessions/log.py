"""The log of a session: one JSONL file, only ever appended to, written before a message is sent."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from codeagent_tui.conversation.messages import Message, Usage, new_id
from codeagent_tui.paths import PRIVATE_FILE_MODE, ensure_private_dir
from codeagent_tui.sessions.file_lock import lock
from codeagent_tui.sessions.records import VERSION, encode, message_to_json

RewindScope = Literal["conversation", "files", "both"]


class LogBusy(OSError):
    """Another process writes this log."""


class SessionLog:
    """Appends records to one file. Nothing is created on disk before the first record. Any thread may append.

    A write that fails (a full disk, a read-only home) loses nothing: records wait in memory, `failure` says what is
    wrong, and the next append tries again, after taking back what the failed write left of a line.
    """

    def __init__(self, path: Path, *, session_id: str, cwd: Path, sequence: int = 0) -> None:
        """`sequence` is the number of the last record that is there already."""
        self.path = path
        self.session_id = session_id
        self.cwd = cwd
        self.failure: OSError | None = None
        self.turns = 0
        self.cost = Usage()
        """What the providers counted for all requests together."""
        self.epoch = 0
        """Changes with each thing the user says and each rewind: what was noted of files before is of another turn."""
        self.title = self._mode = ""
        self._sequence = sequence
        self._waiting: list[bytes] = []
        self._fd = -1
        self._torn = False
        self._announced = False
        """Whether this process has said in the log that it writes it."""
        self._lacks_end = False
        self._guard = threading.RLock()

    @classmethod
    def create(cls, folder: Path, cwd: Path) -> SessionLog:
        """Return a new log in `folder`; its name sorts by time."""
        session_id = new_id()
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{session_id}.jsonl"
        return cls(folder / name, session_id=session_id, cwd=cwd)

    @property
    def started(self) -> bool:
        """Whether anything was recorded."""
        return self._sequence > 0

    @property
    def files_folder(self) -> Path:
        """Where the contents of changed files are kept."""
        return files_folder(self.path)

    def claim(self) -> None:
        """Become the one writer of a log that is there already, and look how it ends.

        Raises:
            LogBusy: when another process writes it.
            OSError: when it cannot be opened for writing; appending will try again.
        """
        with self._guard:
            self._open(create=False)
            size = os.fstat(self._fd).st_size
            if size:
                with self.path.open("rb") as file:
                    file.seek(size - 1)
                    self._torn = file.read(1) != b"\n"

    def go_on(self, sequence: int, *, turns: int, cost: Usage, title: str, ended: bool) -> None:
        """Go on after the record number `sequence`, with the running figures as they were then.

        `ended` is whether the log has its end marker; if not, closing writes it, whether anything else was or not.
        """
        self._sequence = max(sequence, 1)
        self._lacks_end = not ended
        self.turns, self.cost, self.title = turns, cost, title

    def append_message(self, message: Message) -> None:
        """Record that `message` was added to the history."""
        with self._guard:
            record: dict[str, object] = {"type": "message", "message": message_to_json(message)}
            if message.starts_turn:
                self.turns += 1
                self.epoch += 1
                if self.title:
                    # Listing reads heads and tails only, so a given title is said again now and then.
                    record["title"] = self.title
            self._append(record)

    def append_replacement(self, count: int, messages: Iterable[Message], note: str = "") -> None:
        """Record that the first `count` messages of the history gave way to `messages` (a compaction)."""
        held = [message_to_json(message) for message in messages]
        self._append({"type": "replace", "count": count, "messages": held, "note": note})

    def append_compaction(
        self, count: int, messages: Iterable[Message], record: Mapping[str, object], *, first_kept: str = ""
    ) -> None:
        """Record a compaction: the first `count` messages gave way to `messages`. It can be undone.

        Args:
            count: Messages of the live history, placeholders counted.
            messages: What stands in their place.
            record: What is to be known of it later, as JSON data; its `id` names the compaction.
            first_kept: The id of the first message that stayed, which holds also when a line before it is damaged.

        Raises:
            ValueError: when `record` has no id.
        """
        if not isinstance(record.get("id"), str) or not record["id"]:
            raise ValueError("A compaction's record needs an id.")
        held = [message_to_json(message) for message in messages]
        line: dict[str, object] = {"type": "compact", "count": count, "messages": held, "record": dict(record)}
        self._append(line | ({"first_kept": first_kept} if first_kept else {}))

    def append_restore(self, record_id: str, messages_count: int = 0) -> None:
        """Record that the compaction `record_id` (and any later one) was undone, as `restoration` says how.

        `messages_count` is how many messages at the front gave way; it is for readers, the replay knows it.
        """
        self._append({"type": "restore", "compaction": record_id, "count": messages_count})

    def append_stubs(self, messages: Iterable[Message]) -> None:
        """Record that these messages have another text, or calls other arguments, than they had before."""
        held = tuple(messages)
        record: dict[str, object] = {"type": "stubs", "stubs": {message.id: message.content for message in held}}
        arguments = {call.id: call.arguments for message in held for call in message.tool_calls}
        self._append(record | ({"arguments": arguments} if arguments else {}))

    def append_drop(self, ids: Iterable[str]) -> None:
        """Record that the messages with those ids left the history."""
        self._append({"type": "drop", "ids": list(ids)})

    def append_rewind(
        self, rewind_id: str, scope: RewindScope, *, before: str = "", undo: str = "", turns: int | None = None
    ) -> None:
        """Record that the session went back: to `before` a message of the user's, or to before the rewind `undo`.

        `turns` is the number of user turns that are left. When files are to follow, `append_rewound` says that they
        have.
        """
        with self._guard:
            self.turns = self.turns if turns is None else turns
            self.epoch += 1
            target = {"undo": undo} if undo else {"before": before}
            self._append({"type": "rewind", "id": rewind_id, "scope": scope, **target})

    def append_rewound(self, rewind_id: str) -> None:
        """Record that the files of a rewind are all in place."""
        self._append({"type": "rewound", "id": rewind_id})

    def append_title(self, title: str) -> None:
        """Record what the session is about; before anything was said it waits for that."""
        with self._guard:
            self.title = title
            if self.started:
                self._append({"type": "title", "title": title})

    def append_mode(self, mode: str) -> None:
        """Record that the permission mode changed; before anything was said it waits for that."""
        with self._guard:
            self._mode = mode
            if self.started:
                self._append({"type": "mode", "mode": mode})

    def append_usage(self, usage: Usage) -> None:
        """Record what a request cost, with the sum so far."""
        with self._guard:
            self.cost += usage
            record: dict[str, object] = {"type": "usage", "usage": asdict(usage), "tokens": self.cost.total}
            self._append(record | ({"title": self.title} if self.title else {}))

    def append_file(self, kind: Literal["checkpoint", "written"], record: Mapping[str, object]) -> None:
        """Record the state of a file before, or after, the agent changed it."""
        self._append({"type": kind, **record})

    def append_command(self, command: str, *, moved: str = "") -> None:
        """Record that a command is about to run; or (without one) that the one before moved the repository."""
        record: dict[str, object] = {"type": "command", "command": command}
        self._append(record | ({"moved": moved} if moved else {}))

    def _append(self, record: dict[str, object]) -> None:
        with self._guard:
            if not self.started:
                self._waiting.append(self._line(self._header()))
            elif not self._announced:
                self._waiting.append(self._line({"type": "open", "id": self.session_id, "pid": os.getpid()}))
            self._announced = self._lacks_end = True
            self._waiting.append(self._line(record))
            self.flush()

    def _header(self) -> dict[str, object]:
        head: dict[str, object] = {"type": "session", "id": self.session_id, "cwd": str(self.cwd), "pid": os.getpid()}
        more = {"mode": self._mode, "title": self.title}
        return head | {key: value for key, value in more.items() if value}

    def _line(self, record: dict[str, object]) -> bytes:
        self._sequence += 1
        head = {"v": VERSION, "seq": self._sequence, "at": round(time.time(), 3), "turn": self.turns}
        return encode(head | record)

    def flush(self) -> bool:
        """Write what waits; return whether everything is on disk. `failure` says why not."""
        with self._guard:
            if not self._waiting:
                return True
            try:
                self._open(create=True)
                if self._torn:
                    self._write_all(b"\n")
                    self._torn = False
                while self._waiting:
                    self._write_line(self._waiting[0])
                    del self._waiting[0]
            except OSError as error:
                self.failure = error
                return False
            self.failure = None
            return True

    def _open(self, *, create: bool) -> None:
        if self._fd >= 0:
            return
        if create:
            ensure_private_dir(self.path.parent)
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | (os.O_CREAT if create else 0)
        fd = os.open(self.path, flags, PRIVATE_FILE_MODE)
        if not lock(fd):
            os.close(fd)
            raise LogBusy(f"{self.path.name} is being written by another process")
        self._fd = fd

    def _write_line(self, line: bytes) -> None:
        before = os.fstat(self._fd).st_size
        try:
            self._write_all(line)
        except OSError:
            self._torn = not self._take_back(before)
            raise

    def _take_back(self, size: int) -> bool:
        """Cut off what a failed write left of its line; it is our own, and nobody has read it."""
        try:
            os.ftruncate(self._fd, size)
        except OSError:
            return False
        return True

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]

    @property
    def waiting(self) -> bytes:
        """What could not be written yet."""
        return b"".join(self._waiting)

    def sync(self) -> None:
        """Make what was written durable; slow, so call it off the loop."""
        if self._fd >= 0:
            os.fsync(self._fd)

    def close(self) -> bool:
        """Write what waits and that the session ended in order, and close the file. Safe to call twice.

        Returns whether everything is on disk.
        """
        with self._guard:
            if self._lacks_end:
                title = {"title": self.title} if self.title else {}
                self._waiting.append(self._line({"type": "end", "tokens": self.cost.total, **title}))
                self._announced = self._lacks_end = False
            written = self.flush()
            if self._fd >= 0:
                os.close(self._fd)
                self._fd = -1
            return written


def files_folder(log_path: Path) -> Path:
    """Return where the contents of changed files are kept, for the log at `log_path`."""
    return log_path.with_suffix(".files")
