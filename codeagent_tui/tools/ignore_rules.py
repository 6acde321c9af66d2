"""Walks a tree as version control sees it: nested .gitignore and .ignore files, no caches, no links, bounded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.tools.ignore_patterns import Rules, rules_above, rules_of

SKIPPED_FOLDERS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        "node_modules",
        ".venv",
        "venv",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".tox",
        ".nox",
        ".idea",
        ".gradle",
        ".terraform",
    }
)
"""Skipped also where nobody ignores them: never written by hand, and often huge."""

_BETWEEN_QUESTIONS = 512
_NAMED = 5


@dataclass(slots=True)
class Walked:
    """What a walk met and left out."""

    ignored: int = 0
    unreadable: int = 0
    stopped: bool = False
    """The walk was told to stop before its end."""
    first_ignored: list[str] = field(default_factory=list)
    """The first few of what was left out, from the top, folders ending in `/`."""

    def leave_out(self, relative: str, *, is_dir: bool) -> None:
        """Count an entry that is ignored."""
        self.ignored += 1
        if len(self.first_ignored) < _NAMED:
            self.first_ignored.append(relative + "/" if is_dir else relative)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the tree; `relative` is its path from the top, with `/`."""

    path: str
    relative: str
    is_dir: bool
    depth: int


def walk(
    top: Path,
    *,
    root: Path | None = None,
    include_ignored: bool = False,
    depth: int | None = None,
    keep_going: Callable[[], bool] = lambda: True,
    walked: Walked | None = None,
) -> Iterator[Entry]:
    """Yield what lies under `top`, folders before what is in them, names in order. Links are not followed.

    Ignore files of the folders from `root` (or the repository, where that is higher) down to `top` count too, unless
    they leave out `top` itself: then it was asked for all the same. `keep_going` is asked again and again; when it says
    no, the walk ends and `walked.stopped` is set. Blocks: run it in a thread.
    """
    walked = walked or Walked()
    inherited = None if include_ignored else rules_above(top, root or top)
    if inherited and inherited.ignores("", is_dir=False):
        inherited = None
    stack: list[tuple[str, str, int, Rules | None]] = [(os.fspath(top), "", 1, inherited)]
    while stack:
        if not keep_going():
            walked.stopped = True
            return
        folder, prefix, level, rules = stack.pop()
        entries = _entries(folder, walked)
        if not include_ignored:
            rules = rules_of(Path(folder), (entry.name for entry in entries), prefix, rules)
        below = []
        for number, entry in enumerate(entries, 1):
            if number % _BETWEEN_QUESTIONS == 0 and not keep_going():
                walked.stopped = True
                return
            relative = prefix + entry.name
            is_dir = _is_real_dir(entry)
            if entry.name == ".git":
                continue
            if not include_ignored and (
                (is_dir and entry.name in SKIPPED_FOLDERS) or (rules and rules.ignores(relative, is_dir=is_dir))
            ):
                walked.leave_out(relative, is_dir=is_dir)
                continue
            yield Entry(entry.path, relative, is_dir, level)
            if is_dir and (depth is None or level < depth):
                below.append((entry.path, relative + "/", level + 1, rules))
        stack += reversed(below)


def _entries(folder: str, walked: Walked) -> list[os.DirEntry[str]]:
    """Return what is in `folder` in the order of names; nothing, and counted, when it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        walked.unreadable += 1
        return []


def _is_real_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
