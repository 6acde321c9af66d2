"""A session in one line for lists, from the head and the tail of its log alone."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from codeagent_tui.conversation.messages import Role
from codeagent_tui.sessions.records import VERSION, BadRecord, decode
from codeagent_tui.text import one_line

_HEAD_BYTES = 4 * 1024
_TAIL_BYTES = 8 * 1024
_LONG_TAIL_BYTES = 64 * 1024
_TITLE_CHARACTERS = 80
_LINE_CHARACTERS = 160
_CUT_WORDS = re.compile(rb'"message":\{"role":"user","content":"((?:[^"\\]|\\.)*)')
"""What a user's message begins with, also where the end of its line was not read."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One line of the list of sessions.

    `turns` is how often the user has spoken, `tokens` what the providers counted for all requests together (both 0
    when they are not said near the end of the log); `first` and `last` are the first
    and the last thing said; `ended` is whether the session was closed in order; `parent` is the id of the session
    that it was forked from. `size` is the log's, in bytes; `modified` is in seconds since the epoch.
    """

    session_id: str
    path: Path
    cwd: str
    title: str
    modified: float
    size: int
    turns: int = 0
    tokens: int = 0
    first: str = ""
    last: str = ""
    ended: bool = True
    parent: str = ""


def summarise(path: Path) -> SessionSummary | None:
    """Return the summary of the log at `path`; None when it cannot be read. Reads at most 76 KB of it."""
    found = _Found()
    try:
        with path.open("rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            found.read_head(file.read(_HEAD_BYTES))
            for size in (_TAIL_BYTES, _LONG_TAIL_BYTES):
                found.read_tail(_tail(file, status.st_size, size), cut=status.st_size > size)
                if found.last or status.st_size <= size:
                    break
    except OSError:
        return None
    return SessionSummary(
        session_id=found.session_id or path.stem.rsplit("-", 1)[-1],
        path=path,
        cwd=found.cwd,
        title=one_line(found.title or found.first, _TITLE_CHARACTERS),
        modified=status.st_mtime,
        size=status.st_size,
        turns=found.turns,
        tokens=found.tokens,
        first=one_line(found.first, _LINE_CHARACTERS),
        last=one_line(found.last, _LINE_CHARACTERS),
        ended=found.ended,
        parent=found.parent,
    )


def _tail(file: BinaryIO, whole: int, size: int) -> bytes:
    file.seek(max(0, whole - size))
    return file.read(size)


class _Found:
    """What the read parts of a log have told so far."""

    def __init__(self) -> None:
        self.session_id = self.cwd = self.parent = self.title = self.first = self.last = ""
        self.turns = self.tokens = 0
        self.ended = True

    def read_head(self, data: bytes) -> None:
        """Take the header, the first words and an early title from the first bytes."""
        for line in data.split(b"\n"):
            record = _record(line)
            if record is None:
                if not self.first and (cut := _CUT_WORDS.search(line)):
                    self.first = _unescaped(cut[1])
                continue
            match record.get("type"):
                case "session":
                    self.session_id = self.session_id or str(record.get("id", ""))
                    self.cwd = self.cwd or str(record.get("cwd", ""))
                    self.parent = self.parent or str(record.get("parent", ""))
                    self.title = self.title or str(record.get("title", ""))
                case "title":
                    self.title = str(record.get("title", ""))
                case "message" if not self.first:
                    self.first = _words(record, Role.USER)

    def read_tail(self, data: bytes, *, cut: bool) -> None:
        """Take what is said nearest to the end from the last bytes; with `cut` they begin in the middle of a line."""
        lines = data.split(b"\n")[1:] if cut else data.split(b"\n")
        title, tokens, newest, complete = "", 0, True, False
        for line in reversed(lines):
            record = _record(line)
            if record is None:
                continue
            if newest:
                newest = False
                self.turns = _number(record.get("turn"))
                # The end marker says again what else would have to be looked for.
                complete = record.get("type") == "end"
                self.ended = complete or _number(record.get("v")) < VERSION
            title = title or str(record.get("title", ""))
            tokens = tokens or _number(record.get("tokens"))
            self.last = self.last or _words(record, Role.USER, Role.ASSISTANT)
            if self.last and (complete or (title and tokens)):
                break
        self.title = title or self.title
        self.tokens = tokens


def _record(line: bytes) -> dict[str, object] | None:
    if not line.strip():
        return None
    try:
        return decode(line)
    except BadRecord:
        return None


def _words(record: dict[str, object], *roles: Role) -> str:
    message = record.get("message")
    if not isinstance(message, dict) or message.get("role") not in roles or "kind" in message:
        return ""
    content = message.get("content", "")
    return content if isinstance(content, str) else json.dumps(content)


def _unescaped(piece: bytes) -> str:
    """Return the start of a JSON string whose end was not read."""
    text = piece.decode("utf-8", "ignore")
    for cut in range(7):
        try:
            return str(json.loads(f'"{text[: len(text) - cut]}"', strict=False))
        except ValueError:
            # An escape was cut in two.
            continue
    return ""


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
