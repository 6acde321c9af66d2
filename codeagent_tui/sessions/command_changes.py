"""What a command changed: files looked at before and after it, with git telling which are worth a look.

Before a command the files that the session changed, and those that differ from the last commit, are kept; files that
do not differ are in the commit. Afterwards whatever looks different is noted with its state before. What git ignores,
and everything outside a repository that the file tools have not touched, is not seen: a rewind says so.
"""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from codeagent_tui.sessions.contents import Contents, ContentsFull
from codeagent_tui.sessions.file_record import FileKind, FileRecord, capture, look
from codeagent_tui.sessions.repository import GitFailed, Repository, TreeStatus

MOST_FILES = 2_000
"""Files looked at around one command; in a tree with more changes only the session's own files are."""
LARGEST_WATCHED = 1_000_000
"""Bytes of a file that is kept on suspicion; a file tool's are kept up to ten times that."""
SLOWEST_STATUS = 1.0
"""Seconds. Where git needs longer, it is not asked again in this session."""
LONGEST_COPYING = 2.0
"""Seconds that may be spent on copying committed contents after a command."""
_PERMISSIONS = {"100644": 0o644, "100755": 0o755}


@dataclass(frozen=True, slots=True)
class CommandChanges:
    """Files as they were before and after a command; `moved` says how it moved the repository, if it did."""

    files: tuple[tuple[FileRecord, FileRecord], ...] = ()
    moved: str = ""


Signature = tuple[int, ...]


@dataclass(slots=True)
class _Seen:
    signature: Signature
    record: FileRecord


@dataclass(slots=True)
class CommandWatch:
    """Looks at the files of one workspace around each command."""

    root: Path
    contents: Contents
    _tracked: dict[Path, None] = field(default_factory=dict)
    _cache: dict[Path, _Seen] = field(default_factory=dict)
    _before: dict[Path, _Seen] = field(default_factory=dict)
    _status: TreeStatus | None = None
    _repository: Repository | None = None
    _git_works: bool = True

    def track(self, paths: list[Path]) -> None:
        """Look at `paths` from now on, whatever git says."""
        self._tracked.update(dict.fromkeys(paths))

    def look(self) -> None:
        """Note the state of the files that a command may change."""
        self._status = self._ask_git()
        changed = self._status.changed if self._status else ()
        watched = dict.fromkeys((*self._tracked, *changed))
        self._before = {path: self._seen(path) for path in watched}

    def changes(self) -> CommandChanges:
        """Return what is different since `look`."""
        status = self._ask_git() if self._status else None
        files = []
        for path, seen in self._before.items():
            if _signature(path) != seen.signature and not (after := look(path)).same_as(seen.record):
                files.append((seen.record, after))
        if status is not None and self._status is not None and self._status.commit == status.commit:
            new = [path for path in status.changed if path not in self._before]
            files += self._from_commit(self._status.commit, new)
        return CommandChanges(tuple(files), self._moved(status))

    def _moved(self, status: TreeStatus | None) -> str:
        if status is None or self._status is None or status.commit == self._status.commit:
            return ""
        return f"{self._status.commit[:10] or 'no commit'} to {status.commit[:10] or 'no commit'}"

    def _ask_git(self) -> TreeStatus | None:
        if not self._git_works:
            return None
        self._repository = self._repository or Repository(self.root)
        started = time.monotonic()
        try:
            status = self._repository.status()
        except GitFailed:
            return None
        finally:
            self._git_works = time.monotonic() - started < SLOWEST_STATUS
        return status if len(status.changed) <= MOST_FILES else TreeStatus(status.commit, ())

    def _seen(self, path: Path) -> _Seen:
        signature = _signature(path)
        held = self._cache.get(path)
        if held is None or held.signature != signature:
            held = self._cache[path] = _Seen(signature, capture(path, self.contents, largest=LARGEST_WATCHED))
        return held

    def _from_commit(self, commit: str, paths: list[Path]) -> list[tuple[FileRecord, FileRecord]]:
        """Return the changes of files that were as in `commit` before, or not there at all."""
        if self._repository is None or not paths:
            return []
        folders = {folder for path in paths for folder in path.parents if folder.is_relative_to(self.root)}
        try:
            modes = self._repository.modes(commit, [*paths, *(folder for folder in folders if folder != self.root)])
        except GitFailed:
            return []
        known = {self.root, *modes, *(folder for path in self._before for folder in path.parents)}
        found = []
        deadline = time.monotonic() + LONGEST_COPYING
        for path in paths:
            after = look(path)
            if path in modes and time.monotonic() > deadline:
                note = f"too many files changed at once; git has it: git checkout {commit[:10]} -- FILE"
                before = FileRecord(path, FileKind.FILE, kept=False, note=note)
            else:
                before = self._committed(commit, path, modes.get(path, ""), after)
            if before.kind is FileKind.ABSENT:
                # Git keeps no folders: one without files that it or we knew of is taken to be new.
                new = [str(folder) for folder in path.parents if folder in folders and folder not in known]
                before = replace(before, made=new[-1] if new else "")
            if not before.same_as(after):
                found.append((before, after))
        return found

    def _committed(self, commit: str, path: Path, mode: str, after: FileRecord) -> FileRecord:
        if not mode:
            return FileRecord(path, FileKind.ABSENT)
        data = self._repository.content(commit, path) if self._repository else None
        if data is None or mode not in (*_PERMISSIONS, "120000"):
            return FileRecord(path, FileKind.OTHER, kept=False, note="git did not tell its content")
        if mode == "120000":
            return FileRecord(path, FileKind.LINK, link=os.fsdecode(data))
        digest = hashlib.sha256(data).hexdigest()
        record = FileRecord(path, FileKind.FILE, digest, _permissions(mode, after), len(data))
        try:
            self.contents.keep(digest, data)
        except (ContentsFull, OSError) as error:
            return FileRecord(path, FileKind.FILE, digest, record.mode, len(data), kept=False, note=str(error))
        return record


def _permissions(mode: str, after: FileRecord) -> int:
    """Return the permissions before a command: git knows of them only whether the file can be run."""
    if after.mode is None:
        return _PERMISSIONS[mode]
    plain = after.mode & 0o666
    return plain | (plain & 0o444) >> 2 if mode == "100755" else plain


def _signature(path: Path) -> Signature:
    """Return what changes whenever a file does, without reading it; nothing at all for one that is not there."""
    try:
        status = path.lstat()
    except OSError:
        return ()
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_mode)
