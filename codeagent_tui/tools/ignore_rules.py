"""Walks a tree as version control sees it: nested .gitignore and .ignore files, no caches, no links, bounded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

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

IGNORE_FILES = (".gitignore", ".ignore")
_LARGEST_IGNORE_FILE = 1_000_000


@dataclass(slots=True)
class Walked:
    """What a walk met and left out."""

    ignored: int = 0
    unreadable: int = 0
    stopped: bool = False
    """The walk was told to stop before its end."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the tree; `relative` is its path from the top, with `/`."""

    path: str
    relative: str
    is_dir: bool
    depth: int


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore files of a folder and of those above it, nearest first."""

    spec: GitIgnoreSpec
    base: str
    above: _Rules | None = field(default=None)
    prefix: str = ""
    """For rules from above the walk's top: the way from their folder down to it."""

    def ignores(self, relative: str, *, is_dir: bool) -> bool:
        rules: _Rules | None = self
        while rules is not None:
            inside = rules.prefix + relative[len(rules.base) :]
            verdict = rules.spec.check_file(inside + "/" if is_dir else inside).include
            if verdict is not None:
                return verdict
            rules = rules.above
        return False


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

    Ignore files of the folders from `root` down to `top` count too. `keep_going` is asked at each folder; when it
    says no, the walk ends and `walked.stopped` is set. Blocks: run it in a thread.
    """
    walked = walked or Walked()
    inherited = None if include_ignored or root is None else _rules_above(top, root)
    stack: list[tuple[str, str, int, _Rules | None]] = [(os.fspath(top), "", 1, inherited)]
    while stack:
        if not keep_going():
            walked.stopped = True
            return
        folder, prefix, level, rules = stack.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            walked.unreadable += 1
            continue
        if not include_ignored:
            rules = _with_ignore_files(entries, prefix, rules)
        below = []
        for entry in entries:
            relative = prefix + entry.name
            is_dir = _is_real_dir(entry)
            skipped = is_dir and entry.name in SKIPPED_FOLDERS
            if (skipped and not include_ignored) or (rules and rules.ignores(relative, is_dir=is_dir)):
                walked.ignored += 1
                continue
            yield Entry(entry.path, relative, is_dir, level)
            if is_dir and (depth is None or level < depth):
                below.append((entry.path, relative + "/", level + 1, rules))
        stack += reversed(below)


def _rules_above(top: Path, root: Path) -> _Rules | None:
    """Return the rules of the folders from `root` down to the one that holds `top`."""
    if top == root or not top.is_relative_to(root):
        return None
    rules: _Rules | None = None
    for folder in reversed([above for above in top.parents if above.is_relative_to(root)]):
        lines = _ignore_lines(folder / name for name in IGNORE_FILES)
        if lines:
            prefix = top.relative_to(folder).as_posix() + "/"
            rules = _Rules(GitIgnoreSpec.from_lines(lines), "", rules, prefix)
    return rules


def _is_real_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _with_ignore_files(entries: list[os.DirEntry[str]], prefix: str, above: _Rules | None) -> _Rules | None:
    lines = _ignore_lines(Path(entry.path) for entry in entries if entry.name in IGNORE_FILES)
    return _Rules(GitIgnoreSpec.from_lines(lines), prefix, above) if lines else above


def _ignore_lines(files: Iterable[Path]) -> list[str]:
    lines: list[str] = []
    for file in files:
        try:
            if file.stat().st_size <= _LARGEST_IGNORE_FILE:
                lines += file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    return lines
