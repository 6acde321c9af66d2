"""A whole session as it is to be read: everything that was said, and where compactions and rewinds happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.sessions.reading import ReadLog, records_of

_DONE = {"stubs": "Large tool results were shortened", "by hand": "A message was taken out by hand"}
"""What a compaction did, by its way."""


class MarkKind(StrEnum):
    """What happened to the conversation there."""

    COMPACTION = "compaction"
    RESTORED = "compaction_taken_back"
    REWIND = "rewind"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened between two messages, at `at` seconds since the epoch; `detail` may be long."""

    kind: MarkKind
    text: str
    at: float
    detail: str = ""


Entry: TypeAlias = Message | Mark


@dataclass(frozen=True, slots=True)
class SessionTranscript:
    """A session read whole. Times are in seconds since the epoch, `tokens` what all requests together cost.

    `entries` holds what compactions have replaced, in its place; `notices` tells of damaged records.
    """

    session_id: str
    title: str
    cwd: str
    began: float
    ended: float
    turns: int
    tokens: int
    entries: tuple[Entry, ...]
    parent: str = ""
    notices: tuple[str, ...] = ()

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said, without the marks."""
        return tuple(entry for entry in self.entries if isinstance(entry, Message))


def read_transcript(path: Path, session_id: str = "", *, waiting: bytes = b"") -> SessionTranscript:
    """Read the session whose log is at `path`; `waiting` are its records that could not be written yet.

    Raises:
        OSError: when the log cannot be read.
    """
    reading = _Reading(ReadLog(session_id))
    for record in records_of(path, waiting):
        reading.take(record)
    return reading.transcript()


@dataclass(slots=True)
class _Reading:
    """What the records so far have told beside the replayed history."""

    read: ReadLog
    _originals: dict[str, str] = field(default_factory=dict)
    _marks: list[tuple[str, str, Mark]] = field(default_factory=list)
    """Each mark with the id of what it belongs to and of the message that it comes after."""
    _last: str = ""
    _began: float = 0.0
    _ended: float = 0.0

    def take(self, record: dict[str, object] | None) -> None:
        """Take the next record."""
        if not self.read.take(record) or record is None:
            return
        at = _number(record.get("at"))
        self._began = self._began or at
        self._ended = max(self._ended, at)
        match record.get("type"):
            case "message":
                message = record.get("message")
                if isinstance(message, dict):
                    self._last = str(message.get("id"))
                    self._originals.setdefault(self._last, str(message.get("content", "")))
            case "replace" | "compact":
                self._mark("", _compaction(record, at))
            case "restore":
                self._mark("", Mark(MarkKind.RESTORED, "A compaction was taken back.", at))
            case "rewind":
                self._rewind(record, at)

    def _mark(self, of: str, mark: Mark) -> None:
        self._marks.append((of, self._last, mark))

    def _rewind(self, record: Mapping[str, object], at: float) -> None:
        scope = str(record.get("scope"))
        if scope != "files":
            conversation = self.read.replay.conversation()
            self._last = conversation[-1].id if conversation else ""
        if undone := str(record.get("undo", "")):
            self._marks = [held for held in self._marks if held[0] != undone]
            return
        what = {"files": "Files were", "conversation": "The conversation was"}.get(scope, "Conversation and files were")
        self._mark(str(record.get("id")), Mark(MarkKind.REWIND, f"{what} taken back to an earlier moment.", at))

    def transcript(self) -> SessionTranscript:
        """Return everything that was taken as one conversation."""
        read = self.read
        said = [self._whole(message) for message in read.replay.conversation()]
        after: dict[str, list[Mark]] = {}
        for _, anchor, mark in self._marks:
            after.setdefault(anchor, []).append(mark)
        entries: list[Entry] = [*after.get("", ())]
        for message in said:
            entries += (message, *after.get(message.id, ()))
        first = next((message.content for message in said if message.starts_turn), "")
        return SessionTranscript(
            session_id=read.session_id,
            title=read.title or first.strip().partition("\n")[0],
            cwd=read.cwd,
            began=self._began,
            ended=self._ended,
            turns=sum(message.starts_turn for message in said),
            tokens=read.cost.total,
            entries=tuple(entries),
            parent=read.parent,
            notices=read.notices(),
        )

    def _whole(self, message: Message) -> Message:
        """Return `message` with the text that it first had: a large result may have given way to a stub."""
        original = self._originals.get(message.id, message.content)
        return message if message.content == original else replace(message, content=original)


def _compaction(record: Mapping[str, object], at: float) -> Mark:
    noted = record.get("record")
    noted = noted if isinstance(noted, dict) else {}
    before, after = (int(_number(noted.get(name))) for name in ("tokens_before", "tokens_after"))
    figures = f": {before:,} tokens became {after:,}" if before else ""
    held = record.get("messages")
    summaries = [
        str(message.get("content", ""))
        for message in (held if isinstance(held, list) else ())
        if isinstance(message, dict) and message.get("kind") == MessageKind.SUMMARY and message.get("role") == Role.USER
    ]
    what = _DONE.get(str(noted.get("way")), "Older turns were summarised")
    return Mark(MarkKind.COMPACTION, f"{what} for the model here{figures}.", at, "\n\n".join(summaries))


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
