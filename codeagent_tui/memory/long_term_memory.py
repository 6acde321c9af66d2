"""Long-term facts: on disk when `store` returns, the same for every process, and only ever what the user asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.fact_disk import FactDisk
from codeagent_tui.memory.fact_file import Record, record_of
from codeagent_tui.memory.fact_rules import as_fact, normal_form, refusal


class StoreStatus(StrEnum):
    """How a `store` ended."""

    SAVED = "saved"
    KNOWN = "known"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoreResult:
    """What became of a fact; `entry` is the one that is on disk now (None when none is), `message` one sentence."""

    status: StoreStatus
    message: str
    entry: MemoryEntry | None = None


_Key = tuple[Scope | None, str, str]


class LongTermMemory:
    """The facts in one JSON file. Every method may be called from any thread; those that change it write at once.

    Before each change the file is read again under a lock between processes, so that nobody's facts are lost and
    nothing deleted comes back. A damaged file is copied aside before anything is written, its intact facts kept.
    Looking never waits for a write: it sees the facts as they were before.
    """

    def __init__(self, path: Path) -> None:
        """Read `path`; it need not exist. What is wrong with it is told in `notices`, never raised."""
        self.path = path
        self._disk = FactDisk(path)
        self._changing = threading.Lock()
        self._entries: tuple[MemoryEntry, ...] = ()
        self._by_id: dict[str, MemoryEntry] = {}
        self._by_key: dict[_Key, MemoryEntry] | None = None
        self.reload_if_changed()

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know of the file's state, oldest first."""
        return tuple(self._disk.notices)

    def take_notices(self) -> list[str]:
        """Return the notices since the last call; each is told once."""
        taken = list(self._disk.notices)
        del self._disk.notices[: len(taken)]
        return taken

    def entries(self, project: str | Collection[str] | None = None) -> tuple[MemoryEntry, ...]:
        """Return the global facts and those of `project` (its name, or its names), oldest first; all when None."""
        held = self._entries
        if project is None:
            return held
        names = {project} if isinstance(project, str) else frozenset(project)
        return tuple(entry for entry in held if entry.scope is Scope.GLOBAL or entry.project in names)

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Return the fact with this id, or None."""
        return self._by_id.get(entry_id)

    def store(
        self,
        content: str,
        scope: Scope,
        project: str | None = None,
        *,
        source: str = "command",
        aliases: Collection[str] = (),
    ) -> StoreResult:
        """Save a fact. When the result says SAVED it is on disk; otherwise nothing has changed anywhere.

        A fact of scope PROJECT belongs to the identity `project`; one that is known under one of its `aliases` is
        known. `source` says by which way it came: `command` or `tool`.
        """
        scope, fact = Scope(scope), as_fact(content)
        owner = (project or "") if scope is Scope.PROJECT else ""
        why_not = refusal(fact)
        if not why_not and scope is Scope.PROJECT and not owner:
            why_not = "Not saved: a fact of a project needs one, and there is none here."
        if why_not:
            return StoreResult(StoreStatus.REFUSED, why_not)
        where = "in all projects" if scope is Scope.GLOBAL else "in this project"
        entry = MemoryEntry(MemoryType.FACT, fact, scope=scope, project=owner, source=source)
        try:
            with self._changing, self._disk.locked():
                self._take_up(self._disk.read())
                known = self._known(fact, scope, (owner, *aliases))
                if known is not None:
                    return StoreResult(StoreStatus.KNOWN, f"Already saved {where} (id {known.id}): {fact}", known)
                self._disk.write((*self._disk.held.records, record_of(entry)), self._disk.held.extra)
                self._add(entry)
        except OSError as error:
            return StoreResult(StoreStatus.FAILED, f"Not saved: {self._reason(error)}")
        return StoreResult(StoreStatus.SAVED, f"Saved {where} (id {entry.id}): {fact}", entry)

    def delete(self, entry_id: str) -> bool:
        """Forget the fact with this id, on disk too; return whether it was there.

        Raises:
            OSError: when it could not be forgotten on disk; it is still there then.
        """

        def without(records: tuple[Record, ...]) -> tuple[Record, ...]:
            return tuple(record for record in records if record.entry is None or record.entry.id != entry_id)

        return self._change(without, "Not forgotten") > 0

    def reassign(self, old: str, new: str) -> int:
        """Let the facts of the project `old` be those of `new`, a project that was moved; return how many.

        Raises:
            OSError: when that could not be written; nothing has changed then.
        """

        def moved(records: tuple[Record, ...]) -> tuple[Record, ...]:
            return tuple(
                record_of(replace(entry, project=new)) if (entry := record.entry) and _is_of(entry, old) else record
                for record in records
            )

        return self._change(moved, "Not taken over")

    def _change(self, change: Callable[[tuple[Record, ...]], tuple[Record, ...]], failed: str) -> int:
        """Change what is on disk now; return how many entries are others or gone."""
        try:
            with self._changing, self._disk.locked():
                self._take_up(self._disk.read())
                before = self._disk.held.records
                after = change(before)
                count = len(before) - len({record.line for record in before} & {record.line for record in after})
                if count:
                    self._disk.write(after, self._disk.held.extra)
                    self._take_up(True)
        except OSError as error:
            raise OSError(error.errno, f"{failed}: {self._reason(error)}") from error
        return count

    def reload_if_changed(self) -> bool:
        """Take up what other processes and hands did to the file; return whether there was anything. Cheap.

        A file that cannot be read is told in `notices`; what was known of it stays.
        """
        if not self._changing.acquire(blocking=False):
            # Another thread is reading the file or waits to change it: it takes up what there is.
            return False
        try:
            changed = self._disk.look()
            self._take_up(changed)
            return changed
        except OSError as error:
            notice = f"The facts cannot be read: {_why(error)} ({self.path}). Nothing is saved until they can."
            if notice not in self._disk.notices:
                self._disk.notices.append(notice)
            return False
        finally:
            self._changing.release()

    def _take_up(self, changed: bool) -> None:
        """Show the facts as they are on disk now."""
        if not changed:
            return
        entries = self._disk.held.entries
        self._by_id = {entry.id: entry for entry in entries}
        self._by_key = None
        self._entries = entries

    def _add(self, entry: MemoryEntry) -> None:
        self._by_id[entry.id] = entry
        if self._by_key is not None:
            self._by_key[_key(entry)] = entry
        self._entries = (*self._entries, entry)

    def _known(self, fact: str, scope: Scope, owners: Collection[str]) -> MemoryEntry | None:
        if self._by_key is None:
            self._by_key = {_key(entry): entry for entry in reversed(self._entries)}
        form = normal_form(fact)
        return next((hit for owner in owners if (hit := self._by_key.get((scope, owner, form))) is not None), None)

    def _reason(self, error: OSError) -> str:
        return f"{_why(error)} ({self.path}). What was there is unchanged."


def _is_of(entry: MemoryEntry, project: str) -> bool:
    return entry.scope is Scope.PROJECT and entry.project == project


def _key(entry: MemoryEntry) -> _Key:
    owner = entry.project if entry.scope is Scope.PROJECT else ""
    return entry.scope, owner, normal_form(entry.content)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).rstrip(".")
