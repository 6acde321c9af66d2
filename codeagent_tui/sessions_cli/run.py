"""Carries out `codeagent sessions`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.store import SessionError, SessionStore, SessionSummary, all_sessions
from codeagent_tui.sessions_cli.parser import sessions_parser
from codeagent_tui.standard_streams import OutputStream
from codeagent_tui.text import clean_text

_LAST = "last"


@dataclass(slots=True)
class Desk:
    """Where a command finds sessions, writes, and asks: `ask` is None where there is nobody to be asked."""

    paths: Paths
    folder: Path
    out: OutputStream
    err: OutputStream
    ask: Callable[[str], bool] | None
    _found: list[SessionSummary] | None = field(default=None)

    @property
    def store(self) -> SessionStore:
        """The sessions of this folder."""
        return SessionStore(self.paths.history, self.folder)

    def everywhere(self) -> list[SessionSummary]:
        """Return the sessions of all folders, newest first."""
        if self._found is None:
            self._found = all_sessions(self.paths.history)
        return self._found

    def sessions(self, *, everywhere: bool) -> list[SessionSummary]:
        """Return the sessions of this folder, or of all."""
        return self.everywhere() if everywhere else self.store.summaries()

    def find(self, wanted: str) -> SessionSummary:
        """Return the session whose id begins with `wanted`, of whatever folder.

        Raises:
            SessionError: when there is none, or more than one.
        """
        if wanted == _LAST:
            return self.store.find("")
        hits = [summary for summary in self.everywhere() if summary.session_id.startswith(wanted)]
        if not wanted or not hits:
            raise SessionError(f"No session has the id {wanted!r}. codeagent sessions list --all shows them.")
        if len(hits) > 1:
            raise SessionError(f"{len(hits)} sessions begin with {wanted!r}; give more of the id.")
        return hits[0]


def run(words: Sequence[str], paths: Callable[[], Paths], folder: Callable[[str], Path]) -> int:
    """Do what the words after `codeagent sessions` say and return the exit status.

    Args:
        words: Those words.
        paths: Gives the layout of the data folder.
        folder: Makes a folder of what was given as one.
    """
    arguments = sessions_parser().parse_args(words or ["list"])
    out, err = OutputStream(sys.stdout), OutputStream(sys.stderr)
    desk = Desk(paths(), folder(arguments.cwd), out, err, _asker(err))
    try:
        status = _command(arguments)(desk, arguments)
    except SessionError as error:
        err.line(f"codeagent: {clean_text(str(error))}")
        return ExitCode.USAGE
    unwritten = out.failure is not None and not out.reader_left
    return ExitCode.FAILED if unwritten else status


def _command(arguments: argparse.Namespace) -> Callable[[Desk, argparse.Namespace], ExitCode]:
    match arguments.word:
        case "list":
            from codeagent_tui.sessions_cli.listing import list_sessions

            return list_sessions
        case "show":
            from codeagent_tui.sessions_cli.showing import show_session

            return show_session
        case "export":
            from codeagent_tui.sessions_cli.exporting import export_session

            return export_session
        case "delete":
            from codeagent_tui.sessions_cli.removing import delete_sessions

            return delete_sessions
        case _:
            from codeagent_tui.sessions_cli.removing import prune_sessions

            return prune_sessions


def _asker(err: OutputStream) -> Callable[[str], bool] | None:
    if not (sys.stdin and sys.stderr and sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(question: str) -> bool:
        err.line(f"{question} [y/N]")
        return sys.stdin.readline().strip().lower() in ("y", "yes", "\u662f")

    return ask
