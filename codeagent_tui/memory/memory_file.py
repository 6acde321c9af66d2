"""Reads and replaces one CODEAGENT.md as a whole: in its own encoding, in one step, never over somebody else's edit."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.project_reader import Stamp, stamp
from codeagent_tui.paths import PRIVATE_FILE_MODE, ensure_private_dir, sync_directory
from codeagent_tui.text import one_line
from codeagent_tui.text_encoding import UTF8, Encoding, decode

_LARGEST = 4 << 20
"""Bytes. Of a larger file the greatest part is never read anyway."""
_MODE_OF_NEW = 0o666
"""The process's umask makes this a new file's usual mode."""


class MemoryFileError(Exception):
    """The file cannot be read or written; the message says why. It is as it was."""


class ChangedMeanwhile(MemoryFileError):
    """Somebody else has written the file since it was read; nothing was written."""


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file as it was read. `path` is real: writing goes through links. A file that is not there has no stamp."""

    path: Path
    text: str = ""
    encoding: Encoding = UTF8
    stamp: Stamp | None = None

    @property
    def exists(self) -> bool:
        """Whether there is such a file."""
        return self.stamp is not None

    @property
    def newline(self) -> str:
        """The line ending that the file uses most; of one without any lines the usual one."""
        windows = self.text.count("\r\n")
        unix, old = self.text.count("\n") - windows, self.text.count("\r") - windows
        if windows > max(unix, old):
            return "\r\n"
        return "\r" if old > unix else "\n"


def read_memory_file(path: Path) -> MemoryFile:
    """Return the file at `path` with its text exactly as it is, line endings included.

    Raises:
        MemoryFileError: when it is no text file, too large, or cannot be read.
    """
    real = Path(os.path.realpath(path))
    shown = _shown(path)
    try:
        before = stamp(real)
        if before is None and not os.path.lexists(real):
            return MemoryFile(real)
        status = real.stat()
        if not stat.S_ISREG(status.st_mode):
            raise MemoryFileError(f"{shown} is {'a folder' if stat.S_ISDIR(status.st_mode) else 'no regular file'}.")
        if status.st_size > _LARGEST:
            raise MemoryFileError(f"{shown} is too large to be edited here ({status.st_size:,} bytes).")
        data = real.read_bytes()
    except OSError as error:
        raise MemoryFileError(f"{shown} cannot be read: {error.strerror or error}.") from None
    decoded = decode(data)
    if decoded is None:
        raise MemoryFileError(f"{shown} is no text file.")
    return MemoryFile(real, *decoded, before)


def replace_memory_file(old: MemoryFile, text: str, *, private: bool = False) -> None:
    """Put `text` in the place of `old`, in its encoding, if the file is still the one that was read; durable on return.

    A new file is UTF-8; `private` lets its owner alone read it. Mode and owner of an old one stay.

    Raises:
        ChangedMeanwhile: when it is another one now.
        MemoryFileError: when it cannot be written, or its encoding lacks a character.
    """
    shown = _shown(old.path)
    try:
        data = old.encoding.encode(text)
    except UnicodeEncodeError as error:
        lacking = error.object[error.start : error.start + 1]
        raise MemoryFileError(
            f"{shown} is in {old.encoding.name}, which has no “{lacking}”. Save it as UTF-8."
        ) from None
    try:
        if old.exists and not os.access(old.path, os.W_OK):
            raise MemoryFileError(f"{shown} is write-protected.")
        if private:
            ensure_private_dir(old.path.parent)
        else:
            old.path.parent.mkdir(parents=True, exist_ok=True)
        _replace(old, data, PRIVATE_FILE_MODE if private else _MODE_OF_NEW)
    except OSError as error:
        raise MemoryFileError(f"{shown} cannot be written: {error.strerror or error}.") from None


def _shown(path: Path) -> str:
    home = Path.home()
    return one_line(f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path))


def _replace(old: MemoryFile, data: bytes, mode_of_new: int) -> None:
    temporary = old.path.with_name(f".{old.path.name}.{os.urandom(6).hex()}.tmp")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode_of_new), "wb") as file:
            file.write(data)
            if old.exists:
                _take_over(old.path, temporary)
            file.flush()
            os.fsync(file.fileno())
        if stamp(old.path) != old.stamp:
            raise ChangedMeanwhile(f"{_shown(old.path)} was changed meanwhile.")
        temporary.replace(old.path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(old.path.parent)


def _take_over(path: Path, temporary: Path) -> None:
    status = path.stat()
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        # Only root may give files away; the content matters more than the owner.
        with suppress(PermissionError):
            os.chown(temporary, status.st_uid, status.st_gid)
    shutil.copymode(path, temporary)
