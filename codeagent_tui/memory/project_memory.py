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

from codeagent_tui.memory.project_budget import Budget
from codeagent_tui.memory.project_reader import FoundFile, Passage, Reader, Room, Stamp, stamp
from codeagent_tui.text import one_line

BUDGET_CHARACTERS = 24_000
MEMORY_FILE = "CODEAGENT.md"
LOCAL_FILE = "CODEAGENT.local.md"
TEAM_FILES = (Path(MEMORY_FILE), Path(".code-agent-cli", MEMORY_FILE), Path(".codeagent", MEMORY_FILE))
FOREIGN_FILES = ("AGENTS.md", "CLAUDE.md")
_MOST_NAMED = 4


class Layer(StrEnum):
    """Who a file speaks for."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


_PRIORITY = (Layer.LOCAL, Layer.PROJECT, Layer.USER)


@dataclass(frozen=True, slots=True)
class MemorySource:
    """One file that was read, or could not be. `characters` are those in the text; `state` is `loaded`, `loaded
    instead of CODEAGENT.md`, `cut`, `left out`, or why it was not read."""

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


@dataclass(slots=True)
class _Document:
    """One of the layered files with its imports, and what of it there was room for."""

    path: Path
    layer: Layer
    passages: list[Passage]
    parts: list[str]
    characters: dict[FoundFile, int]
    cut: dict[FoundFile, str]


class ProjectMemoryLoader:
    """Loads the files, and knows cheaply whether they have changed since. Not for several threads at once."""

    def __init__(
        self,
        project_root: Path,
        home: Path,
        *,
        working_directory: Path | None = None,
        budget_characters: int = BUDGET_CHARACTERS,
        budget_tokens: int | None = None,
        read_foreign: bool = True,
    ) -> None:
        """`home` is the data folder; `working_directory` a folder below the root; `budget_tokens` a second bound, for
        small windows; `read_foreign` allows AGENTS.md and CLAUDE.md where there is no CODEAGENT.md."""
        self._root = Path(os.path.realpath(project_root))
        self._home = home
        self._cwd = Path(os.path.realpath(working_directory or project_root))
        self._read_foreign = read_foreign
        self.budget_characters = budget_characters
        self.budget_tokens = budget_tokens
        self._loaded_with: tuple[int, int | None] | None = None
        self._looked_at: dict[Path, Stamp | None] = {}

    def load(self) -> ProjectMemory:
        """Read everything. What is missing, damaged or too large is told in `notices`, never raised."""
        bounds = (self.budget_characters, self.budget_tokens)
        reader = Reader(self._root, Path(os.path.realpath(self._home)))
        rooms = {layer: Room(self.budget_characters) for layer in Layer}
        documents = [
            _Document(path, layer, reader.read(path, rooms[layer], trusted=layer is Layer.USER), [], {}, {})
            for path, layer in self._files(reader)
        ]
        budget = Budget(*bounds)
        for layer in _PRIORITY:
            for document in documents:
                if document.layer is layer:
                    _fill(document, budget)
        notices = [*_told_of_cuts(documents, self.budget_characters, self._root), *reader.notices]
        text = "\n\n".join(
            f"[from {_shown(document.path, self._root)}]\n{body}" for document in documents if (body := _body(document))
        )
        sources = tuple(source for document in documents for source in _sources(document))
        self._looked_at, self._loaded_with = reader.looked_at, bounds
        return ProjectMemory(text, sources, tuple(notices))

    def changed(self) -> bool:
        """Whether a file that was read or looked for is another than at the last `load` (or there was none yet)."""
        if self._loaded_with != (self.budget_characters, self.budget_tokens):
            return True
        return any(stamp(path) != before for path, before in self._looked_at.items())

    def _files(self, reader: Reader) -> Iterator[tuple[Path, Layer]]:
        """Yield the files in the order of the text, whether they are there or not."""
        yield self._home / MEMORY_FILE, Layer.USER
        folders = self._folders()
        team = [folder / name for folder in folders for name in TEAM_FILES]
        local = [folder / LOCAL_FILE for folder in folders]
        foreign = [folder / name for folder in folders for name in FOREIGN_FILES]
        for path in (*team, *local, *foreign):
            reader.look(path)
        if self._read_foreign and not any(map(os.path.isfile, (*team, *local))):
            for folder in folders:
                names = [name for name in FOREIGN_FILES if os.path.isfile(folder / name)]  # noqa: PTH113
                team += [folder / name for name in names[:1]]
        for path in team:
            yield path, Layer.PROJECT
        for path in local:
            yield path, Layer.LOCAL

    def _folders(self) -> list[Path]:
        """Return the folders from the project's root down to the working directory."""
        if not self._cwd.is_relative_to(self._root):
            return [self._root]
        below = self._cwd.relative_to(self._root).parts
        return [self._root.joinpath(*below[:depth]) for depth in range(len(below) + 1)]


def _fill(document: _Document, budget: Budget) -> None:
    """Put into `document.parts` what there is room for."""
    for passage in document.passages:
        file, text = passage.file, "\n".join(passage.lines)
        taken = "" if budget.spent else budget.take(text)
        document.characters[file] = document.characters.get(file, 0) + len(taken)
        if taken != text or passage.goes_on:
            document.cut[file] = "cut" if document.characters[file] else "left out"
        if passage.lines and (taken or not text):
            document.parts.append(taken)


def _body(document: _Document) -> str:
    """Return the text of a file and its imports, with a mark where something is missing at its end."""
    body = "\n".join(document.parts).strip("\n")
    if not document.cut:
        return body if body.strip() else ""
    names = ", ".join(f"{one_line(file.path.name)} ({how})" for file, how in list(document.cut.items())[:_MOST_NAMED])
    more = f" and {len(document.cut) - _MOST_NAMED} more" if len(document.cut) > _MOST_NAMED else ""
    return f"{body}\n[cut: the budget of project memory is used up; {names}{more}]".lstrip("\n")


def _sources(document: _Document) -> Iterator[MemorySource]:
    foreign = document.path.name in FOREIGN_FILES
    for file in dict.fromkeys(passage.file for passage in document.passages):
        loaded = f"loaded instead of {MEMORY_FILE}" if foreign and file.path == document.path else "loaded"
        state = file.problem or document.cut.get(file, loaded)
        yield MemorySource(file.path, document.layer, document.characters[file], state, file.imported_by)


def _told_of_cuts(documents: list[_Document], budget: int, root: Path) -> list[str]:
    """Return one notice for all that did not fit."""
    cuts = [(_shown(file.path, root), how) for document in documents for file, how in document.cut.items()]
    if not cuts:
        return []
    named = "; ".join(f"{name} was {how}" for name, how in cuts[:_MOST_NAMED])
    more = f"; and {len(cuts) - _MOST_NAMED} more" if len(cuts) > _MOST_NAMED else ""
    return [
        f"Project memory is longer than its budget ({budget:,} characters, less in a small window): {named}{more}. "
        f"Room goes to {LOCAL_FILE} first, then to the project's files, then to your own."
    ]


def _shown(path: Path, root: Path) -> str:
    if path.is_relative_to(root):
        return one_line(path.relative_to(root).as_posix())
    home = Path.home()
    return one_line(f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path))
