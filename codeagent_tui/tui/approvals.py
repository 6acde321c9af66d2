"""Brings an approval that the agent asks for to the user, and the answer back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeagent_tui.conversation.events import ApprovalAnswer, ApprovalAsked
    from codeagent_tui.tui.app import CodeAgentApp


class ApprovalDesk:
    """Shows one approval dialog at a time; `showing` says whether one is up."""

    def __init__(self, app: CodeAgentApp) -> None:
        self._app = app
        self.showing = False

    def ask(self, event: ApprovalAsked) -> None:
        """Ask the user; when the turn is stopped meanwhile, the dialog goes by itself."""
        from codeagent_tui.conversation.events import ApprovalAnswer, Decision
        from codeagent_tui.tui.dialogs.approval import ApprovalDialog

        app, reply = self._app, event.reply
        dialog = ApprovalDialog(event.request, typing=app.typing, typed=app.composer.insert)

        def answered(answer: ApprovalAnswer | None) -> None:
            self.showing = False
            app.status.doing("working")
            if not reply.done():
                reply.set_result(answer or ApprovalAnswer(Decision.NO))

        def settled(_: asyncio.Future[ApprovalAnswer]) -> None:
            if self.showing and dialog.is_running and app.screen is dialog:
                dialog.dismiss(None)

        self.showing = True
        reply.add_done_callback(settled)
        app.push_screen(dialog, answered)
