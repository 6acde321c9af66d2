"""The sessions on disk: where a project's are, which there are, and how one is read back."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.conversation.messages import Message, Role
from codeagent_tui.conversation.pairing import repair
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.records import BadRecord, decode, message_from_json
from codeagent_tui.text import one_line

_HEAD_BYTES = 64 * 1024
_TITLE_CHARACTERS = 80


class SessionError(Exception):
    """A session could not be found or read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One line of the list of sessions."""

    session_id: str
    path: Path
    cwd: str
    title: str
    modified: float
    size: int


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """A session read back: the history as it stood, and a log that goes on where the file ends."""

    messages: tuple[Message, ...]
    log: SessionLog
    notices: tuple[str, ...]


class SessionStore:
    """The sessions of one project under the history folder."""

    def __init__(self, history_folder: Path, cwd: Path) -> None:
        real = os.path.realpath(cwd)
        digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:10]
        self.cwd = cwd
        self.folder = history_folder / f"{Path(real).name or 'root'}-{digest}"

    def create(self) -> SessionLog:
        """Return the log of a new session."""
        return SessionLog.create(self.folder, self.cwd)

    def summaries(self) -> list[SessionSummary]:
        """Return the sessions, newest first; reads only the head of each file."""
        found: list[SessionSummary] = []
        try:
            names = [entry.path for entry in os.scandir(self.folder) if entry.name.endswith(".jsonl")]
        except OSError:
            return []
        for name in names:
            summary = _summary(Path(name))
            if summary is not None:
                found.append(summary)
        return sorted(found, key=lambda summary: summary.modified, reverse=True)

    def find(self, wanted: str) -> SessionSummary:
        """Return the session whose id begins with `wanted`; an empty `wanted` means the newest.

        Raises:
            SessionError: when there is none, or more than one.
        """
        hits = [summary for summary in self.summaries() if summary.session_id.startswith(wanted)]
        if not hits:
            raise SessionError(
                f"No session of this folder has the id {wanted!r}." if wanted else "This folder has no sessions yet."
            )
        if wanted and len(hits) > 1:
            raise SessionError(f"{len(hits)} sessions begin with {wanted!r}; give more of the id.")
        return hits[0]

    def load(self, summary: SessionSummary) -> LoadedSession:
        """Read a session back. Damaged lines are skipped and named; the file itself is not changed.

        Raises:
            SessionError: when the file cannot be read.
        """
        try:
            data = summary.path.read_bytes()
        except OSError as error:
            raise SessionError(f"The session {summary.path} cannot be read: {error}. It was left as it is.") from error
        messages: list[Message] = []
        sequence = skipped = 0
        foreign = False
        for record in _records(data):
            if record is not None and record.get("type") == "session":
                # Another session's records begin with its header, however they came into this file.
                foreign = record.get("id") != summary.session_id
            if record is None or foreign or not _apply(record, messages):
                skipped += 1
                continue
            number = record.get("seq")
            sequence = max(sequence, number if isinstance(number, int) else 0)
        notices = (f"{skipped} record(s) were skipped: damaged, or another session's.",) if skipped else ()
        log = SessionLog(summary.path, session_id=summary.session_id, cwd=self.cwd, sequence=max(sequence, 1))
        log.mend_tail(data)
        return LoadedSession(tuple(messages), log, notices)


def _records(data: bytes) -> Iterator[dict[str, object] | None]:
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            yield decode(line)
        except BadRecord:
            yield None


def _apply(record: dict[str, object], messages: list[Message]) -> bool:
    """Replay one record onto `messages`; False when it is damaged."""
    try:
        match record.get("type"):
            case "message":
                messages.append(message_from_json(record.get("message")))
            case "replace":
                count, held = record.get("count"), record.get("messages")
                if not isinstance(count, int) or not isinstance(held, list) or not 0 <= count <= len(messages):
                    return False
                # The live history was repaired when it was loaded; the count is of that list.
                messages[:] = repair(messages)
                messages[:count] = [message_from_json(message) for message in held]
    except BadRecord:
        return False
    return True


def _summary(path: Path) -> SessionSummary | None:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        status = path.stat()
    except OSError:
        return None
    session_id = cwd = title = ""
    for record in _records(head.rsplit(b"\n", 1)[0] if len(head) == _HEAD_BYTES else head):
        if record is None:
            continue
        if record.get("type") == "session":
            session_id = session_id or str(record.get("id", ""))
            cwd = cwd or str(record.get("cwd", ""))
        elif record.get("type") == "title":
            title = str(record.get("title", ""))
        elif not title and (text := _first_words(record)):
            title = text
    session_id = session_id or path.stem.rsplit("-", 1)[-1]
    return SessionSummary(session_id, path, cwd, one_line(title, _TITLE_CHARACTERS), status.st_mtime, status.st_size)


def _first_words(record: dict[str, object]) -> str:
    message = record.get("message")
    if isinstance(message, dict) and message.get("role") == Role.USER and "kind" not in message:
        content = message.get("content", "")
        return content if isinstance(content, str) else json.dumps(content)
    return ""
