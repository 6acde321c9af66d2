"""Temporary files: named by the process that made them, so that those of a dead one can be told and removed."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from codeagent_tui.sessions.file_lock import process_lives
from codeagent_tui.sessions.log import files_folder

_OURS = re.compile(r"^\.codeagent-(\d+)-[0-9a-f]{16}\.tmp$|^\..+\.(\d+)\.[0-9a-f]{8}\.tmp$")


def temporary_beside(path: Path) -> Path:
    """Return a name for a temporary file in the folder of `path`."""
    return path.with_name(f".codeagent-{os.getpid()}-{os.urandom(8).hex()}.tmp")


_SURELY_OVER = 3600.0
"""Seconds after which nobody is still making a fork."""


def remove_orphans(history_folder: Path) -> None:
    """Remove kept contents that belong to no log: those of a fork that was killed before its log was written."""
    try:
        names = {entry.name: entry for entry in os.scandir(history_folder)}
    except OSError:
        return
    logs = {files_folder(history_folder / name).name for name in names if name.endswith(".jsonl")}
    for name, entry in names.items():
        if name.endswith(".files") and name not in logs:
            with suppress(OSError):
                if time.time() - entry.stat().st_mtime > _SURELY_OVER:
                    shutil.rmtree(entry.path)


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
