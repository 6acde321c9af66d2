"""What goes wrong behind the screen: a log of warnings, and a file of its own for a crash."""

from __future__ import annotations

import logging
import os
import time
import traceback
from pathlib import Path

from codeagent_tui.paths import PRIVATE_FILE_MODE, Paths, ensure_private_dir


def write_crash_log(paths: Paths, error: BaseException) -> Path | None:
    """Write the traceback of `error` into a file of its own under the logs; None when that failed too."""
    path = paths.logs / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    text = "".join(traceback.format_exception(error))
    try:
        ensure_private_dir(path.parent)
        path.touch(mode=PRIVATE_FILE_MODE)
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError:
        return None
    return path


class PrivateLog(logging.Handler):
    """Appends warnings and worse to a file that only its owner can read; the file appears with the first one."""

    _LARGEST = 1_000_000

    def __init__(self, path: Path) -> None:
        super().__init__(level=logging.WARNING)
        self._path = path
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Append one record; a log that cannot be written is no reason to stop."""
        try:
            data = f"{self.format(record)}\n".encode("utf-8", "replace")
            ensure_private_dir(self._path.parent)
            if self._path.exists() and self._path.stat().st_size > self._LARGEST:
                self._path.replace(self._path.with_suffix(".1.log"))
            fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE_MODE)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
        except OSError:
            return
