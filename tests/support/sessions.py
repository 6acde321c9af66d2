"""Sessions for tests: a scratch workspace and home, a scripted model, everything else real."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

from codeagent_tui.agent.session import Session, open_session
from codeagent_tui.conversation.events import AgentEvent, ApprovalAnswer, ApprovalAsked, Decision
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.paths import Paths
from codeagent_tui.settings import Settings

EventT = TypeVar("EventT")


async def scratch_session(
    tmp_path: Path,
    model: ChatModel,
    *,
    settings: Settings | None = None,
    resume: str | None = None,
    may_ask: bool = True,
) -> Session:
    """Return a session in `tmp_path/work` with its data in `tmp_path/home`."""
    workspace = tmp_path / "work"
    workspace.mkdir(exist_ok=True)
    paths = Paths(tmp_path / "home")
    return await open_session(
        settings or Settings(discover=False), paths, workspace, resume=resume, model=model, may_ask=may_ask
    )


async def collect(
    events: AsyncIterator[AgentEvent],
    *,
    answer: Decision = Decision.ONCE,
    reason: str = "",
    on: Callable[[AgentEvent], None] | None = None,
) -> list[AgentEvent]:
    """Return all `events`, answering each approval with `answer`; `on` sees each event as it comes."""
    seen: list[AgentEvent] = []
    async for event in events:
        seen.append(event)
        if on is not None:
            on(event)
        if isinstance(event, ApprovalAsked) and not event.reply.done():
            event.reply.set_result(ApprovalAnswer(answer, reason))
    return seen


def of(kind: type[EventT], events: list[AgentEvent]) -> list[EventT]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]
