"""`codeagent sessions delete` and `prune`: what is to go is shown and asked for first."""

from __future__ import annotations

import argparse
import time

from codeagent_tui.byte_sizes import shown_size
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.sessions.store import SessionError, SessionStore, SessionSummary
from codeagent_tui.sessions_cli.listing import counted, facts, table
from codeagent_tui.sessions_cli.run import Desk


def delete_sessions(desk: Desk, arguments: argparse.Namespace) -> ExitCode:
    """Delete the sessions that were named."""
    found = list({summary.path: summary for summary in map(desk.find, arguments.ids)}.values())
    return _remove(desk, arguments, found, folders=True)


def prune_sessions(desk: Desk, arguments: argparse.Namespace) -> ExitCode:
    """Delete the sessions that were not used for a time."""
    before = time.time() - arguments.older_than
    found = [summary for summary in desk.sessions(everywhere=arguments.all) if summary.modified < before]
    if not found and not arguments.json:
        where = "" if arguments.all else " of this folder"
        desk.out.line(f"No session{where} is that old; nothing was deleted.")
        return ExitCode.OK
    if arguments.dry_run:
        _show(desk, arguments, found, folders=arguments.all)
        return ExitCode.OK
    return _remove(desk, arguments, found, folders=arguments.all)


def _remove(desk: Desk, arguments: argparse.Namespace, found: list[SessionSummary], *, folders: bool) -> ExitCode:
    sizes = {summary.path: SessionStore.disk_use(summary) for summary in found}
    if found and not arguments.yes:
        if desk.ask is None:
            raise SessionError(f"{counted(len(found))} would be deleted for good. Say --yes to do it.")
        for line in table(found, list(sizes.values()), folders=folders):
            desk.err.line(line)
        if not desk.ask(f"Delete {counted(len(found))} ({shown_size(sum(sizes.values()))}) for good?"):
            desk.err.line("Nothing was deleted.")
            return ExitCode.FAILED
    gone: list[SessionSummary] = []
    failures: list[str] = []
    for summary in found:
        try:
            desk.store.delete(summary)
            gone.append(summary)
        except SessionError as error:
            failures.append(str(error))
    freed = sum(sizes[summary.path] for summary in gone)
    if arguments.json:
        desk.out.record({"deleted": [s.session_id for s in gone], "size": freed, "failures": failures})
    else:
        desk.out.line(f"Deleted: {counted(len(gone))}, {shown_size(freed)}.")
        for failure in failures:
            desk.err.line(f"codeagent: {failure}")
    return ExitCode.FAILED if failures else ExitCode.OK


def _show(desk: Desk, arguments: argparse.Namespace, found: list[SessionSummary], *, folders: bool) -> None:
    sizes = [SessionStore.disk_use(summary) for summary in found]
    if arguments.json:
        desk.out.record({"sessions": [facts(s, size) for s, size in zip(found, sizes, strict=True)]})
        return
    for line in table(found, sizes, folders=folders):
        desk.out.line(line)
    desk.out.line(f"{counted(len(found))}, {shown_size(sum(sizes))} would be deleted.")
