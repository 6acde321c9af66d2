"""Project memory: the CODEAGENT.md files from the user's to this machine's, with their imports, within a budget.

Order: `<home>/CODEAGENT.md` (user); the project's `CODEAGENT.md`, `.code-agent-cli/CODEAGENT.md`,
`.codeagent/CODEAGENT.md` (team); the same of each folder on the way down to where the agent was started; last
`CODEAGENT.local.md` (this machine). Where a project has none of them, its AGENTS.md or CLAUDE.md is read instead.

When the budget does not hold everything, this machine's files come before the team's and the team's before the
user's; the order in the text stays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from codeagent_tui.memory.project_reader import Budget, Reader, ReadFile

BUDGET_CHARACTERS = 24_000
MEMORY_FILE = "CODEAGENT.md"
LOCAL_FILE = "CODEAGENT.local.md"
TEAM_FILES = (Path(MEMORY_FILE), Path(".code-agent-cli", MEMORY_FILE), Path(".codeagent", MEMORY_FILE))
FOREIGN_FILES = ("AGENTS.md", "CLAUDE.md")


class Layer(StrEnum):
    """Who a file speaks for."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


_PRIORITY = (Layer.LOCAL, Layer.PROJECT, Layer.USER)


@dataclass(frozen=True, slots=True)
class MemorySource:
    """One file that was read, or could not be: `state` is `loaded`, `cut`, or why it was left out."""

    path: Path
    layer: Layer
    characters: int
    state: str
    imported_by: Path | None = None


@dataclass(frozen=True, slots=True)
class ProjectMemory:
    """The text for the prompt, where each part of it is from, and what the user should know."""

    text: str = ""
    sources: tuple[MemorySource, ...] = ()
    notices: tuple[str, ...] = ()


class ProjectMemoryLoader:
    """Loads the files, and knows cheaply whether they have changed since."""

    def __init__(
        self,
        project_root: Path,
        home: Path,
        *,
        working_directory: Path | None = None,
        budget_characters: int = BUDGET_CHARACTERS,
        read_foreign: bool = True,
    ) -> None:
        """`home` is the data folder; `working_directory` a folder below the root; `read_foreign` allows AGENTS.md and
        CLAUDE.md where there is no CODEAGENT.md."""
        self._root = Path(os.path.realpath(project_root))
        self._home = home
        self._cwd = Path(os.path.realpath(working_directory or project_root))
        self._read_foreign = read_foreign
        self.budget_characters = budget_characters
        self._signature: tuple[tuple[str, int, int, int], ...] = ()
        self._looked_at: frozenset[Path] = frozenset()

    def load(self) -> ProjectMemory:
        """Read everything. What is missing, damaged or too large is told in `notices`, never raised."""
        candidates = list(self._candidates())
        if self._read_foreign and not any(path.is_file() for path, layer in candidates if layer is not Layer.USER):
            candidates += [
                (self._root / name, Layer.PROJECT) for name in FOREIGN_FILES if (self._root / name).is_file()
            ][:1]
        reader = Reader(self._root, self._home)
        # Read by priority, so that what matters most gets its share of the budget first; written in their order.
        budget = Budget(self.budget_characters)
        read: dict[int, list[ReadFile]] = {}
        for layer in _PRIORITY:
            for number, (path, own) in enumerate(candidates):
                if own is layer:
                    read[number] = reader.read(path, budget, trusted=layer is Layer.USER)
        parts: list[str] = []
        sources: list[MemorySource] = []
        for number, (path, layer) in enumerate(candidates):
            files = read.get(number, [])
            sources += [MemorySource(f.path, layer, f.characters, f.state, f.imported_by) for f in files]
            if files and files[0].text.strip():
                parts.append(f"[from {_shown(path, self._root)}]\n{files[0].text.strip()}")
        looked_at = {path for path, _ in self._candidates()} | reader.looked_at
        looked_at |= {self._root / name for name in FOREIGN_FILES}
        self._looked_at = frozenset(looked_at)
        self._signature = _signature(self._looked_at)
        return ProjectMemory("\n\n".join(parts), tuple(sources), tuple(reader.notices))

    def changed(self) -> bool:
        """Whether a file that was read or looked for is another than at the last `load` (or there was none yet)."""
        return not self._looked_at or _signature(self._looked_at) != self._signature

    def _candidates(self) -> Iterator[tuple[Path, Layer]]:
        yield self._home / MEMORY_FILE, Layer.USER
        for folder in self._folders():
            for name in TEAM_FILES:
                yield folder / name, Layer.PROJECT
        for folder in self._folders():
            yield folder / LOCAL_FILE, Layer.LOCAL

    def _folders(self) -> list[Path]:
        """Return the folders from the project's root down to the working directory."""
        if not self._cwd.is_relative_to(self._root):
            return [self._root]
        below = self._cwd.relative_to(self._root).parts
        return [self._root.joinpath(*below[:depth]) for depth in range(len(below) + 1)]


def _signature(paths: frozenset[Path]) -> tuple[tuple[str, int, int, int], ...]:
    found = []
    for path in sorted(paths):
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((str(path), status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(found)


def _shown(path: Path, root: Path) -> str:
    if path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
