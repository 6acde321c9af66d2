"""Puts one file back to a recorded state: whole or not at all, with its mode."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from codeagent_tui.paths import sync_directory
from codeagent_tui.sessions.contents import Contents
from codeagent_tui.sessions.file_record import FileKind, FileRecord, look
from codeagent_tui.sessions.leftovers import temporary_beside


class CannotRestore(Exception):
    """A file could not be put back; the message says why. It is as it was."""


def restore_file(now: FileRecord, then: FileRecord, contents: Contents) -> None:
    """Bring the file from `now` to `then`.

    Raises:
        CannotRestore: when it is no longer what `now` says, its content is not kept, or it cannot be written.
    """
    if not look(now.path).same_as(now):
        raise CannotRestore("it changed in this very moment")
    try:
        match then.kind:
            case FileKind.ABSENT:
                _delete(then)
            case FileKind.FILE:
                _write(then, contents)
            case FileKind.LINK:
                _link(then)
            case FileKind.OTHER:
                raise CannotRestore(then.note or "it was no file")
    except OSError as error:
        raise CannotRestore(error.strerror or str(error)) from error


def _delete(then: FileRecord) -> None:
    then.path.unlink(missing_ok=True)
    if not then.made:
        return
    # Folders that were made for it go too, if nothing else has moved in.
    folder = then.path.parent
    with suppress(OSError):
        while folder.is_relative_to(then.made):
            folder.rmdir()
            folder = folder.parent


def _write(then: FileRecord, contents: Contents) -> None:
    data = contents.read(then.sha256)
    if data is None:
        raise CannotRestore("its content is no longer kept")
    path = then.path
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_beside(path)
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644 if then.mode is None else then.mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def _link(then: FileRecord) -> None:
    temporary = temporary_beside(then.path)
    temporary.parent.mkdir(parents=True, exist_ok=True)
    try:
        temporary.symlink_to(Path(then.link))
        temporary.replace(then.path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
