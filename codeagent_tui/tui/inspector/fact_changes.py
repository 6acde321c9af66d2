"""Changes of facts from the inspector, each of which can be taken back; it outlives the pane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.long_term_memory import StoreResult, StoreStatus
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.text import one_line

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class _Change:
    """What was done, and the facts as they were before."""

    did: str
    before: tuple[MemoryEntry, ...]


class FactChanges:
    """Does and undoes changes by way of the memory; each method returns a sentence for the user."""

    def __init__(self) -> None:
        self._done: list[_Change] = []
        self.unsaved: dict[str, str] = {}
        """Edited texts that were not saved, by the facts' ids."""

    async def delete(self, memory: MemoryManager, ids: Sequence[str]) -> str:
        """Delete facts in one write.

        Raises:
            OSError: with a sentence for the user; nothing has changed then.
        """
        gone = await memory.forget_many(ids)
        if not gone:
            return "Nothing was deleted: it is gone already."
        self._done.append(_Change("delete", tuple(gone)))
        return f"Deleted {_those(gone)}; u brings {'it' if len(gone) == 1 else 'them'} back."

    async def edit(self, memory: MemoryManager, entry: MemoryEntry, content: str) -> StoreResult:
        """Let a fact say something else; when the result is not SAVED, `content` is kept in `unsaved`."""
        self.unsaved[entry.id] = content
        result = await memory.edit_fact(entry.id, content)
        if result.status is StoreStatus.SAVED:
            self._done.append(_Change("edit", (entry,)))
        if result.status in (StoreStatus.SAVED, StoreStatus.KNOWN):
            self.unsaved.pop(entry.id, None)
        return result

    async def move(self, memory: MemoryManager, entries: Sequence[MemoryEntry]) -> str:
        """Make facts global when one of them is of a project; else let all be of this project."""
        to = Scope.GLOBAL if any(entry.scope is Scope.PROJECT for entry in entries) else Scope.PROJECT
        moved: list[MemoryEntry] = []
        problem = ""
        for entry in entries:
            if entry.scope is to:
                continue
            result = await memory.move_fact(entry.id, to)
            if result.status is StoreStatus.SAVED:
                moved.append(entry)
            else:
                problem = result.message
        here = memory.identity.names
        back = tuple(entry for entry in moved if to is Scope.PROJECT or entry.project in here)
        if back:
            self._done.append(_Change("move", back))
        if not moved:
            return problem or "Nothing was changed."
        where = "all projects see" if to is Scope.GLOBAL else "only this project sees"
        undo = "; u takes it back" if len(back) == len(moved) else "; a fact of another project can be changed there"
        return f"Now {where} {_those(moved)}{undo}. {problem}".rstrip()

    async def undo(self, memory: MemoryManager) -> str:
        """Take back the last change that was not taken back yet.

        Raises:
            OSError: with a sentence for the user; it can be tried again then.
        """
        if not self._done:
            return "There is nothing to undo."
        change = self._done[-1]
        if change.did == "delete":
            count = await memory.restore_facts(change.before)
            told = f"Brought back {_those(change.before)}." if count else "It is there already."
        else:
            told = await self._undo_others(memory, change)
        self._done.pop()
        return told

    async def _undo_others(self, memory: MemoryManager, change: _Change) -> str:
        problem = ""
        for entry in change.before:
            if change.did == "edit":
                result = await memory.edit_fact(entry.id, entry.content)
            else:
                result = await memory.move_fact(entry.id, entry.scope or Scope.PROJECT)
            if result.status is StoreStatus.FAILED:
                raise OSError(result.message)
            problem = problem if result.status in (StoreStatus.SAVED, StoreStatus.KNOWN) else result.message
        return problem or f"Taken back: the {change.did} of {_those(change.before)}."


def _those(entries: Sequence[MemoryEntry]) -> str:
    return f"“{one_line(entries[0].content, _SHOWN)}”" if len(entries) == 1 else f"{len(entries):,} facts"
