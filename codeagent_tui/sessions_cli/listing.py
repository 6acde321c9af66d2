"""`codeagent sessions list`: one line a session."""

from __future__ import annotations

import argparse
import shutil
import sys
import time

from codeagent_tui.byte_sizes import shown_size
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.sessions.store import SessionStore, SessionSummary
from codeagent_tui.sessions_cli.run import Desk
from codeagent_tui.text import cell_width, clean_text, cut_cells
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.gauge_layout import short_count

_SHORT_ID = 8
_TITLE, _TITLE_BESIDE_FOLDER = 100, 40
"""Terminal columns."""
_NO_TITLE = "(nothing said)"


def list_sessions(desk: Desk, arguments: argparse.Namespace) -> ExitCode:
    """Print the sessions, newest first."""
    found = desk.sessions(everywhere=arguments.all)
    sizes = [SessionStore.disk_use(summary) for summary in found]
    if arguments.json:
        desk.out.record({"sessions": [facts(s, size) for s, size in zip(found, sizes, strict=True)]})
        return ExitCode.OK
    if not found:
        desk.out.line("There are no sessions yet." if arguments.all else "This folder has no sessions yet.")
    for line in table(found, sizes, folders=arguments.all):
        desk.out.line(line)
    others = 0 if arguments.all else len(desk.everywhere()) - len(found)
    whole = f"{counted(len(found))}, {shown_size(sum(sizes))}." if found else ""
    more = f"{counted(others)} of other folders: --all." if others else ""
    desk.out.line(" ".join(filter(None, (whole, more))))
    return ExitCode.OK


def counted(count: int) -> str:
    """Return `1 session`, `2 sessions`."""
    return f"{count:,} session{'' if count == 1 else 's'}"


def table(found: list[SessionSummary], sizes: list[int], *, folders: bool) -> list[str]:
    """Return aligned lines of what tells the sessions apart, cut to the width of a terminal."""
    now = time.time()
    rows = [
        (
            summary.session_id[:_SHORT_ID],
            age(now - summary.modified),
            f"{summary.turns or '?'} turns" if summary.turns != 1 else "1 turn",
            f"{short_count(summary.tokens)} tokens" if summary.tokens else "",
            shown_size(size),
            cut_cells(summary.title or _NO_TITLE, _TITLE_BESIDE_FOLDER if folders else _TITLE),
        )
        for summary, size in zip(found, sizes, strict=True)
    ]
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    room = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 0
    lines = []
    for row, summary in zip(rows, found, strict=True):
        cells = [text + " " * (width - cell_width(text)) for text, width in zip(row, widths, strict=True)]
        line = "  ".join((*cells, clean_text(summary.cwd) if folders else "")).rstrip()
        lines.append(cut_cells(line, room) if room else line)
    return lines


def facts(summary: SessionSummary, size: int) -> dict[str, object]:
    """Return what is known of a session from its log's head and tail, as JSON data; `size` is in bytes."""
    return {
        "id": summary.session_id,
        "title": summary.title,
        "folder": summary.cwd,
        "modified": round(summary.modified, 3),
        "turns": summary.turns,
        "tokens": summary.tokens,
        "size": size,
        "first": summary.first,
        "last": summary.last,
        "ended": summary.ended,
        "parent": summary.parent,
        "log": str(summary.path),
    }
