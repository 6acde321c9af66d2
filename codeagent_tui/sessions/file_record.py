"""The state of one file at one moment, as a log records it."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from codeagent_tui.sessions.contents import Contents, ContentsFull

LARGEST_KEPT = 10_000_000
"""Bytes: what the file tools can change at all. The content of a larger file is not kept, and the record says so."""


class FileKind(StrEnum):
    """What was at a path."""

    ABSENT = "absent"
    FILE = "file"
    LINK = "link"
    OTHER = "other"
    """A folder, a pipe, something unreadable: nothing that could be put back."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What was at `path`: for a file the digest of its content, its mode and size; for a link where it led.

    `kept` is whether the content can be put back; `note` says why not. `made` is the topmost folder above `path` that
    was not there either. `by_command` marks what a command did, not a file tool.
    """

    path: Path
    kind: FileKind
    sha256: str = ""
    mode: int | None = None
    size: int = 0
    link: str = ""
    kept: bool = True
    note: str = ""
    made: str = ""
    by_command: bool = False

    def same_as(self, other: FileRecord) -> bool:
        """Whether both say the same of the path; a mode that is not known is equal to any."""
        if (self.kind, self.sha256, self.link) != (other.kind, other.sha256, other.link):
            return False
        return self.mode is None or other.mode is None or self.mode == other.mode

    def to_json(self) -> dict[str, object]:
        """Return it as JSON data; what has its default is left out."""
        data: dict[str, object] = {**_path_to_json(self.path), "kind": self.kind.value}
        if not self.kept:
            data["kept"] = False
        values = {
            "sha256": self.sha256,
            "mode": self.mode,
            "size": self.size,
            "link": self.link,
            "note": self.note,
            "made": self.made,
            "by_command": self.by_command,
        }
        return data | {key: value for key, value in values.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> FileRecord | None:
        """Return what `data` says; None when it is damaged."""
        path, mode, size = _path_from_json(data), data.get("mode"), data.get("size", 0)
        try:
            kind = FileKind(str(data.get("kind")))
        except ValueError:
            return None
        if path is None or not isinstance(size, int) or not (mode is None or isinstance(mode, int)):
            return None
        return cls(
            path=path,
            kind=kind,
            sha256=str(data.get("sha256", "")),
            mode=mode,
            size=size,
            link=str(data.get("link", "")),
            kept=data.get("kept") is not False,
            note=str(data.get("note", "")),
            made=str(data.get("made", "")),
            by_command=data.get("by_command") is True,
        )


def _path_to_json(path: Path) -> dict[str, object]:
    raw = os.fsencode(path)
    try:
        return {"path": raw.decode("utf-8")}
    except UnicodeDecodeError:
        # A name that is no UTF-8 must come back byte for byte.
        return {"path64": base64.b64encode(raw).decode("ascii")}


def _path_from_json(data: Mapping[str, object]) -> Path | None:
    if isinstance(data.get("path64"), str):
        try:
            return Path(os.fsdecode(base64.b64decode(str(data["path64"]))))
        except ValueError:
            return None
    path = data.get("path")
    return Path(path) if isinstance(path, str) and path else None


def look(path: Path) -> FileRecord:
    """Return what is at `path` now, without keeping its content. Links at `path` itself are not followed."""
    return _look(path, None)


def capture(path: Path, contents: Contents, *, largest: int = LARGEST_KEPT) -> FileRecord:
    """Return what is at `path` now, its content kept in `contents`; where that is not possible the record says why."""
    return _look(path, contents, largest)


def _look(path: Path, contents: Contents | None, largest: int = LARGEST_KEPT) -> FileRecord:
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return FileRecord(path, FileKind.LINK, link=str(path.readlink()))
        if not stat.S_ISREG(status.st_mode):
            return FileRecord(path, FileKind.OTHER, kept=False, note="it is no regular file")
        record = FileRecord(path, FileKind.FILE, mode=stat.S_IMODE(status.st_mode), size=status.st_size)
        if contents is None or status.st_size > largest:
            digest = _digest_of(path)
            too_large = contents is not None
            note = f"larger than {largest:,} bytes" if too_large else ""
            return replace(record, sha256=digest, kept=not too_large, note=note)
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return FileRecord(path, FileKind.ABSENT, made=_first_missing(path))
    except OSError as error:
        return FileRecord(path, FileKind.OTHER, kept=False, note=f"it cannot be read: {error.strerror or error}")
    record = replace(record, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
    try:
        contents.keep(record.sha256, data)
    except ContentsFull as error:
        return replace(record, kept=False, note=str(error))
    except OSError as error:
        return replace(record, kept=False, note=f"its content could not be kept: {error.strerror or error}")
    return record


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _first_missing(path: Path) -> str:
    missing = ""
    for folder in path.parents:
        if folder.exists():
            break
        missing = str(folder)
    return missing
