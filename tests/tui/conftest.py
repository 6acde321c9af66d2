"""An app on a virtual screen: a real session in a scratch folder, a scripted model, keys by Pilot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from codeagent_tui.agent.session import Session
    from codeagent_tui.llm.provider import ChatModel
    from codeagent_tui.paths import Paths
    from codeagent_tui.settings import Settings
    from codeagent_tui.tui.app import CodeAgentApp

Started = Callable[..., AbstractAsyncContextManager["Screen"]]


class Screen:
    """What a test does with a running app."""

    def __init__(self, app: CodeAgentApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """What is on the screen, as plain text."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    async def until(self, what: Callable[[], bool], why: str = "") -> None:
        """Let the app work until `what` holds.

        Raises:
            AssertionError: when it does not within five seconds, with what the screen shows.
        """
        try:
            async with asyncio.timeout(5):
                while not what():
                    await self.pilot.pause()
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(f"{why or 'it'} never came to be; the screen shows:\n{self.text}") from None

    async def shows(self, *parts: str) -> None:
        """Wait until all `parts` are on the screen."""
        await self.until(lambda: all(part in self.text for part in parts), f"{parts}")

    async def type(self, text: str) -> None:
        """Press the keys of `text`."""
        await self.pilot.press(*("space" if char == " " else char for char in text))

    async def send(self, text: str) -> None:
        """Put `text` into the composer and press enter."""
        self.app.composer.set_text(text)
        await self.pilot.press("enter")

    async def idle(self) -> None:
        """Wait until the session is open and nothing runs."""
        await self.until(lambda: self.app.host.is_open and not self.app.host.running, "rest")


@pytest.fixture
def started(tmp_path: Path) -> Started:
    """Return a context manager that runs an app in `tmp_path`: `async with started(model) as screen`."""

    # Most tests of this folder need no app: they should not pay for its imports.
    from codeagent_tui.agent.session import open_session
    from codeagent_tui.paths import Paths
    from codeagent_tui.settings import Settings
    from codeagent_tui.tui.app import CodeAgentApp
    from tests.support.models import ScriptedModel

    @asynccontextmanager
    async def start(
        model: ChatModel | None = None,
        *,
        size: tuple[int, int] = (80, 24),
        settings: Settings | None = None,
        gate: asyncio.Event | None = None,
        resume: str | None = None,
        message: str | None = None,
        wait: bool = True,
    ) -> AsyncIterator[Screen]:
        workspace = tmp_path / "work"
        workspace.mkdir(exist_ok=True)

        async def opener(settings: Settings, paths: Paths, folder: Path, resume: str | None) -> Session:
            if gate is not None:
                await gate.wait()
            return await open_session(settings, paths, folder, resume=resume, model=model or ScriptedModel())

        app = CodeAgentApp(
            settings or Settings(discover=False),
            Paths(tmp_path / "home"),
            workspace,
            resume=resume,
            message=message,
            opener=opener,
        )
        async with app.run_test(size=size) as pilot:
            screen = Screen(app, pilot)
            await pilot.pause()
            if wait and gate is None:
                await screen.idle()
            yield screen
            await app.host.close()

    return start
