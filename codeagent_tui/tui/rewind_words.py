"""What a planned rewind says of itself before it is done, and afterwards. Pure, so it is easy to test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagent_tui.sessions.rewind import FileAction
from codeagent_tui.text import one_line
from codeagent_tui.tui.line_view import diff_lines
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.sessions.log import RewindScope
    from codeagent_tui.sessions.rewind import FileChange, RewindPlan
    from codeagent_tui.sessions.rewinding import RewindResult

_WORDS = {
    FileAction.RESTORE: "put back",
    FileAction.RECREATE: "made again",
    FileAction.DELETE: "deleted",
    FileAction.UNCHANGED: "as it was then",
    FileAction.CONFLICT: "! changed by you",
    FileAction.LOST: "cannot be put back",
}
_MOST_NAMED = 12
_LONGEST = 160


def plan_lines(plan: RewindPlan) -> list[Piece]:
    """Return what going back would do, the diff of each file included."""
    lines: list[Piece] = []
    if plan.turn is not None:
        lines.append((f"To before “{one_line(plan.turn.text, _LONGEST)}”", "key"))
        left = _counted(plan.turns_left, "turn")
        lines.append((f"Conversation: {_counted(plan.messages, 'message')} would go, {left} would be left.", "text"))
    else:
        lines.append(("To how it was before the last rewind", "key"))
    lines += _file_lines(plan)
    if plan.commands:
        lines += [("", "text"), ("Commands that were run since", "title")]
        lines += [(f"  $ {one_line(command, _LONGEST)}", "text") for command in _some(plan.commands)]
    if plan.untouched:
        lines += [("", "text"), ("Changed since by commands or by hand; left as they are", "title")]
        lines += [(f"  {one_line(name)}", "text") for name in _some(plan.untouched)]
    lines += [("", "text") for _ in plan.notes[:1]]
    lines += [(note, "muted") for note in plan.notes]
    for change in plan.files:
        if change.diff.strip() and change.action is not FileAction.UNCHANGED:
            lines += [("", "text"), *diff_lines(change.diff.rstrip("\n"))]
    return lines


def _file_lines(plan: RewindPlan) -> list[Piece]:
    changes = [change for change in plan.files if change.action is not FileAction.UNCHANGED]
    if not changes:
        return [("Files: none was changed since.", "text")]
    width = max(len(_WORDS[change.action]) for change in changes)
    return [("", "text"), ("Files", "title"), *(_file_line(change, width) for change in changes)]


def _file_line(change: FileChange, width: int) -> Piece:
    note = f"  ({change.note})" if change.note and change.action is not FileAction.CONFLICT else ""
    role = "removed" if change.action in (FileAction.CONFLICT, FileAction.LOST) else "text"
    return f"  {_WORDS[change.action]:<{width}}  {one_line(change.shown)}{note}", role


def conflict_lines(plan: RewindPlan) -> list[Piece]:
    """Return which files somebody else changed since, and what overwriting would do to them."""
    lines: list[Piece] = []
    for change in plan.conflicts:
        lines += [(one_line(change.shown), "key"), (f"  {change.note}", "muted")]
        lines += [*diff_lines(change.diff.rstrip("\n")), ("", "text")] if change.diff.strip() else []
    return lines


def answers(plan: RewindPlan) -> list[tuple[RewindScope | None, str]]:
    """Return what can be done, each with its words: a scope of the rewind, None for a fork."""
    files = [change for change in plan.files if change.acts]
    counted = _counted(len(files), "file")
    offered: list[tuple[RewindScope | None, str]] = []
    if files:
        offered.append(("both", f"The conversation and {counted}"))
    offered.append(("conversation", "The conversation only; files stay as they are" if files else "The conversation"))
    if files:
        offered.append(("files", f"{counted[:1].upper()}{counted[1:]} only; the conversation stays"))
    if plan.turn is not None:
        offered.append((None, "Fork: go on from there in a new session; this one and the files stay"))
    return offered


def told(plan: RewindPlan, scope: str, result: RewindResult) -> str:
    """Return what a rewind did."""
    where = f"before turn {plan.turn.index + 1}" if plan.turn is not None else "to before the last rewind"
    what = {"both": "Conversation and files are", "files": "Files are"}.get(scope, "The conversation is")
    parts = [f"{what} back {where}."]
    for names, words in (
        (result.restored, "Put back"),
        (result.deleted, "Deleted"),
        (result.kept, "Left as you changed them"),
    ):
        if names:
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            parts.append(f"{words}: {', '.join(names[:_MOST_NAMED])}{more}.")
    if result.text:
        parts.append("What you said is in the input line again.")
    parts.append("/rewind, then u takes this back.")
    return " ".join(parts)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _some(names: tuple[str, ...]) -> list[str]:
    more = len(names) - _MOST_NAMED
    return [*names[:_MOST_NAMED], *([f"… and {more} more"] if more > 0 else [])]
