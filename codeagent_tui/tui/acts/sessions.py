"""Acts that exchange the conversation: a new one, an earlier one, a copy of one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.text import one_line
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.commands import STOP_FIRST

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session
    from codeagent_tui.sessions.summary import SessionSummary
    from codeagent_tui.tui.app import CodeAgentApp
    from codeagent_tui.tui.dialogs.sessions import SessionPick

_COPY, _VIEW = range(2)


async def new(app: CodeAgentApp, argument: str) -> None:
    """Begin a new session below the old one's text."""
    app.host.session.start_new()
    app.transcript.add_rule("new session")
    app.show_session()


async def clear(app: CodeAgentApp, argument: str) -> None:
    """Begin a new session on an empty screen."""
    app.host.session.start_new()
    app.transcript.clear()
    app.show_session()


async def resume(app: CodeAgentApp, argument: str) -> None:
    """Go on with the session whose id begins with `argument`, or with one that is picked."""
    if argument:
        await _resume(app, argument)
    else:
        await sessions(app, "")


async def sessions(app: CodeAgentApp, argument: str) -> None:
    """Show the sessions; what is picked is resumed, forked or shown."""
    from codeagent_tui.tui.dialogs.sessions import SessionAct, SessionsDialog
    from codeagent_tui.tui.session_library import SessionLibrary

    pick = await app.push_screen_wait(SessionsDialog(SessionLibrary(app.host.session)))
    if pick is None:
        return
    if pick.act is SessionAct.VIEW:
        await _view(app, pick.summary)
    elif app.host.in_turn:
        app.notice(STOP_FIRST, NoticeLevel.WARNING)
    elif pick.act is SessionAct.FORK:
        await _fork(app, pick.summary)
    elif pick.here:
        await _resume(app, pick.summary.session_id)
    else:
        await _resume_elsewhere(app, pick)


async def rename(app: CodeAgentApp, argument: str) -> None:
    """Give the open session another title."""
    from codeagent_tui.tui.session_library import LONGEST_TITLE

    title = one_line(argument, LONGEST_TITLE)
    app.host.session.log.append_title(title)
    app.notice(f"This session is called “{title}” now.")


async def fork(app: CodeAgentApp, argument: str) -> None:
    """Go on in a copy of the open session."""
    if not app.host.session.agent.history.messages:
        app.notice("There is nothing to fork yet.")
        return
    await _exchange(app, lambda session: session.fork())
    app.notice("This is a fork: what is said from here on is not in the session that it was made of.")


async def _resume(app: CodeAgentApp, wanted: str) -> None:
    await _exchange(app, lambda session: asyncio.to_thread(session.resume, wanted))


async def _fork(app: CodeAgentApp, summary: SessionSummary) -> None:
    if summary.session_id == app.host.session.log.session_id:
        await fork(app, "")
        return
    await _exchange(app, lambda session: session.resume_here(summary))
    app.notice(f"This is a fork of “{one_line(summary.title, 60)}”, which stays as it is.")


async def _resume_elsewhere(app: CodeAgentApp, pick: SessionPick) -> None:
    """Ask what to do with a session of another folder before anything is exchanged."""
    from codeagent_tui.tui.dialogs.choose import ChooseDialog
    from codeagent_tui.tui.line_view import lines_of
    from codeagent_tui.tui.session_library import SessionLibrary

    summary = pick.summary
    if SessionLibrary(app.host.session).is_gone(summary):
        told = f"It belongs to {summary.cwd}, which is not there any more or cannot be entered."
    else:
        told = (
            f"It belongs to {summary.cwd}. To go on with it there:\n"
            f"  codeagent -C {summary.cwd} --resume {summary.session_id[:8]}"
        )
    about = f"{told}\n\nA copy goes on in {app.workspace}: its tools work here, and the old one stays as it is."
    answers = ("Go on with a copy of it in this folder", "Only read it")
    answer = await app.push_screen_wait(
        ChooseDialog("A session of another folder", lines_of(about), answers, default=_VIEW)
    )
    if answer == _VIEW:
        await _view(app, summary)
    elif answer == _COPY:
        await _fork(app, summary)


async def _view(app: CodeAgentApp, summary: SessionSummary) -> None:
    """Show what was said in a session, without going on with it."""
    from codeagent_tui.export.markdown import as_markdown
    from codeagent_tui.export.transcript import read_transcript
    from codeagent_tui.tui.dialogs.reading import ReadingDialog
    from codeagent_tui.tui.line_view import lines_of

    transcript = await asyncio.to_thread(read_transcript, summary.path, summary.session_id)
    lines = await asyncio.to_thread(lambda: lines_of(as_markdown(transcript)))
    await app.push_screen_wait(ReadingDialog(one_line(summary.title, 60), lines))


async def _exchange(app: CodeAgentApp, change: Callable[[Session], Awaitable[Iterable[str]]]) -> None:
    notices = await app.host.exchanged(change)
    show_conversation(app)
    for notice in notices:
        app.notice(notice, NoticeLevel.WARNING)


def show_conversation(app: CodeAgentApp) -> None:
    """Show the conversation of the open session from its beginning."""
    app.transcript.clear()
    app.transcript.load(app.host.session.agent.history.messages)
    app.show_session()


ACTS: dict[str, Act] = {
    "new": new,
    "clear": clear,
    "resume": resume,
    "sessions": sessions,
    "rename": rename,
    "fork": fork,
}
