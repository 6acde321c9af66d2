"""What changed between two states of project memory, in one short line for people."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from codeagent_tui.memory.project_layers import shown_path
from codeagent_tui.memory.project_memory import ProjectMemory

_MOST_NAMED = 3


def lines_by_file(memory: ProjectMemory) -> dict[Path, list[str]]:
    """Return the lines of each file that are in the text; a file that was read and gave none has an empty list."""
    failed = {source.path for source in memory.sources if source.state not in _READ and not source.characters}
    lines: dict[Path, list[str]] = {source.path: [] for source in memory.sources if source.path not in failed}
    for part in memory.parts:
        lines.setdefault(part.path, []).extend(memory.text[part.start : part.end].split("\n"))
    return lines


_READ = ("loaded", "loaded instead of CODEAGENT.md", "cut", "left out")


def changes(before: ProjectMemory, after: ProjectMemory, missing_before: Collection[Path], root: Path) -> str:
    """Return what changed, "" when nothing that is sent did. `missing_before` are the paths where no file was before.

    `CODEAGENT.md changed (+3 -1 lines); docs/style.md created (12 lines)`.
    """
    old, new = lines_by_file(before), lines_by_file(after)
    told = []
    for path in dict.fromkeys((*new, *old)):
        words = _words(path, old.get(path), new.get(path), existed=path not in missing_before)
        if words:
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
