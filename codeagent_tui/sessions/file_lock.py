"""One writer a session: a lock on the log itself, which the system lets go when its process ends, however it ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt

    _FAR_BEYOND = 1 << 62

    def lock(fd: int) -> bool:
        """Lock the open file `fd` for this process; False when another has it."""
        # A byte that nobody writes: on Windows a lock keeps others from reading what it covers.
        at = os.lseek(fd, 0, os.SEEK_CUR)
        try:
            os.lseek(fd, _FAR_BEYOND, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(fd, at, os.SEEK_SET)
        return True
else:
    import errno
    import fcntl

    def lock(fd: int) -> bool:
        """Lock the open file `fd` for this process; False when another has it.

        Where the file system knows no locks everybody gets one: then only the order of the records tells.
        """
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
        return True


def process_lives(pid: int) -> bool:
    """Whether a process with that number is running; what cannot be asked is taken to be."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        # There, signal 0 would end it.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
