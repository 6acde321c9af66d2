"""Which paths are special: what decides what CodeAgent may do, and what makes other programs act."""

from __future__ import annotations

import os
from pathlib import Path

from codeagent_tui.paths import Paths
from codeagent_tui.secret_files import holds_secrets

_ACTED_ON = frozenset({".git", ".hg", ".svn", ".husky", ".githooks", ".vscode", ".idea", ".direnv"})
"""Folders whose files other programs run or obey without being asked to."""


class OwnFiles:
    """CodeAgent's own files in its data folder that no tool of an agent may write: permissions, settings, keys, and the
    facts that enter every prompt."""

    def __init__(self, own: Path) -> None:
        """`own` is the data folder."""
        paths = Paths(Path(os.path.realpath(own)))
        self.paths = (paths.permissions, paths.settings, paths.credentials, paths.long_term_memory)
        self.credentials = paths.credentials

    def holds(self, path: Path) -> bool:
        """Whether the absolute path `path` is one of them, also through a link or in another spelling."""
        # Their temporary copies and lock files lie beside them, and are named after them.
        if any(path.parent == file.parent and file.name in path.name for file in self.paths):
            return True
        identity = _identity(path)
        return identity is not None and any(identity == _identity(file) for file in self.paths)


def is_protected(path: Path, own: Path) -> bool:
    """Whether a change of `path` deserves a look even where edits are accepted: it makes other programs act, it holds
    secrets, or it lies in CodeAgent's data folder `own`."""
    if path.is_relative_to(os.path.realpath(own)) or holds_secrets(path):
        return True
    return any(part.lower() in _ACTED_ON for part in path.parts)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file on the disk from every other, whatever it is called, or None when there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
