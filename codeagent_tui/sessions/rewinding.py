"""A planned rewind carried out: noted first, then done, so that it can be taken back, also when it was cut short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from codeagent_tui.conversation.messages import new_id
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.file_restore import CannotRestore, restore_file
from codeagent_tui.sessions.log import RewindScope, SessionLog
from codeagent_tui.sessions.rewind import FileAction, FileChange, RewindPlan

OnConflict = Literal["refuse", "keep", "overwrite"]
"""What becomes of files that somebody else changed since: nothing is done at all, they stay, or they go too."""


class RewindConflict(Exception):
    """Files were changed by somebody else since; nothing was done. `files` are their names."""

    def __init__(self, files: tuple[str, ...]) -> None:
        super().__init__(
            f"{len(files)} file(s) were changed since by somebody other than the agent ({', '.join(files[:3])}"
            f"{', …' if len(files) > 3 else ''}). Nothing was rewound: keep them, or overwrite them."
        )
        self.files = files


@dataclass(frozen=True, slots=True)
class RewindResult:
    """What a rewind did, by the shown names of the files; `failed` has the reason after each name.

    `text` is what the user said at the point gone back to: it may go into the composer again.
    """

    rewind_id: str
    restored: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    text: str = ""


def carry_out(
    log: SessionLog, checkpoints: Checkpoints, plan: RewindPlan, scope: RewindScope, on_conflict: OnConflict
) -> RewindResult:
    """Do what `plan` says for `scope`. The history itself is the caller's to exchange, from the log.

    Each file is put back whole or not at all, and only if it is still what the plan saw.

    Raises:
        RewindConflict: with `on_conflict` "refuse", before anything is done.
    """
    changes = plan.files if scope != "conversation" else ()
    conflicts = tuple(change.shown for change in changes if change.action is FileAction.CONFLICT)
    if conflicts and on_conflict == "refuse":
        raise RewindConflict(conflicts)
    rewind_id = new_id()
    target = {"undo": plan.undo} if plan.undo else {"before": plan.turn.message_id if plan.turn else ""}
    turns = plan.turns_left if scope != "files" else None
    log.append_rewind(rewind_id, scope, before=target.get("before", ""), undo=target.get("undo", ""), turns=turns)
    done = _Done()
    for change in changes:
        done.take(change, checkpoints, overwrite=on_conflict == "overwrite")
    if scope != "conversation" and not done.failed:
        log.append_rewound(rewind_id)
    return RewindResult(
        rewind_id,
        tuple(done.restored),
        tuple(done.deleted),
        tuple(done.kept),
        tuple(done.failed),
        plan.turn.text if plan.turn and scope != "files" else "",
    )


class _Done:
    """What was done so far."""

    def __init__(self) -> None:
        self.restored: list[str] = []
        self.deleted: list[str] = []
        self.kept: list[str] = []
        self.failed: list[str] = []

    def take(self, change: FileChange, checkpoints: Checkpoints, *, overwrite: bool) -> None:
        """Put one file back, unless it is somebody else's now."""
        if change.action is FileAction.LOST:
            self.failed.append(f"{change.shown}: {change.note}")
        if change.action is FileAction.CONFLICT and not overwrite:
            self.kept.append(change.shown)
        elif change.acts:
            checkpoints.before_change(change.then)
            try:
                restore_file(change.now, change.then, checkpoints.contents)
            except CannotRestore as error:
                self.failed.append(f"{change.shown}: {error}")
            else:
                (self.deleted if change.action is FileAction.DELETE else self.restored).append(change.shown)
