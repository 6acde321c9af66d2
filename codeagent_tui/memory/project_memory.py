"""Project memory: the CODEAGENT.md files from the user's to this machine's, with their imports, within a budget.

Order: `<home>/CODEAGENT.md` (user); the project's `CODEAGENT.md`, `.code-agent-cli/CODEAGENT.md`,
`.codeagent/CODEAGENT.md` (team); the same of each folder on the way down to where the agent was started; last
`CODEAGENT.local.md` (this machine). Where a project's team has none of them, its AGENTS.md or CLAUDE.md is read.

When the budget does not hold everything, this machine's files come before the team's and the team's before the
user's; the order in the text stays.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.import_consent import Answer, ConsentsDamaged, ImportConsents, OutsideFile
from codeagent_tui.memory.project_budget import Budget
from codeagent_tui.memory.project_layers import FOREIGN_FILES, MEMORY_FILE, Layer, folders_down, layered_files
from codeagent_tui.memory.project_reader import Reader, Room, Stamp, stamp
from codeagent_tui.memory.project_text import Document, TextPart, assemble, share_out, told_of_cuts

__all__ = ["Layer", "MemorySource", "ProjectMemory", "ProjectMemoryLoader", "TextPart"]

BUDGET_CHARACTERS = 24_000


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
    """The text for the prompt, where each part of it is from, and what the user should know.

    `parts` are in the order of the text; `outside` are the files outside the project that it leads to.
    """

    text: str = ""
    sources: tuple[MemorySource, ...] = ()
    notices: tuple[str, ...] = ()
    parts: tuple[TextPart, ...] = ()
    outside: tuple[OutsideFile, ...] = ()

    def origin(self, offset: int) -> tuple[Path, int] | None:
        """Return the file and the line (from 1) that the character at `offset` of the text is from, None for a mark of
        ours."""
        at = bisect_right(self.parts, offset, key=lambda part: part.start) - 1
        if at < 0 or not self.parts[at].start <= offset < self.parts[at].end:
            return None
        part = self.parts[at]
        return part.path, part.line + self.text.count("\n", part.start, offset)


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
        consents: ImportConsents | None = None,
    ) -> None:
        """`home` is the data folder; `working_directory` a folder below the root; `budget_tokens` a second bound, for
        small windows; `read_foreign` allows AGENTS.md and CLAUDE.md where the team has no CODEAGENT.md; `consents` is
        what the user has said about files outside the project (None: none may be read)."""
        self._root = Path(os.path.realpath(project_root))
        self._home = home
        self._folders = folders_down(self._root, Path(os.path.realpath(working_directory or project_root)))
        self._consents = consents
        # These three may be set at any time, also while another thread loads; the next load goes by them.
        self.read_foreign = read_foreign
        self.budget_characters = budget_characters
        self.budget_tokens = budget_tokens
        self._loaded_with: tuple[int, int | None, bool] | None = None
        self._looked_at: dict[Path, Stamp | None] = {}

    @property
    def stamps(self) -> Mapping[Path, Stamp | None]:
        """Every path whose coming, going or changing would change the text, with what was there at the last `load`."""
        return self._looked_at

    def load(self) -> ProjectMemory:
        """Read everything. What is missing, damaged or too large is told in `notices`, never raised."""
        bounds = characters, tokens, foreign = self._bounds
        stamp_of_answers = stamp(self._consents.path) if self._consents else None
        answers, damage = self._answers()
        reader = Reader(self._root, Path(os.path.realpath(self._home)), answers)
        rooms = {layer: Room(characters) for layer in Layer}
        files = layered_files(self._home, self._folders, foreign=foreign, look=reader.look)
        documents = [
            Document(path, layer, reader.read(path, rooms[layer], trusted=layer is Layer.USER)) for path, layer in files
        ]
        budget = Budget(characters, tokens)
        share_out(documents, budget)
        text, parts = assemble(documents, self._root)
        notices = (*damage, *told_of_cuts(documents, budget, self._root), *reader.notices)
        sources = tuple(source for document in documents for source in _sources(document))
        self._looked_at, self._loaded_with = reader.looked_at, bounds
        if self._consents:
            self._looked_at[self._consents.path] = stamp_of_answers
        return ProjectMemory(text, sources, notices, parts, tuple(reader.outside))

    def _answers(self) -> tuple[dict[Path, Answer], tuple[str, ...]]:
        """Return what was said about files outside, and what is wrong with that."""
        try:
            return (self._consents.answers() if self._consents else {}), ()
        except ConsentsDamaged as error:
            return {}, (str(error),)

    def changed(self) -> bool:
        """Whether `load` would now read something else than it did last (or it has not read anything yet)."""
        return self._loaded_with != self._bounds or self.files_changed()

    def files_changed(self) -> bool:
        """Whether a file that was read or looked for is another than at the last `load`."""
        return any(stamp(path) != before for path, before in self._looked_at.items())

    @property
    def _bounds(self) -> tuple[int, int | None, bool]:
        return self.budget_characters, self.budget_tokens, self.read_foreign


def _sources(document: Document) -> Iterator[MemorySource]:
    foreign = document.path.name in FOREIGN_FILES
    for file in dict.fromkeys(passage.file for passage in document.passages):
        loaded = f"loaded instead of {MEMORY_FILE}" if foreign and file.path == document.path else "loaded"
        state = file.problem or document.cut.get(file, loaded)
        yield MemorySource(file.path, document.layer, document.characters[file], state, file.imported_by)
