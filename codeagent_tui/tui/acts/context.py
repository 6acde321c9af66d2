"""The act behind /context: the whole picture of the next request, and taking single messages out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.gauge_layout import short_count

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from codeagent_tui.context.picture import ContextItem, ContextPicture
    from codeagent_tui.conversation.messages import Usage
    from codeagent_tui.tui.app import CodeAgentApp


class SessionContext:
    """What the dialog shows and changes, of the session that is open."""

    def __init__(self, app: CodeAgentApp) -> None:
        self._app = app
        self._session = app.host.session
        self._taken: list[tuple[str, str]] = []

    def picture(self) -> ContextPicture:
        """Return what the next request holds now."""
        return self._session.agent.picture()

    def cost(self) -> Usage:
        """Return what the session has cost so far."""
        return self._session.log.cost

    def text_of(self, message_id: str) -> str:
        """Return the whole of a message as it is sent."""
        for message in self._session.agent.history.messages:
            if message.id == message_id:
                calls = (f"→ {call.name} {call.arguments}" for call in message.tool_calls)
                return "\n\n".join(filter(None, (message.content, *calls)))
        return "It is no longer part of the conversation."

    def take_out(self, item: ContextItem, *, whole: bool) -> str:
        """Shorten a message, or take it out whole."""
        from codeagent_tui.context.taking_out import CannotTakeOut

        try:
            record = self._session.agent.take_out(item.message_id, whole=whole)
        except CannotTakeOut as why:
            return str(why)
        self._taken.append((record.id, item.name))
        saved = short_count(max(0, record.tokens_before - record.tokens_after))
        done = "taken out" if whole else "shortened"
        self._app.transcript.add_rule(f"{done}: {item.name} ({saved} tokens); /uncompact puts it back")
        self._app.show_session()
        return f"{done}: {item.name}, {saved} tokens less. u puts it back."

    async def put_back(self) -> str:
        """Put back what was taken out last."""
        from codeagent_tui.agent.agent import AgentBusy
        from codeagent_tui.agent.compaction import CannotRestore

        if not self._taken:
            return "Nothing was taken out here; /uncompact takes earlier compactions back."
        record_id, name = self._taken[-1]
        try:
            await self._session.agent.uncompact(record_id)
        except (AgentBusy, CannotRestore) as why:
            return str(why)
        self._taken.pop()
        self._app.transcript.add_rule(f"put back: {name}")
        self._app.show_session()
        return f"put back: {name}"

    def when_changed(self, node: DOMNode, look: Callable[[], None]) -> None:
        """Call `look` whenever the next request has become another."""
        self._app.request_changed.subscribe(node, lambda _: look(), immediate=True)


async def context(app: CodeAgentApp, argument: str) -> None:
    """Show what the next request holds."""
    from codeagent_tui.tui.dialogs.context import ContextDialog

    await app.push_screen_wait(ContextDialog(SessionContext(app)))


ACTS: dict[str, Act] = {"context": context}
