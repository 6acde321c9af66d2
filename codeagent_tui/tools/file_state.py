"""What the model has seen of each file, so that nobody else's change is ever overwritten unseen."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.tools.tool import ToolError


def digest_of(data: bytes) -> str:
    """Return the identity of a file's content. Times and sizes lie; content does not."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Seen:
    """The content that was seen, by digest, and whether all of it was."""

    digest: str
    whole: bool


class FileState:
    """The files seen in a session, and one lock a file: edits of the same file happen one after the other."""

    def __init__(self) -> None:
        self._seen: dict[Path, Seen] = {}
        self._locks: dict[Path, asyncio.Lock] = {}

    def lock(self, path: Path) -> asyncio.Lock:
        """Return the lock that guards `path` from check to replacement."""
        return self._locks.setdefault(path, asyncio.Lock())

    def saw(self, path: Path, digest: str, *, whole: bool) -> None:
        """Note that the model has seen `path` with this content; several partial reads never make a whole one."""
        before = self._seen.get(path)
        kept = before is not None and before.digest == digest and before.whole
        self._seen[path] = Seen(digest, whole or kept)

    def changed(self, path: Path, digest: str) -> None:
        """Note our own change of a file that was checked: what was known of the rest of it is still true."""
        before = self._seen.get(path)
        self._seen[path] = Seen(digest, before is not None and before.whole)

    def forget(self, path: Path) -> None:
        """Note that what was seen of `path` is worth nothing any more."""
        self._seen.pop(path, None)

    def check(self, path: Path, digest: str, shown: str, *, whole: bool) -> None:
        """Make sure that the model knows the content that `path` has now; `whole` asks that it has seen all of it.

        Raises:
            ToolError: with the advice to read the file (again).
        """
        seen = self._seen.get(path)
        if seen is None:
            raise ToolError(f"{shown} was not changed: it has not been read in this session. Read it first.")
        if seen.digest != digest:
            raise ToolError(
                f"{shown} was not changed: it is no longer what you read, somebody else has changed it since. "
                "Read it again, then decide."
            )
        if whole and not seen.whole:
            raise ToolError(
                f"{shown} was not overwritten: only a part of it has been read. Read the rest, or use edit_file."
            )
