"""Says at the start that the last session here was cut off, and how to go on with it. One line; it asks nothing."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.text import one_line
from codeagent_tui.tui.ages import age

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_TITLE = 60


async def offer_unfinished(app: CodeAgentApp) -> None:
    """Look for a session of this folder that did not end in order and is not open in a window."""
    session = app.host.session
    cut_off = await asyncio.to_thread(session.store.unfinished)
    if cut_off is None or cut_off.session_id == session.log.session_id or session.log.started:
        return
    title = f" (“{one_line(cut_off.title, _TITLE)}”)" if cut_off.title else ""
    when = age(time.time() - cut_off.modified)
    app.notice(
        f"The last session here{title} was cut off {when}. /resume {cut_off.session_id[:8]} goes on with it.",
        NoticeLevel.INFO,
    )
