"""`codeagent sessions show`: what a session is, and its turns."""

from __future__ import annotations

import argparse
import time

from codeagent_tui.byte_sizes import shown_size
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.sessions.reading import ReadLog, read_log
from codeagent_tui.sessions.rewind import UserTurn, user_turns
from codeagent_tui.sessions.store import SessionError, SessionStore, SessionSummary
from codeagent_tui.sessions_cli.listing import facts
from codeagent_tui.sessions_cli.run import Desk
from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.ages import age

_LONGEST = 100


def show_session(desk: Desk, arguments: argparse.Namespace) -> ExitCode:
    """Print what a session is and what the user said in it."""
    summary = desk.find(arguments.id)
    size = SessionStore.disk_use(summary)
    try:
        read = read_log(summary.path, summary.session_id)
    except OSError as error:
        raise SessionError(f"The session {summary.path} cannot be read: {error}.") from error
    turns = user_turns(read)
    if arguments.json:
        said = [{"text": t.text, "at": t.created, "files": t.files, "compacted": t.compacted} for t in turns]
        desk.out.record({**facts(summary, size), "said": said, "notices": list(read.notices())})
        return ExitCode.OK
    for name, value in _told(summary, read, size):
        desk.out.line(f"{name:<9} {clean_text(value)}")
    for notice in read.notices():
        desk.out.line(f"{'notice':<9} {notice}")
    desk.out.line("")
    for turn in turns:
        desk.out.line(f"{turn.index + 1:>4}  {_line(turn)}")
    desk.out.line("")
    desk.out.line(f"Go on with it:  codeagent --resume {summary.session_id[:8]}   (in its folder)")
    desk.out.line(f"All of it:      codeagent sessions export {summary.session_id[:8]}")
    return ExitCode.OK


def _told(summary: SessionSummary, read: ReadLog, size: int) -> list[tuple[str, str]]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(summary.modified))
    kept = size - summary.size
    sizes = shown_size(size) + (f", {shown_size(kept)} of it contents of changed files" if kept else "")
    told = [
        ("title", summary.title or "(nothing said)"),
        ("id", summary.session_id),
        ("folder", summary.cwd or "not recorded"),
        ("last used", f"{when} ({age(time.time() - summary.modified)})"),
        ("tokens", f"{read.cost.total:,}" if read.cost.total else "not counted"),
        ("size", sizes),
        ("log", str(summary.path)),
        ("state", "ended in order" if summary.ended else "open in a window, or cut off by a crash"),
    ]
    return told + ([("fork of", summary.parent)] if summary.parent else [])


def _line(turn: UserTurn) -> str:
    files = f"  [{turn.files} file{'' if turn.files == 1 else 's'}]" if turn.files else ""
    return one_line(turn.text, _LONGEST) + files
