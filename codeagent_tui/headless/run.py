"""One request from its text to its exit code."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

from codeagent_tui.agent.session import Session, open_session
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.headless.facts import RunFacts
from codeagent_tui.headless.interruptions import Interruptions
from codeagent_tui.headless.outcome import Outcome
from codeagent_tui.headless.report import Report, report_for, tell_end, tell_notice
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.store import SessionError
from codeagent_tui.settings import Settings
from codeagent_tui.standard_streams import OutputStream
from codeagent_tui.text import one_line
from codeagent_tui.tui.logs import PrivateLog, write_crash_log


def run(
    prompt: str,
    settings: Settings,
    paths: Paths,
    workspace: Path,
    *,
    output: str = "text",
    resume: str | None = None,
    notices: tuple[str, ...] = (),
) -> ExitCode:
    """Work on `prompt` with the process's own streams and signals; see `run_headless`."""
    out, err = OutputStream(sys.stdout), OutputStream(sys.stderr)
    logger, log_file = logging.getLogger("codeagent_tui"), PrivateLog(paths.logs / "codeagent.log")
    logger.addHandler(log_file)
    with Interruptions() as interruptions:
        work = run_headless(
            prompt,
            settings,
            paths,
            workspace,
            out=out,
            err=err,
            output=output,
            resume=resume,
            notices=notices,
            interruptions=interruptions,
        )
        try:
            return asyncio.run(work)
        except Exception as error:  # noqa: BLE001  the process's rim: a log and one line instead of a traceback
            log = write_crash_log(paths, error)
            where = f"; details: {log}" if log else ""
            err.line(f"codeagent: internal error ({type(error).__name__}). What was said is kept{where}")
            return ExitCode.INTERNAL
        finally:
            logger.removeHandler(log_file)


async def run_headless(
    prompt: str,
    settings: Settings,
    paths: Paths,
    workspace: Path,
    *,
    out: OutputStream,
    err: OutputStream,
    output: str = "text",
    resume: str | None = None,
    model: ChatModel | None = None,
    notices: tuple[str, ...] = (),
    interruptions: Interruptions | None = None,
) -> ExitCode:
    """Work on `prompt` and tell what came of it in one of `report.OUTPUTS`; the exit code says how it ended.

    A tool that would need a question is refused; the model, standard error and the JSON say so. `resume` is the start
    of a session's id, "" for the newest one here; `notices` were known before.
    """
    try:
        session = await open_session(settings, paths, workspace, resume=resume, model=model, may_ask=False)
    except SessionError as error:
        err.line(f"codeagent: {one_line(str(error))}")
        return ExitCode.USAGE
    try:
        report = report_for(output, out, err)
        told = (*notices, *session.notices)
        for notice in told:
            err.line(f"! {one_line(notice)}")
        report.begin(_facts(session, told))
        outcome = await _work(session, prompt, report, out, err, interruptions)
        for notice in _afterwards(session):
            err.line(f"! {one_line(notice)}")
            told = (*told, notice)
        report.end(_facts(session, told), outcome)
        tell_end(outcome, session.agent.gate.mode, err)
    finally:
        await session.aclose()
    return _unless_unwritten(outcome.exit_code, out, err)


async def _work(
    session: Session,
    prompt: str,
    report: Report,
    out: OutputStream,
    err: OutputStream,
    interruptions: Interruptions | None,
) -> Outcome:
    outcome = Outcome()
    events = session.agent.run(prompt)
    if interruptions is not None:
        interruptions.on_stop(session.agent.interrupt)
    stopped = False
    async for event in events:
        outcome.take(event)
        report.event(event)
        tell_notice(event, err)
        if out.failure is not None and not stopped:
            # Whoever read the stream has gone, or the disk is full: nobody is left to work for.
            stopped = True
            session.agent.interrupt()
    return outcome


def _facts(session: Session, notices: tuple[str, ...]) -> RunFacts:
    return RunFacts(
        session_id=session.log.session_id,
        model=session.agent.model.name,
        mode=session.agent.gate.mode.value,
        workspace=str(session.workspace.root),
        notices=notices,
    )


def _afterwards(session: Session) -> Iterator[str]:
    """Yield what the user should know of the stores, once the turn has used them."""
    yield from session.agent.memory.take_notices()
    failure = session.log.failure
    if failure is not None:
        yield f"This session was not saved and cannot be continued: {failure}"


def _unless_unwritten(code: ExitCode, out: OutputStream, err: OutputStream) -> ExitCode:
    if out.failure is None or out.reader_left:
        return code
    err.line(f"codeagent: the output could not be written: {out.failure.strerror or out.failure}")
    return ExitCode.FAILED if code in (ExitCode.OK, ExitCode.INTERRUPTED) else code
