"""Acts that exchange the conversation: a new one, an earlier one."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.commands import STOP_FIRST

if TYPE_CHECKING:
    from codeagent_tui.sessions.store import SessionSummary
    from codeagent_tui.tui.app import CodeAgentApp


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
    wanted = argument or await _pick(app)
    if not wanted:
        return
    if app.host.in_turn:
        app.notice(STOP_FIRST, NoticeLevel.WARNING)
        return
    notices = await app.host.resume(wanted)
    app.transcript.clear()
    app.transcript.load(app.host.session.agent.history.messages)
    for notice in notices:
        app.notice(notice, NoticeLevel.WARNING)
    app.show_session()


async def sessions(app: CodeAgentApp, argument: str) -> None:
    """Show the sessions of this folder; picking one resumes it."""
    await resume(app, "")


async def _pick(app: CodeAgentApp) -> str:
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    session = app.host.session
    summaries = await asyncio.to_thread(session.store.summaries)
    if not summaries:
        app.notice("This folder has no sessions yet.")
        return ""
    now = time.time()
    choices = [Choice(s.session_id, s.title or "(nothing said)", _detail(s, now)) for s in summaries]
    dialog = PickerDialog("Sessions of this folder", choices, current=session.log.session_id)
    return await app.push_screen_wait(dialog) or ""


def _detail(summary: SessionSummary, now: float) -> str:
    return f"{age(now - summary.modified)} · {summary.session_id[:8]}"


ACTS: dict[str, Act] = {"new": new, "clear": clear, "resume": resume, "sessions": sessions}
