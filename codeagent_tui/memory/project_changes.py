"""What changed between two states of project memory, in one short line for people."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.project_layers import shown_path
from codeagent_tui.memory.project_memory import ProjectMemory
from codeagent_tui.memory.project_reader import Stamp

_MOST_NAMED = 3


def lines_by_file(memory: ProjectMemory) -> dict[Path, list[str]]:
    """Return the lines of each file that are in the text; a file that was read and gave none has an empty list."""
    failed = {source.path for source in memory.sources if source.state not in _READ and not source.characters}
    lines: dict[Path, list[str]] = {source.path: [] for source in memory.sources if source.path not in failed}
    for part in memory.parts:
        lines.setdefault(part.path, []).extend(memory.text[part.start : part.end].split("\n"))
    return lines


_READ = ("loaded", "loaded instead of CODEAGENT.md", "cut", "left out")


@dataclass(frozen=True, slots=True)
class State:
    """Project memory as it was read at one time, and the stamps of the files then (None: there was none)."""

    memory: ProjectMemory
    stamps: Mapping[Path, Stamp | None]


def changes(before: State, after: State, root: Path) -> str:
    """Return what changed, "" when nothing that is sent did.

    `CODEAGENT.md changed (+3 -1 lines); docs/style.md created (12 lines)`. A file that only lost or won room because
    another one changed is not named: that it was cut is told elsewhere.
    """
    old, new = lines_by_file(before.memory), lines_by_file(after.memory)
    told = []
    for path in dict.fromkeys((*new, *old)):
        same = path in old and path in new and before.stamps.get(path) == after.stamps.get(path)
        words = _words(path, old.get(path), new.get(path), existed=before.stamps.get(path, ...) is not None)
        if words and not same:
            told.append(f"{shown_path(path, root)} {words}")
    more = f"; and {len(told) - _MOST_NAMED} more files" if len(told) > _MOST_NAMED else ""
    return "; ".join(told[:_MOST_NAMED]) + more


def _words(path: Path, old: list[str] | None, new: list[str] | None, *, existed: bool) -> str:
    if old is None and new is not None:
        return f"{'is read now' if existed else 'created'} ({_counted(len(new))})"
    if new is None and old is not None:
        return "is no longer read" if os.path.lexists(path) else "deleted"
    if old is None or new is None or old == new:
        return ""
    came, went = Counter(new) - Counter(old), Counter(old) - Counter(new)
    if not came and not went:
        return "changed (lines moved)"
    return f"changed (+{came.total()} -{went.total()} lines)"


def _counted(lines: int) -> str:
    return f"{lines:,} line{'' if lines == 1 else 's'}"
