"""The facts that are seen from one folder: those of its project and the global ones, and every change of them."""

from __future__ import annotations

import os
from pathlib import Path

from codeagent_tui.memory.adoption import Orphan, orphans
from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.fact_rules import as_fact, refusal
from codeagent_tui.memory.fact_search import facts_meant
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreResult
from codeagent_tui.memory.project_identity import ProjectIdentity, identify


class ProjectFacts:
    """Looks and changes for the project that `folder` lies in. Methods touch files, and may be called in any thread."""

    def __init__(self, path: Path, folder: Path) -> None:
        """`path` is the file of all facts."""
        self._folder = folder
        self.identity: ProjectIdentity = identify(folder)
        self.long_term = LongTermMemory(path)

    def folders(self) -> frozenset[Path]:
        """Return where a change of the file can be seen: its folder, and that of the file which it is a link to."""
        path = self.long_term.path
        return frozenset((path.parent, Path(os.path.realpath(path)).parent))

    def visible(self) -> tuple[MemoryEntry, ...]:
        """Return the facts that are seen here, oldest first, as they are on disk now."""
        self.long_term.reload_if_changed()
        # Looked at anew: another process may have given the repository its id meanwhile.
        self.identity = identify(self._folder)
        return self.long_term.entries(self.identity.names)

    def save(self, content: str, scope: Scope, source: str) -> StoreResult:
        """Save a fact; it is on disk when the result says so."""
        here = self._identity_for(scope if not refusal(as_fact(content)) else Scope.GLOBAL)
        return self.long_term.store(
            content, scope, here.name, source=source, folder=str(here.root), aliases=here.aliases
        )

    def edit(self, entry_id: str, content: str) -> StoreResult:
        """Let a fact say something else, by the rules for a new one."""
        return self.long_term.edit(entry_id, content, aliases=self.identity.names)

    def move(self, entry_id: str, scope: Scope) -> StoreResult:
        """Let a fact be one of all projects, or of this one."""
        here = self._identity_for(scope)
        return self.long_term.move(entry_id, scope, here.name, folder=str(here.root), aliases=here.aliases)

    def forget(self, wanted: str) -> list[MemoryEntry]:
        """Forget the one fact that `wanted` means; return what it may mean. Several: none is forgotten.

        Raises:
            OSError: when it could not be forgotten on disk; it is still there then.
        """
        hits = facts_meant(wanted, sorted(self.visible(), key=lambda entry: -entry.timestamp))
        return hits if len(hits) != 1 else self.long_term.delete_many([hits[0].id])

    def adoptable(self) -> list[Orphan]:
        """Return the projects that are not where they were, with their facts: perhaps this is one of them."""
        self.visible()
        return orphans(self.long_term.entries(), self.identity)

    def to_offer(self) -> list[Orphan]:
        """Return those that this project probably is; none once it has facts of its own, for then it is known."""
        if any(entry.scope is Scope.PROJECT for entry in self.visible()):
            return []
        return [orphan for orphan in self.adoptable() if orphan.likely]

    def adopt(self, name: str) -> int:
        """Take over the facts of the project `name`; return how many there were.

        Raises:
            OSError: when that could not be written; nothing has changed then.
        """
        here = self._identity_for(Scope.PROJECT)
        return self.long_term.reassign(name, here.name, folder=str(here.root))

    def _identity_for(self, scope: Scope) -> ProjectIdentity:
        # A repository gets its id with its first fact, and not for looking.
        self.identity = identify(self._folder, create=scope is Scope.PROJECT)
        return self.identity
