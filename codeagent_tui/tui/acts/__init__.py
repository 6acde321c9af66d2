"""What the commands of the table do: one function each, by the command's id."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.text import clean_text
from codeagent_tui.tui.acts import (
    context,
    conversation,
    export,
    init,
    memory,
    model,
    notes,
    project,
    recall,
    rewind,
    screen,
    sessions,
)
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.commands import Command

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_log = logging.getLogger(__name__)

ACTS: dict[str, Act] = {
    **conversation.ACTS,
    **context.ACTS,
    **sessions.ACTS,
    **export.ACTS,
    **rewind.ACTS,
    **memory.ACTS,
    **recall.ACTS,
    **notes.ACTS,
    **init.ACTS,
    **project.ACTS,
    **model.ACTS,
    **screen.ACTS,
}


async def act(app: CodeAgentApp, command: Command, argument: str) -> None:
    """Do `command`; whatever goes wrong is said on the screen and the session goes on."""
    try:
        await ACTS[command.id](app, argument)
    except Exception as error:  # noqa: BLE001  the worker rim: a command must not take the program with it
        _log.exception("%s failed", command.id)
        app.notice(f"{command.slash or command.summary}: {clean_text(str(error))}", NoticeLevel.ERROR)
