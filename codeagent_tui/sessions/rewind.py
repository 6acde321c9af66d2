"""What a rewind would do, worked out before anything is done: pure reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from codeagent_tui.sessions.contents import Contents
from codeagent_tui.sessions.file_diff import change_diff
from codeagent_tui.sessions.file_record import FileKind, FileRecord, look
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.reading import ReadLog, read_open_log
from codeagent_tui.sessions.timeline import FileHistory
from codeagent_tui.sessions.untouched import changed_since

MOST_DIFFS = 300
"""Files of one rewind whose diff is made; the others are named only."""


class FileAction(StrEnum):
    """What a rewind does with a file."""

    RESTORE = "restore"
    """Put back what it held."""
    RECREATE = "recreate"
    """Make it again: it was deleted since."""
    DELETE = "delete"
    """It was made since."""
    UNCHANGED = "unchanged"
    """It is as it was then."""
    CONFLICT = "conflict"
    """Somebody other than the agent changed it since; it is left alone unless overwriting is asked for."""
    LOST = "lost"
    """What it held was not kept; it cannot be put back."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a rewind does with one file: from `now` to `then`; `diff` is unified, `note` says what is special."""

    path: Path
    shown: str
    action: FileAction
    now: FileRecord
    then: FileRecord
    diff: str = ""
    note: str = ""

    @property
    def acts(self) -> bool:
        """Whether something is to be done, overwriting included."""
        return self.action not in (FileAction.UNCHANGED, FileAction.LOST)


@dataclass(frozen=True, slots=True)
class UserTurn:
    """Something the user said: a place to go back to, or to fork from."""

    index: int
    message_id: str
    text: str
    created: float
    files: int
    """How many files were changed before the next one."""
    compacted: bool
    """Whether it is no longer in the history itself; going back there undoes the compaction."""


@dataclass(frozen=True, slots=True)
class RewindPlan:
    """A rewind, not done yet: to before `turn` was said, or (`turn` is None) to before the rewind `undo`.

    `messages` is how many messages leave the history; `commands` are those run since, oldest first, and `untouched`
    names files that changed since and are not put back: by commands or by the user. `turns_left` is how many things the
    user has said that stay.
    """

    turn: UserTurn | None
    undo: str
    messages: int
    turns_left: int
    files: tuple[FileChange, ...]
    commands: tuple[str, ...]
    untouched: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def conflicts(self) -> tuple[FileChange, ...]:
        """The files that somebody else changed since."""
        return tuple(change for change in self.files if change.action is FileAction.CONFLICT)


def user_turns(read: ReadLog) -> tuple[UserTurn, ...]:
    """Return what the user said on the way to the present history, oldest first."""
    said = [message for message in read.replay.conversation() if message.starts_turn]
    present = {message.id for message in read.replay.messages}
    ids: list[str | None] = [*(message.id for message in said[1:]), None]
    return tuple(
        UserTurn(
            index,
            message.id,
            message.content,
            message.created,
            read.timeline.changed_between(message.id, following),
            message.id not in present,
        )
        for index, (message, following) in enumerate(zip(said, ids, strict=True))
    )


def plan_rewind(log: SessionLog, root: Path, turn_index: int) -> RewindPlan:
    """Return what going back to before the user's turn `turn_index` would do.

    Raises:
        IndexError: when there is no such turn.
        OSError: when the log cannot be read.
    """
    read = read_open_log(log)
    turns = user_turns(read)
    if not 0 <= turn_index < len(turns):
        raise IndexError(f"There is no turn {turn_index}; this session has {len(turns)}.")
    turn = turns[turn_index]
    then = read.replay.before_turn(turn.message_id) or []
    return _plan(log, root, read, turn, turn.message_id, "", len(then))


def plan_undo(log: SessionLog, root: Path) -> RewindPlan | None:
    """Return what taking back the last rewind would do; None when there was none.

    Raises:
        OSError: when the log cannot be read.
    """
    read = read_open_log(log)
    rewind_id = read.timeline.last_rewind
    then = read.replay.before_rewind(rewind_id)
    if then is None:
        return None
    return _plan(log, root, read, None, rewind_id, rewind_id, len(then))


def _plan(
    log: SessionLog, root: Path, read: ReadLog, turn: UserTurn | None, moment: str, undo: str, left: int
) -> RewindPlan:
    timeline, contents = read.timeline, Contents(log.files_folder)
    histories = timeline.since(moment)
    files = tuple(_change(history, root, contents, compare=at < MOST_DIFFS) for at, history in enumerate(histories))
    commands = tuple(timeline.commands_since(moment))
    untouched = changed_since(root, timeline.time_of(moment), {change.path for change in files})
    return RewindPlan(
        turn=turn,
        undo=undo,
        messages=max(0, len(read.replay.messages) - left),
        turns_left=timeline.turns_at(moment),
        files=files,
        commands=commands,
        untouched=untouched,
        notes=_notes(timeline.moves_since(moment), commands, untouched),
    )


def _notes(moves: Sequence[str], commands: Sequence[str], untouched: Sequence[str]) -> tuple[str, ...]:
    notes = [f"A command moved the repository from {move}; a rewind does not move it back." for move in moves]
    if commands:
        notes.append(
            f"{len(commands)} command(s) were run since. Of what they did, only changes of files that are listed are "
            "taken back: nothing that git ignores or has staged, nothing outside this folder, no processes, no network."
        )
    if untouched:
        notes.append(f"{len(untouched)} other file(s) changed since, by a command or by hand; they stay as they are.")
    return tuple(notes)


def _change(history: FileHistory, root: Path, contents: Contents, *, compare: bool) -> FileChange:
    then, now = history.then, look(history.then.path)
    path = then.path
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    if now.same_as(then):
        return FileChange(path, shown, FileAction.UNCHANGED, now, then)
    diff = change_diff(shown, now, then, contents) if compare else f"{shown}: one of too many for a diff\n"
    if not then.kept or (then.kind is FileKind.FILE and contents.read(then.sha256) is None):
        return FileChange(path, shown, FileAction.LOST, now, then, diff, then.note or "its content is no longer kept")
    if not any(now.same_as(known) for known in history.known):
        return FileChange(
            path, shown, FileAction.CONFLICT, now, then, diff, "changed since by somebody other than the agent"
        )
    if history.foreign:
        return FileChange(
            path, shown, FileAction.CONFLICT, now, then, diff, "changed by somebody else between the agent's changes"
        )
    return FileChange(path, shown, _action(now, then), now, then, diff, _mode_note(now, then))


def _action(now: FileRecord, then: FileRecord) -> FileAction:
    if then.kind is FileKind.ABSENT:
        return FileAction.DELETE
    return FileAction.RECREATE if now.kind is FileKind.ABSENT else FileAction.RESTORE


def _mode_note(now: FileRecord, then: FileRecord) -> str:
    if now.mode is None or then.mode is None or now.mode == then.mode:
        return ""
    return f"mode {now.mode:o} becomes {then.mode:o}"
