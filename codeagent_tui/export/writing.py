"""Puts an exported file in its place: whole or not at all, and over another one only when that was asked for."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from codeagent_tui.paths import PRIVATE_FILE_MODE, sync_directory
from codeagent_tui.sessions.leftovers import remove_leftovers, temporary_beside

_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL)
"""What file systems without hard links answer."""


def write_whole(path: Path, data: bytes, *, replace: bool = False) -> None:
    """Write `data` to `path`, durable when this returns, for its owner alone.

    Raises:
        FileExistsError: when something is there already and `replace` is not set; nothing was written then.
        OSError: when it cannot be written; what was there is as it was.
    """
    if not replace and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "the file is there already", str(path))
    remove_leftovers([path.parent])
    temporary = temporary_beside(path)
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            _move_new(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    with suppress(OSError):
        sync_directory(path.parent)


def _move_new(temporary: Path, path: Path) -> None:
    try:
        # Unlike a rename, a link never takes the place of a file that came there meanwhile.
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE))
        temporary.replace(path)
