"""The sessions on disk: where a project's are, which there are, and how one is read back."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from codeagent_tui.conversation.messages import Message
from codeagent_tui.sessions.contents import Contents
from codeagent_tui.sessions.fork import fork_log
from codeagent_tui.sessions.leftovers import remove_leftovers, remove_orphans
from codeagent_tui.sessions.log import LogBusy, SessionLog, files_folder
from codeagent_tui.sessions.reading import ReadLog, read_log, replaced_messages
from codeagent_tui.sessions.summary import SessionSummary, summarise

__all__ = ["LoadedSession", "Place", "SessionError", "SessionStore", "SessionSummary", "all_sessions"]


class SessionError(Exception):
    """A session could not be found or read; the message says what to do."""


class Place(Enum):
    """Where a session belongs, as seen from a folder."""

    HERE = "here"
    ELSEWHERE = "elsewhere"
    GONE = "gone"
    """Its folder was deleted, is no folder any more, or cannot be entered."""


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """A session read back: the history as it stood, and a log that goes on where the file ends.

    `forked` says that another window writes the session, so that the log is a copy's. `cwd` is the folder that the
    session was begun in, as it was recorded; `mode` the permission mode it ended in (empty: never changed).
    """

    messages: tuple[Message, ...]
    log: SessionLog
    notices: tuple[str, ...]
    forked: bool = False
    cwd: str = ""
    mode: str = ""
    compactions: tuple[Mapping[str, object], ...] = ()
    changed_files: tuple[Path, ...] = ()


class SessionStore:
    """The sessions of one project under the history folder."""

    def __init__(self, history_folder: Path, cwd: Path) -> None:
        real = os.path.realpath(cwd)
        digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:10]
        self.cwd = cwd
        self.folder = history_folder / f"{Path(real).name or 'root'}-{digest}"

    def create(self) -> SessionLog:
        """Return the log of a new session."""
        return SessionLog.create(self.folder, self.cwd)

    def summaries(self) -> list[SessionSummary]:
        """Return the sessions, newest first; reads only the head and the tail of each file."""
        return _summaries_in(self.folder)

    def newest(self) -> SessionSummary | None:
        """Return the session that was written last; None when there is none. Reads that one alone."""
        return next(filter(None, map(summarise, _by_age(self.folder))), None)

    def find(self, wanted: str) -> SessionSummary:
        """Return the session whose id begins with `wanted`; an empty `wanted` means the newest.

        Raises:
            SessionError: when there is none, or more than one.
        """
        summaries = self.summaries() if wanted else filter(None, [self.newest()])
        hits = [summary for summary in summaries if summary.session_id.startswith(wanted)]
        if not hits:
            raise SessionError(self._why_none(wanted))
        if wanted and len(hits) > 1:
            raise SessionError(f"{len(hits)} sessions begin with {wanted!r}; give more of the id.")
        return hits[0]

    def _why_none(self, wanted: str) -> str:
        if not wanted:
            return "This folder has no sessions yet."
        for summary in all_sessions(self.folder.parent):
            if summary.session_id.startswith(wanted):
                gone = "" if self.place_of(summary) is Place.ELSEWHERE else ", a folder that cannot be entered any more"
                return f"The session {wanted!r} belongs to {summary.cwd}{gone}. Start codeagent there to go on with it."
        return f"No session of this folder has the id {wanted!r}."

    def place_of(self, summary: SessionSummary) -> Place:
        """Return whether a session belongs to this folder, to another one, or to one that is gone."""
        if summary.path.parent == self.folder:
            return Place.HERE
        folder = Path(summary.cwd)
        return Place.ELSEWHERE if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK) else Place.GONE

    def unfinished(self) -> SessionSummary | None:
        """Return the newest session if it did not end in order (a crash, a kill) and is not open in a window."""
        newest = self.newest()
        if newest is None or newest.ended:
            return None
        log = SessionLog(newest.path, session_id=newest.session_id, cwd=self.cwd, sequence=1)
        try:
            log.claim()
        except LogBusy:
            return None
        except OSError:
            return newest
        log.close()
        return newest

    def load(self, summary: SessionSummary) -> LoadedSession:
        """Read a session back and become its writer. Damaged lines are skipped and named; the file is not changed.

        When another window writes it, the log is a new one that goes on from here, and a notice says so.

        Raises:
            SessionError: when the file cannot be read, or the copy not be made.
        """
        log = SessionLog(summary.path, session_id=summary.session_id, cwd=self.cwd)
        busy = False
        try:
            log.claim()
        except LogBusy:
            busy = True
        except OSError as error:
            log.failure = error
        read = self._read(summary)
        if busy:
            return self._in_a_copy(summary, read)
        self._clear_up(log, read)
        log.go_on(read.sequence, turns=_turns(read), cost=read.cost, title=read.title, ended=read.ended)
        return LoadedSession(
            tuple(read.replay.messages),
            log,
            _notices(read),
            cwd=read.cwd,
            mode=read.mode,
            compactions=read.replay.noted,
            changed_files=tuple(read.timeline.tracked()),
        )

    def fork(self, summary: SessionSummary, *, before: str = "") -> LoadedSession:
        """Return a new session that begins as `summary` was before the user said the message `before` (""): as it is
        now. The old one is not touched.

        Raises:
            SessionError: when there is no such message, the file cannot be read, or the new one not be written.
        """
        try:
            path, session_id = fork_log(summary.path, summary.session_id, self.folder, self.cwd, before=before)
        except KeyError:
            raise SessionError("There is no such message in that session any more; nothing was forked.") from None
        except OSError as error:
            raise SessionError(f"The session could not be forked: {error}. Nothing was changed.") from error
        made = summarise(path)
        if made is None or made.session_id != session_id:
            raise SessionError(f"The fork {path} cannot be read back. The old session is as it was.")
        return self.load(made)

    def summary_of(self, log: SessionLog) -> SessionSummary:
        """Return the summary of a log that is being written.

        Raises:
            SessionError: when nothing of it is on disk.
        """
        log.flush()
        summary = summarise(log.path)
        if summary is None:
            raise SessionError("Nothing of this session is on disk yet.")
        return summary

    def conversation(self, summary: SessionSummary) -> tuple[Message, ...]:
        """Return everything that was said in a session, compacted or not, for reading and export.

        Raises:
            SessionError: when the file cannot be read.
        """
        return tuple(self._read(summary).replay.conversation())

    def rename(self, summary: SessionSummary, title: str) -> None:
        """Give a session that is not open another title.

        Raises:
            SessionError: when another window writes it, or it cannot be written.
        """
        log = self._claimed(summary, "renamed")
        read = self._read(summary)
        log.go_on(read.sequence, turns=_turns(read), cost=read.cost, title=read.title, ended=read.ended)
        log.append_title(title)
        failure = log.failure
        log.close()
        with suppress(OSError):
            # Another name is no use of it: it stays where it was in the list.
            os.utime(summary.path, (summary.modified, summary.modified))
        if failure is not None:
            raise SessionError(f"The title could not be written: {failure}.")

    def delete(self, summary: SessionSummary) -> None:
        """Delete a session for good, with the contents of files that it kept.

        Raises:
            SessionError: when another window has it open, or something could not be deleted.
        """
        log = self._claimed(summary, "deleted")
        try:
            shutil.rmtree(log.files_folder, ignore_errors=True)
            summary.path.unlink()
        except OSError as error:
            raise SessionError(f"The session {summary.path} was not deleted: {error}.") from error
        finally:
            log.close()

    def _claimed(self, summary: SessionSummary, act: str) -> SessionLog:
        """Return the log of a session that nobody else writes now."""
        log = SessionLog(summary.path, session_id=summary.session_id, cwd=self.cwd, sequence=1)
        try:
            log.claim()
        except LogBusy:
            raise SessionError(f"The session {summary.session_id[:8]} is open in a window; it was not {act}.") from None
        except OSError as error:
            raise SessionError(f"The session {summary.path} was not {act}: {error}.") from error
        return log

    @staticmethod
    def disk_use(summary: SessionSummary) -> int:
        """Return the bytes that a session takes on disk, the kept contents of files included."""
        return summary.size + Contents(files_folder(summary.path)).size()

    @staticmethod
    def replaced_messages(log_path: Path, record_id: str) -> tuple[Message, ...]:
        """Return the messages that the compaction `record_id` took out of the history, as they stood then.

        Raises:
            KeyError: when the log has no such compaction.
            OSError: when it cannot be read.
        """
        return replaced_messages(log_path, record_id)

    def _read(self, summary: SessionSummary) -> ReadLog:
        try:
            return read_log(summary.path, summary.session_id)
        except OSError as error:
            raise SessionError(f"The session {summary.path} cannot be read: {error}. It was left as it is.") from error

    def _clear_up(self, log: SessionLog, read: ReadLog) -> None:
        """Remove what a killed process has left half written: beside the log, and beside the files it was at."""
        remove_orphans(log.path.parent)
        folders = [log.path.parent, log.files_folder, self.cwd, *(path.parent for path in read.timeline.latest())]
        remove_leftovers(folders)

    def _in_a_copy(self, summary: SessionSummary, read: ReadLog) -> LoadedSession:
        forked = self.fork(summary)
        by = f" (process {read.pid})" if read.pid else ""
        note = f"That session is open in another window{by}. This is a copy of it; what is said here stays here."
        return replace(forked, notices=(note, *forked.notices), forked=True, cwd=read.cwd)


def all_sessions(history_folder: Path) -> list[SessionSummary]:
    """Return the sessions of all folders, newest first."""
    try:
        folders = [Path(entry.path) for entry in os.scandir(history_folder) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    found = [summary for folder in folders for summary in _summaries_in(folder)]
    return sorted(found, key=lambda summary: summary.modified, reverse=True)


def _summaries_in(folder: Path) -> list[SessionSummary]:
    return [summary for path in _by_age(folder) if (summary := summarise(path)) is not None]


def _by_age(folder: Path) -> list[Path]:
    """Return the logs in `folder`, the one written last first."""
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl")]
    except OSError:
        return []
    found = []
    for entry in entries:
        # One that another process deletes in this moment is no session any more.
        with suppress(OSError):
            found.append((entry.stat().st_mtime, entry.path))
    return [Path(path) for _, path in sorted(found, reverse=True)]


def _notices(read: ReadLog) -> tuple[str, ...]:
    if not read.timeline.unfinished_rewind:
        return read.notices()
    note = "A rewind of files was cut short: some are as they were before it. Rewind once more to bring it to its end."
    return (*read.notices(), note)


def _turns(read: ReadLog) -> int:
    return sum(message.starts_turn for message in read.replay.conversation())
