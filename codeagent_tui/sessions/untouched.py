"""Files that changed since a moment and that no checkpoint knows of: what a rewind must be honest about."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from codeagent_tui.sessions.repository import GitFailed, Repository

MOST_NAMED = 50
_MOST_ENTRIES = 20_000
_LONGEST_SCAN = 0.5
_NOT_ENTERED = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"}


def changed_since(root: Path, moment: float, known: set[Path]) -> tuple[str, ...]:
    """Return the names of files below `root` changed after `moment` (seconds since the epoch) and not in `known`.

    At most `MOST_NAMED`. In a repository git says which files differ from the last commit; elsewhere the folder is
    looked through, for half a second at most.
    """
    found: list[str] = []
    for path in _candidates(root):
        if path in known or not path.is_relative_to(root):
            continue
        try:
            changed = path.lstat().st_mtime
        except OSError:
            # Deleted; when, nobody knows.
            continue
        if changed > moment:
            found.append(path.relative_to(root).as_posix())
            if len(found) == MOST_NAMED:
                break
    return tuple(sorted(found))


def _candidates(root: Path) -> Iterator[Path]:
    try:
        yield from Repository(root).status().changed
    except GitFailed:
        yield from _scan(root)


def _scan(root: Path) -> Iterator[Path]:
    deadline, entries = time.monotonic() + _LONGEST_SCAN, 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _NOT_ENTERED]
        for name in files:
            entries += 1
            if entries > _MOST_ENTRIES or time.monotonic() > deadline:
                return
            yield Path(folder, name)
