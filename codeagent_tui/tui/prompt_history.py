"""What the user has sent before, across sessions: one private file of JSON lines, only appended to."""

from __future__ import annotations

import json
import os
from pathlib import Path

from codeagent_tui.paths import PRIVATE_FILE_MODE, ensure_private_dir
from codeagent_tui.text import replace_surrogates

_MOST_ENTRIES = 2_000
_MOST_BYTES = 4_000_000
_LONGEST_ENTRY = 100_000


class PromptHistory:
    """The entries, oldest first. A history that cannot be read or written is only shorter; nothing else suffers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: list[str] = []
        self._loaded = False

    @property
    def entries(self) -> list[str]:
        """The entries, oldest first, without one right after its equal."""
        return self._entries

    def load(self) -> None:
        """Read the end of the file, once. Blocks: call it in a thread."""
        if self._loaded:
            return
        self._loaded = True
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _MOST_BYTES))
                lines = file.read().split(b"\n")
        except OSError:
            return
        old: list[str] = []
        for line in lines:
            text = _text_of(line)
            if text and text != (old[-1] if old else ""):
                old.append(text)
        self._entries[:0] = old[-_MOST_ENTRIES:]

    def add(self, text: str) -> None:
        """Append `text`, in memory and in the file, unless it is blank or the newest entry already."""
        text = replace_surrogates(text)
        if not text.strip() or (self._entries and self._entries[-1] == text) or len(text) > _LONGEST_ENTRY:
            return
        self._entries.append(text)
        try:
            ensure_private_dir(self._path.parent)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            fd = os.open(self._path, flags, PRIVATE_FILE_MODE)
        except OSError:
            return
        # A line feed first: a torn line before this one then costs only itself.
        with os.fdopen(fd, "wb") as file:
            try:
                file.write(b"\n" + json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n")
            except OSError:
                return


def _text_of(line: bytes) -> str:
    try:
        held = json.loads(line) if line.strip() else {}
    except ValueError:
        return ""
    text = held.get("text") if isinstance(held, dict) else None
    return text if isinstance(text, str) else ""


class HistoryWalk:
    """Going up and down the history from a draft, and back to the draft."""

    def __init__(self, history: PromptHistory) -> None:
        self._history = history
        self._at: int | None = None
        self._draft = ""

    @property
    def walking(self) -> bool:
        """Whether an older entry is being shown."""
        return self._at is not None

    def older(self, draft: str) -> str | None:
        """Return the entry before the one shown (the first time: the newest), or None at the top."""
        entries = self._history.entries
        at = len(entries) if self._at is None else self._at
        while at > 0:
            at -= 1
            if entries[at] != draft:
                break
        else:
            return None
        if self._at is None:
            self._draft = draft
        self._at = at
        return entries[at]

    def newer(self) -> str | None:
        """Return the entry after the one shown, in the end the draft; None when there is nothing newer."""
        if self._at is None:
            return None
        entries = self._history.entries
        self._at += 1
        if self._at < len(entries):
            return entries[self._at]
        self._at = None
        return self._draft

    def leave(self) -> None:
        """Take what is shown for the draft."""
        self._at = None

    def search(self, query: str, before: int | None = None) -> int | None:
        """Return the number of the newest entry, before number `before`, that holds `query` in any letter case."""
        entries = self._history.entries
        wanted = query.lower()
        for number in range((len(entries) if before is None else before) - 1, -1, -1):
            if wanted in entries[number].lower():
                return number
        return None
