"""Facts whose project is not where it was: they are offered to the project that is perhaps the same one, moved.

A git repository that was moved is found again by itself, by the id that it carries along. What is offered are the
facts of folders that are gone (without git, or from before the repository had an id), and those of a repository that
was made or cloned anew in its old place, and has another id now.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.project_identity import ProjectIdentity


@dataclass(frozen=True, slots=True)
class Orphan:
    """A project `name` whose `folder` is gone or belongs to another project now, with its facts, oldest first.

    `likely` says that it may well be this project: it was in this place, has its name, or lay beside it.
    """

    name: str
    folder: Path
    facts: tuple[MemoryEntry, ...]
    likely: bool


def orphans(facts: Iterable[MemoryEntry], here: ProjectIdentity) -> list[Orphan]:
    """Return the projects whose facts the project `here` may take over, likely ones first. Touches files."""
    by_name: dict[str, list[MemoryEntry]] = {}
    for fact in facts:
        if fact.scope is Scope.PROJECT and fact.project not in here.names:
            by_name.setdefault(fact.project, []).append(fact)
    found = []
    for name, own in by_name.items():
        folder = _folder(name, own)
        # An id has no place of its own: its repository may live on elsewhere, unless this is its place.
        if folder is None or (name.startswith("id:") and folder != here.root):
            continue
        if folder == here.root or not os.path.lexists(folder):
            found.append(Orphan(name, folder, tuple(own), _is_near(folder, here.root)))
    return sorted(found, key=lambda orphan: (not orphan.likely, str(orphan.folder)))


def _folder(name: str, facts: Iterable[MemoryEntry]) -> Path | None:
    kind, _, path = name.partition(":")
    match kind:
        case "path" if path:
            return Path(path)
        case "git" if path:
            return Path(path).parent if path.endswith("/.git") else Path(path)
        case "id":
            told = [fact.metadata.get("folder") for fact in facts]
            return next((Path(folder) for folder in reversed(told) if isinstance(folder, str) and folder), None)
    return None


def _is_near(folder: Path, root: Path) -> bool:
    return folder == root or folder.name == root.name or folder.parent == root.parent
