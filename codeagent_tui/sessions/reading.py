"""A log read back whole: the replayed history, what was skipped, and where the next record goes on."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.conversation.messages import Message, Usage
from codeagent_tui.sessions.lines import read_records
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.records import VERSION
from codeagent_tui.sessions.replay import Replay, Restoration
from codeagent_tui.sessions.timeline import Timeline


@dataclass(slots=True)
class ReadLog:
    """What a log says. `skipped` counts damaged and foreign lines, `later` those of a later version."""

    session_id: str
    replay: Replay = field(default_factory=Replay)
    timeline: Timeline = field(default_factory=Timeline)
    sequence: int = 0
    cost: Usage = field(default_factory=Usage)
    title: str = ""
    mode: str = ""
    cwd: str = ""
    parent: str = ""
    pid: int = 0
    ended: bool = False
    skipped: int = 0
    later: int = 0
    disordered: int = 0
    _foreign: bool = False

    def take(self, record: dict[str, object] | None) -> bool:
        """Take the next record (None: a damaged line) and return whether it is one of this session's."""
        if record is not None and record.get("type") in ("session", "open"):
            # Another session's records begin with its header, however they came into this file.
            self._foreign = bool(self.session_id) and record.get("id") != self.session_id
        if record is None or self._foreign:
            self.skipped += 1
            return False
        if _number(record.get("v")) > VERSION:
            self.later += 1
            return False
        if not self.replay.apply(record):
            self.skipped += 1
            return False
        self.timeline.apply(record)
        self._note(record)
        return True

    def _note(self, record: dict[str, object]) -> None:
        number = _number(record.get("seq"))
        if 0 < number <= self.sequence:
            self.disordered += 1
        self.sequence = max(self.sequence, number)
        self.ended = record.get("type") == "end" or _number(record.get("v")) < VERSION
        match record.get("type"):
            case "session":
                self.session_id = self.session_id or str(record.get("id", ""))
                self.cwd = self.cwd or str(record.get("cwd", ""))
                self.parent = self.parent or str(record.get("parent", ""))
                self.pid = _number(record.get("pid"))
                self.mode = str(record.get("mode", ""))
                self.title = str(record.get("title", ""))
            case "open":
                self.pid = _number(record.get("pid"))
            case "usage":
                self.cost += _usage(record.get("usage"))
            case "title":
                self.title = str(record.get("title", ""))
            case "mode":
                self.mode = str(record.get("mode", ""))

    def notices(self) -> tuple[str, ...]:
        """Return what the user should know of the state of the file."""
        told = []
        if self.skipped:
            told.append(
                f"{self.skipped} record(s) of this session were skipped: damaged, or another session's. "
                "They are still in its file."
            )
        if self.later:
            told.append(
                f"{self.later} record(s) of this session were written by a later version of CodeAgent and skipped."
            )
        if self.disordered:
            told.append("Two windows have written this session at the same time; their messages are mixed.")
        return tuple(told)


def read_log(path: Path, session_id: str = "", *, waiting: bytes = b"") -> ReadLog:
    """Read the log at `path`; `waiting` are records that could not be written yet.

    Raises:
        OSError: when the file cannot be read.
    """
    read = ReadLog(session_id)
    for record in records_of(path, waiting):
        read.take(record)
    return read


def records_of(path: Path, waiting: bytes = b"") -> Iterator[dict[str, object] | None]:
    """Yield the records of the log at `path` and of `waiting`; None for what is damaged.

    Raises:
        OSError: when the file cannot be read; one that is not there yet is no error when something waits.
    """
    try:
        with path.open("rb") as file:
            yield from read_records(file)
    except FileNotFoundError:
        if not waiting:
            raise
    yield from read_records(io.BytesIO(waiting))


def read_open_log(log: SessionLog) -> ReadLog:
    """Read back a log that is being written, with what could not be written yet.

    Raises:
        OSError: when the file cannot be read.
    """
    log.flush()
    return read_log(log.path, log.session_id, waiting=log.waiting)


def restoration(log: SessionLog, record_id: str) -> Restoration | None:
    """Return how to undo the compaction `record_id` of the open session; None when it is not in force (any more).

    Raises:
        OSError: when the log cannot be read.
    """
    return read_open_log(log).replay.restoration(record_id)


def replaced_messages(log_path: Path, record_id: str) -> tuple[Message, ...]:
    """Return the messages that the compaction `record_id` took out of the history, as they stood then.

    Raises:
        KeyError: when the log has no such compaction.
        OSError: when it cannot be read.
    """
    messages = read_log(log_path).replay.replaced(record_id)
    if messages is None:
        raise KeyError(record_id)
    return messages


def _usage(held: object) -> Usage:
    data = held if isinstance(held, dict) else {}
    counts = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")
    return Usage(*(_number(data.get(name)) for name in counts))


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
