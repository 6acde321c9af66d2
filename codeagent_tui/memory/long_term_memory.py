"""Long-term facts: on disk when `store` returns, the same for every process, and only ever what the user asked for."""

from __future__ import annotations

import re
import shutil
import threading
import time
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from filelock import FileLock, Timeout

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.fact_file import FactFile, parse, render
from codeagent_tui.memory.secrets import secret_in
from codeagent_tui.paths import ensure_private_dir, write_private
from codeagent_tui.text import clean_text

LONGEST_FACT = 2_000
_LOCK_SECONDS = 10.0
_BLANKS = re.compile(r"[ \t]+")


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


def normal_form(content: str) -> str:
    """Return the form in which facts are compared: NFC, line ends as LF, blanks run together, ends trimmed.

    Letter case, width and punctuation are kept: `use C` and `use C++` are two facts.
    """
    text = unicodedata.normalize("NFC", content).replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in text.strip().split("\n"))


class LongTermMemory:
    """The facts in one JSON file. Every method may be called from any thread; those that change it write at once.

    Before each change the file is read again under a lock between processes, so that nobody's facts are lost and
    nothing deleted comes back. A damaged file is copied aside before anything is written, its intact entries kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._held = FactFile()
        self._signature: tuple[int, int, int] | None = None
        self.notices: list[str] = []
        """What the user should know of the file's state, oldest first."""
        self.reload_if_changed()

    def entries(self, project: str | Collection[str] | None = None) -> tuple[MemoryEntry, ...]:
        """Return the global facts and those of `project` (its name, or its names), oldest first; all when None."""
        with self._lock:
            held = self._held.entries
        if project is None:
            return held
        names = {project} if isinstance(project, str) else project
        return tuple(entry for entry in held if entry.scope is Scope.GLOBAL or entry.project in names)

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Return the fact with this id, or None."""
        with self._lock:
            return next((entry for entry in self._held.entries if entry.id == entry_id), None)

    def store(self, content: str, scope: Scope, project: str | None = None, *, source: str = "command") -> StoreResult:
        """Save a fact. When the result says SAVED it is on disk; otherwise nothing has changed anywhere."""
        fact = unicodedata.normalize("NFC", clean_text(content)).strip()
        refusal = _refusal(fact)
        if refusal:
            return StoreResult(StoreStatus.REFUSED, refusal)
        owner = (project or "") if scope is Scope.PROJECT else ""
        where = "in all projects" if scope is Scope.GLOBAL else "in this project"
        entry = MemoryEntry(MemoryType.FACT, fact, scope=scope, project=owner, source=source)
        try:
            with self._lock, self._file_lock():
                self._read()
                known = self._same(fact, scope, owner)
                if known is not None:
                    return StoreResult(StoreStatus.KNOWN, f"Already saved {where} (id {known.id}): {fact}", known)
                self._write((*self._held.entries, entry))
        except (OSError, Timeout) as error:
            return StoreResult(StoreStatus.FAILED, f"Not saved: {_reason(error, self.path)}")
        return StoreResult(StoreStatus.SAVED, f"Saved {where} (id {entry.id}): {fact}", entry)

    def _same(self, fact: str, scope: Scope, owner: str) -> MemoryEntry | None:
        wanted = normal_form(fact)
        return next(
            (
                entry
                for entry in self._held.entries
                if entry.scope is scope and entry.project == owner and normal_form(entry.content) == wanted
            ),
            None,
        )

    def delete(self, entry_id: str) -> bool:
        """Forget the fact with this id, on disk too; return whether it was there.

        Raises:
            OSError: when it could not be forgotten on disk; it is still there then.
        """
        try:
            with self._lock, self._file_lock():
                self._read()
                kept = tuple(entry for entry in self._held.entries if entry.id != entry_id)
                if len(kept) == len(self._held.entries):
                    return False
                self._write(kept)
        except Timeout as error:
            raise OSError(_reason(error, self.path)) from error
        return True

    def reload_if_changed(self) -> bool:
        """Take up what other processes and hands did to the file; return whether there was anything. Cheap.

        A file that cannot be read is told in `notices`; what was known of it stays.
        """
        with self._lock:
            try:
                return self._read()
            except OSError as error:
                self._tell(f"{self.path} cannot be read ({error.strerror or error}). Nothing is saved until it can.")
                return False

    def _file_lock(self) -> FileLock:
        ensure_private_dir(self.path.parent)
        return FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=_LOCK_SECONDS, mode=0o600)

    def _read(self) -> bool:
        """Read the file if it is another than last time."""
        try:
            status = self.path.stat()
            signature = (status.st_mtime_ns, status.st_size, status.st_ino)
            if signature == self._signature:
                return False
            data = self.path.read_bytes()
        except FileNotFoundError:
            changed = self._signature is not None
            self._signature, self._held = None, FactFile()
            return changed
        self._held = parse(data)
        self._signature = signature
        if self._held.faults:
            self._set_aside(data)
        return True

    def _set_aside(self, data: bytes) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"{self.path.name}.damaged-{stamp}")
        number = 1
        while aside.exists() and aside.read_bytes() != data:
            number += 1
            aside = self.path.with_name(f"{self.path.name}.damaged-{stamp}-{number}")
        try:
            shutil.copy2(self.path, aside)
        except OSError as error:
            self._tell(f"{self.path} is damaged and could not be copied aside: {error.strerror}. Nothing is saved.")
            raise
        kept = len(self._held.entries)
        self._tell(
            f"{self.path} is damaged ({'; '.join(self._held.faults)}). It was copied to {aside.name}; "
            f"{kept} intact {'fact is' if kept == 1 else 'facts are'} kept."
        )

    def _tell(self, notice: str) -> None:
        if notice not in self.notices:
            self.notices.append(notice)

    def _write(self, entries: tuple[MemoryEntry, ...]) -> None:
        write_private(self.path, render(entries, self._held.extra))
        # Only now: what is in memory never claims more than what is on disk.
        status = self.path.stat()
        self._signature = (status.st_mtime_ns, status.st_size, status.st_ino)
        self._held = FactFile(entries, self._held.extra)


def _refusal(fact: str) -> str:
    if not fact:
        return "Not saved: there is no text."
    if len(fact) > LONGEST_FACT:
        return f"Not saved: a fact has {LONGEST_FACT:,} characters at most, this has {len(fact):,}. Shorten it."
    secret = secret_in(fact)
    if secret:
        return (
            f"Not saved: it seems to hold {secret}. Facts lie in clear text and go into prompts; "
            "say where the secret is kept instead."
        )
    return ""


def _reason(error: Exception, path: Path) -> str:
    if isinstance(error, Timeout):
        return f"another process holds {path.name} for too long. Try again."
    return f"{path} cannot be written ({getattr(error, 'strerror', None) or error}). What was there is unchanged."
