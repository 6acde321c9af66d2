"""Long-term facts: on disk when `store` returns, the same for every process, and only ever what the user asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.fact_disk import FactDisk
from codeagent_tui.memory.fact_file import Record, record_of
from codeagent_tui.memory.fact_rules import as_fact, normal_form, refusal


class StoreStatus(StrEnum):
    """How it ended that a fact was to be stored or changed."""

    SAVED = "saved"
    KNOWN = "known"
    REFUSED = "refused"
    GONE = "gone"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoreResult:
    """What became of a fact; `message` is one sentence for the user and the model.

    `entry` is the fact that is on disk now: as it was saved, or the one that says the same (KNOWN); None when it was
    REFUSED by the rules, was GONE already, or could not be written (FAILED). Only SAVED has changed anything.
    """

    status: StoreStatus
    message: str
    entry: MemoryEntry | None = None


class FactsNotWritten(OSError):
    """A change could not be written; nothing has changed then. The message is one sentence for the user."""


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
        folder: str = "",
        aliases: Collection[str] = (),
    ) -> StoreResult:
        """Save a fact. When the result says SAVED it is on disk; otherwise nothing has changed anywhere.

        A fact of scope PROJECT belongs to the identity `project`, whose folder is kept for people to read; one that is
        known under one of its `aliases` is known. `source` says by which way it came: `command` or `tool`.
        """
        scope, fact = Scope(scope), as_fact(content)
        owner = (project or "") if scope is Scope.PROJECT else ""
        why_not = refusal(fact)
        if not why_not and scope is Scope.PROJECT and not owner:
            why_not = "Not saved: a fact of a project needs one, and there is none here."
        if why_not:
            return StoreResult(StoreStatus.REFUSED, why_not)
        metadata = {"folder": folder} if owner and folder else {}
        entry = MemoryEntry(MemoryType.FACT, fact, scope=scope, project=owner, source=source, metadata=metadata)
        try:
            with self._fresh():
                known = self._known(fact, scope, (owner, *aliases))
                if known is not None:
                    return _known_result(known)
                self._disk.add(record_of(entry))
                self._add(entry)
        except OSError as error:
            return StoreResult(StoreStatus.FAILED, f"Not saved: {self._reason(error)}")
        return StoreResult(StoreStatus.SAVED, f"Saved {_where(scope)} (id {entry.id}): {fact}", entry)

    def edit(self, entry_id: str, content: str, *, aliases: Collection[str] = ()) -> StoreResult:
        """Let the fact with this id say `content`, by the rules for a new one; id, time and all else stay."""
        fact = as_fact(content)
        why_not = refusal(fact)
        if why_not:
            return StoreResult(StoreStatus.REFUSED, why_not)
        return self._exchange(entry_id, lambda entry: replace(entry, content=fact, tokens=-1), aliases)

    def move(
        self,
        entry_id: str,
        scope: Scope,
        project: str | None = None,
        *,
        folder: str = "",
        aliases: Collection[str] = (),
    ) -> StoreResult:
        """Let the fact with this id be seen in all projects, or only in `project`; id, time and all else stay."""
        owner = (project or "") if scope is Scope.PROJECT else ""
        if scope is Scope.PROJECT and not owner:
            return StoreResult(StoreStatus.REFUSED, "Not saved: a fact of a project needs one, and there is none here.")

        def moved(entry: MemoryEntry) -> MemoryEntry:
            return replace(entry, scope=scope, project=owner, metadata=_in_folder(entry, folder if owner else ""))

        return self._exchange(entry_id, moved, aliases)

    def _exchange(
        self, entry_id: str, change: Callable[[MemoryEntry], MemoryEntry], aliases: Collection[str]
    ) -> StoreResult:
        try:
            with self._fresh() as records:
                before = self._by_id.get(entry_id)
                if before is None:
                    return StoreResult(StoreStatus.GONE, "Not saved: this fact has been deleted meanwhile.")
                after = change(before)
                owners = (after.project, *aliases) if after.scope is Scope.PROJECT else ("",)
                known = self._known(after.content, after.scope, owners)
                if after == before or (known is not None and known.id != entry_id):
                    return _known_result(known or before)
                self._put(tuple(record_of(after) if record.entry is before else record for record in records))
        except OSError as error:
            return StoreResult(StoreStatus.FAILED, f"Not saved: {self._reason(error)}")
        return StoreResult(StoreStatus.SAVED, f"Saved {_where(after.scope)} (id {entry_id}): {after.content}", after)

    def delete(self, entry_id: str) -> bool:
        """Forget the fact with this id, on disk too; return whether it was there.

        Raises:
            FactsNotWritten: when it could not be forgotten on disk; it is still there then.
        """
        return bool(self.delete_many([entry_id]))

    def delete_many(self, ids: Collection[str]) -> list[MemoryEntry]:
        """Forget the facts with these ids, all in one write; return those that were there.

        Raises:
            FactsNotWritten: when they could not be forgotten on disk; all are still there then.
        """
        wanted = frozenset(ids)
        with self._fresh("Not forgotten") as records:
            gone = [entry for entry in self._entries if entry.id in wanted]
            if gone:
                self._put(tuple(r for r in records if r.entry is None or r.id not in wanted))
            return gone

    def restore(self, entries: Collection[MemoryEntry]) -> int:
        """Put facts back that were forgotten, as they were and in their order of time; return how many.

        What is there again already, by its id or by what it says, is not put back a second time.

        Raises:
            FactsNotWritten: when they could not be written; nothing has changed then.
        """
        with self._fresh("Not restored") as records:
            back = []
            for entry in sorted(entries, key=lambda entry: entry.timestamp):
                if entry.id not in self._by_id and self._known(entry.content, entry.scope, (entry.project,)) is None:
                    back.append(entry)
            if back:
                self._put(_with_at_their_time(records, back))
            return len(back)

    def reassign(self, old: str, new: str, *, folder: str = "") -> int:
        """Let the facts of the project `old` be those of `new`, a project that was moved; return how many.

        One that `new` has already is not kept twice.

        Raises:
            FactsNotWritten: when that could not be written; nothing has changed then.
        """
        with self._fresh("Not taken over") as records:
            after, count = [], 0
            for record in records:
                entry = record.entry
                if entry is None or entry.scope is not Scope.PROJECT or entry.project != old:
                    after.append(record)
                    continue
                count += 1
                if self._known(entry.content, Scope.PROJECT, (new,)) is None:
                    after.append(record_of(replace(entry, project=new, metadata=_in_folder(entry, folder))))
            if count:
                self._put(tuple(after))
            return count

    def reload_if_changed(self, *, wait: bool = False) -> bool:
        """Take up what other processes and hands did to the file; return whether there was anything. Cheap.

        A file that cannot be read is told in `notices`; what was known of it stays. Without `wait` it is not looked at
        while another thread reads or changes it.
        """
        if not self._changing.acquire(blocking=wait):
            # Another thread is reading the file or waits to change it: it takes up what there is.
            return False
        try:
            changed = self._disk.read(patient=True)
            self._take_up(changed)
            return changed
        except OSError as error:
            notice = f"The facts cannot be read: {_why(error)} ({self.path}). Nothing is saved until they can."
            if notice not in self._disk.notices:
                self._disk.notices.append(notice)
            return False
        finally:
            self._changing.release()

    @contextmanager
    def _fresh(self, failed: str = "") -> Iterator[tuple[Record, ...]]:
        """Hold the locks that a change needs and give what is on disk now; `failed` begins the error's sentence."""
        try:
            with self._changing, self._disk.locked():
                self._take_up(self._disk.read())
                yield self._disk.held.records
        except OSError as error:
            if not failed:
                raise
            raise FactsNotWritten(f"{failed}: {self._reason(error)}") from error

    def _put(self, records: tuple[Record, ...]) -> None:
        self._disk.write(records)
        self._take_up(True)

    def _take_up(self, changed: bool) -> None:
        """Show the facts as they are on disk now."""
        if not changed:
            return
        entries, before = self._disk.held.entries, self._by_id
        self._by_id = {entry.id: entry for entry in entries}
        if self._by_key is not None and len(self._by_key) == len(before):
            for entry in before.values():
                if self._by_id.get(entry.id) is not entry:
                    del self._by_key[_key(entry)]
            for entry in entries:
                if before.get(entry.id) is not entry:
                    self._by_key.setdefault(_key(entry), entry)
        else:
            # Somebody wrote the same fact twice: which of them a key leads to has to be found out anew.
            self._by_key = None
        self._entries = entries

    def _add(self, entry: MemoryEntry) -> None:
        self._by_id[entry.id] = entry
        if self._by_key is not None:
            self._by_key[_key(entry)] = entry
        self._entries = (*self._entries, entry)

    def _known(self, fact: str, scope: Scope | None, owners: Collection[str]) -> MemoryEntry | None:
        if self._by_key is None:
            self._by_key = {_key(entry): entry for entry in reversed(self._entries)}
        form = normal_form(fact)
        return next((hit for owner in owners if (hit := self._by_key.get((scope, owner, form))) is not None), None)

    def _reason(self, error: OSError) -> str:
        return f"{_why(error)} ({self.path}). What was there is unchanged."


def _key(entry: MemoryEntry) -> _Key:
    return entry.scope, entry.project if entry.scope is Scope.PROJECT else "", normal_form(entry.content)


def _known_result(known: MemoryEntry) -> StoreResult:
    message = f"Already saved {_where(known.scope)} (id {known.id}): {known.content}"
    return StoreResult(StoreStatus.KNOWN, message, known)


def _where(scope: Scope | None) -> str:
    return "in this project" if scope is Scope.PROJECT else "in all projects"


def _in_folder(entry: MemoryEntry, folder: str) -> dict[str, object]:
    others = {key: value for key, value in entry.metadata.items() if key != "folder"}
    return {**others, "folder": folder} if folder else others


def _with_at_their_time(records: tuple[Record, ...], back: list[MemoryEntry]) -> tuple[Record, ...]:
    """Return `records` with each of `back` before the first one that is younger; `back` is in order of time."""
    after: list[Record] = []
    waiting = list(back)
    for record in records:
        while waiting and record.entry is not None and record.entry.timestamp > waiting[0].timestamp:
            after.append(record_of(waiting.pop(0)))
        after.append(record)
    return (*after, *map(record_of, waiting))


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).rstrip(".")
