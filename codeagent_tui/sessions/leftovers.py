"""Temporary files: named by the process that made them, so that those of a dead one can be told and removed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from codeagent_tui.sessions.file_lock import process_lives

_OURS = re.compile(r"^\.codeagent-(\d+)-[0-9a-f]{16}\.tmp$|^\..+\.(\d+)\.[0-9a-f]{8}\.tmp$")


def temporary_beside(path: Path) -> Path:
    """Return a name for a temporary file in the folder of `path`."""
    return path.with_name(f".codeagent-{os.getpid()}-{os.urandom(8).hex()}.tmp")


def remove_leftovers(folders: Iterable[Path]) -> int:
    """Remove from `folders` (not from those below) the temporary files of processes that are gone; return how many."""
    removed = 0
    for folder in dict.fromkeys(folders):
        try:
            names = [entry.name for entry in os.scandir(folder)]
        except OSError:
            continue
        for name in names:
            found = _OURS.match(name)
            if found and not process_lives(int(found[1] or found[2])):
                with suppress(OSError):
                    (folder / name).unlink()
                    removed += 1
    return removed
