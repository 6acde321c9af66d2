"""Puts a file's new content in place in one step, if the file is still what it was; mode and owner stay."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

from codeagent_tui.paths import sync_directory
from codeagent_tui.tools.tool import Checkpointer, ToolError


def digest_of(data: bytes) -> str:
    """Return the identity of a file's content. Times and sizes lie; content does not."""
    return hashlib.sha256(data).hexdigest()


def replace_content(
    path: Path, data: bytes, *, expected: str | None, shown: str, checkpoints: Checkpointer | None = None
) -> None:
    """Replace what is at `path`, if its digest is still `expected` (None: nothing is there); durable on return.

    `checkpoints` keeps what was there first.

    Mode, owner and extended attributes of the old file are kept, missing folders are made. `path` must be real:
    writing goes through links to what they point at.

    Raises:
        ToolError: when somebody else was quicker, or it cannot be written; the file is as it was then.
    """
    if checkpoints is not None:
        checkpoints.before_write(path, digest_of(data))
    # The process's number tells whose it was, if it is killed before it can clean up.
    temporary = path.with_name(f".codeagent-{os.getpid()}-{os.urandom(8).hex()}.tmp")
    try:
        if expected is not None and not os.access(path, os.W_OK):
            raise ToolError(f"{shown} was not written: it is write-protected.")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            # The process's umask makes this a new file's usual mode.
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
                file.write(data)
                if expected is not None:
                    _take_over(path, temporary)
                file.flush()
                os.fsync(file.fileno())
            _recheck(path, expected, shown)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)
    except OSError as error:
        raise ToolError(f"{shown} was not written: {error.strerror or error}. It is as it was.") from None


def _take_over(path: Path, temporary: Path) -> None:
    """Give the new file the old one's owner, mode and attributes, as far as that is allowed."""
    status = path.stat()
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        # Only root may give files away; the content matters more than the owner.
        with suppress(PermissionError):
            os.chown(temporary, status.st_uid, status.st_gid)
    shutil.copystat(path, temporary)
    os.utime(temporary)


def _recheck(path: Path, expected: str | None, shown: str) -> None:
    try:
        now: str | None = digest_of(path.read_bytes())
    except FileNotFoundError:
        now = None
    if now != expected:
        raise ToolError(f"{shown} was not written: it changed in this very moment. Read it again, then decide.")
