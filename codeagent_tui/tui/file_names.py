"""Names of the workspace's files for the composer's `@`: what version control would show, nearest match first."""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from codeagent_tui.tools.ignore_rules import walk

_MOST_FILES = 20_000
_LONGEST_WALK = 1.0
_FRESH_SECONDS = 5.0
_MOST_SHOWN = 50


class FileNames:
    """Knows the names under one folder; they are read again when they are some seconds old. Blocks: use a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: tuple[str, ...] = ()
        self._read_at = float("-inf")

    def matching(self, wanted: str) -> list[str]:
        """Return at most fifty paths that hold `wanted`'s characters in order; folders end in `/`."""
        if time.monotonic() - self._read_at > _FRESH_SECONDS:
            self._names = tuple(self._walk())
            self._read_at = time.monotonic()
        return best_matches(wanted, self._names)

    def _walk(self) -> Iterable[str]:
        end = time.monotonic() + _LONGEST_WALK
        found = walk(self._folder, keep_going=lambda: time.monotonic() < end)
        return [entry.relative + ("/" if entry.is_dir else "") for entry in islice(found, _MOST_FILES)]


def best_matches(wanted: str, names: Iterable[str]) -> list[str]:
    """Return the names that fit `wanted` best: its text in the last part, anywhere, else its characters in order."""
    needle = wanted.lower()
    ranked = []
    for name in names:
        rank = _rank(needle, name.lower())
        if rank is not None:
            ranked.append((rank, len(name), name))
    return [name for _, _, name in sorted(ranked)[:_MOST_SHOWN]]


def _rank(needle: str, name: str) -> int | None:
    last = name.rstrip("/").rsplit("/", 1)[-1]
    if last.startswith(needle) or name.startswith(needle):
        return 0
    if needle in last:
        return 1
    if needle in name:
        return 2
    position = 0
    for char in needle:
        position = name.find(char, position) + 1
        if not position:
            return None
    return 3
