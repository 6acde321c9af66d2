"""Whole sessions against the strict server: the real client, the real tools, a scratch folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from codeagent_tui.agent.session import Session, open_session
from codeagent_tui.conversation.events import AgentEvent
from codeagent_tui.paths import Paths
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.scripted_agent import make_workspace
from tests.support.strict_server import StrictServer

SETTINGS = Settings(model="strict", api_key="k", mode=PermissionMode.UNATTENDED, discover=False, max_attempts=1)


@asynccontextmanager
async def strict_session(
    folder: Path, server: StrictServer, *, settings: Settings = SETTINGS, window: int = 0
) -> AsyncIterator[Session]:
    """Run `server` and a session that talks to it over HTTP, in `folder/work`. `window`: what the client believes."""
    work = folder / "work"
    make_workspace(work)
    async with server:
        asked = replace(settings, base_url=server.base_url, window=window or server.window)
        session = await open_session(asked, Paths(folder / "home"), work)
        try:
            yield session
        finally:
            server.summaries.set()
            await session.aclose()


async def say(session: Session, text: str) -> list[AgentEvent]:
    """Say `text` and return the events of the turn."""
    return [event async for event in session.agent.run(text)]
