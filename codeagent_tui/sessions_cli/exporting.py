"""`codeagent sessions export`: a session as a file, or on standard output."""

from __future__ import annotations

import argparse
from pathlib import Path

from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.export.session_export import ExportFormat, SessionLogFile, export, file_name, format_of, render
from codeagent_tui.sessions.store import SessionError, SessionSummary
from codeagent_tui.sessions_cli.run import Desk

_STDOUT = "-"


def export_session(desk: Desk, arguments: argparse.Namespace) -> ExitCode:
    """Write the session; what was done is told on standard error, so that standard output can be piped on."""
    summary = desk.find(arguments.id)
    log = SessionLogFile(summary.path, summary.session_id)
    try:
        if arguments.file == _STDOUT:
            wanted = ExportFormat(arguments.format or ExportFormat.MARKDOWN)
            done = render(log, wanted, with_secrets=arguments.with_secrets)
            desk.out.line(done.text.rstrip("\n"))
        else:
            wanted, target = _where(arguments, summary)
            done = export(log, target, wanted, with_secrets=arguments.with_secrets, replace=arguments.force)
            desk.err.line(f"Written: {target}")
    except FileExistsError:
        desk.err.line(f"codeagent: {target} is there already; nothing was written. --force replaces it.")
        return ExitCode.FAILED
    except OSError as error:
        desk.err.line(f"codeagent: The session could not be exported: {error}. Nothing was written.")
        return ExitCode.FAILED
    for notice in (*done.notices, done.about_secrets):
        desk.err.line(notice)
    return ExitCode.OK


def _where(arguments: argparse.Namespace, summary: SessionSummary) -> tuple[ExportFormat, Path]:
    """Return the format and the file.

    Raises:
        SessionError: when nothing says which format it is to be.
    """
    given = Path(arguments.file).expanduser() if arguments.file else Path()
    if not arguments.file or given.is_dir():
        wanted = ExportFormat(arguments.format or ExportFormat.MARKDOWN)
        return wanted, given / file_name(summary.title, wanted)
    found = ExportFormat(arguments.format) if arguments.format else format_of(arguments.file)
    if found is None:
        raise SessionError(f"{arguments.file} ends in none of .md, .html, .json: say the format with --format.")
    return found, given
