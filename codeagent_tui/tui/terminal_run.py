"""Runs the app in a real terminal: signals, crashes and a terminal that goes away all end it properly."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import TYPE_CHECKING

from codeagent_tui.tui.lifeline import Lifeline, kill_children
from codeagent_tui.tui.logs import PrivateLog, write_crash_log

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_CRASHED = 70
"""EX_SOFTWARE of sysexits.h: an internal error."""


def run_in_terminal(app: CodeAgentApp) -> int:
    """Run `app` to its end and return the exit status; a crash leaves one line on stderr and a log."""
    logging.getLogger("codeagent_tui").addHandler(PrivateLog(app.paths.logs / "codeagent.log"))
    if os.name == "posix" and "TEXTUAL_DRIVER" not in os.environ:
        from codeagent_tui.tui.terminal_driver import TerminalDriver

        app.driver_class = TerminalDriver
    lifeline = Lifeline()
    app.when_leaving = lifeline.count_down
    try:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()
            lifeline.install(lambda status: _ask_to_leave(loop, app, status), app.keep_draft)
            status = runner.run(app.run_async())
    finally:
        # What is left (threads that hang, children of tools) must not keep the process.
        lifeline.count_down(_CRASHED)
        kill_children()
    if app.crash is None:
        return status or 0
    app.keep_draft()
    log = write_crash_log(app.paths, app.crash)
    kept = "The conversation and what you typed are kept"
    where = f"; details: {log}" if log else ""
    sys.stderr.write(f"codeagent: internal error ({type(app.crash).__name__}). {kept}{where}\n")
    return _CRASHED


def _ask_to_leave(loop: asyncio.AbstractEventLoop, app: CodeAgentApp, status: int) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(app.leave_soon, status)
