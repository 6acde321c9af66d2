"""A transcript on a virtual screen, and nothing else there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from codeagent_tui.paths import styles_dir
from codeagent_tui.tui.themes import DARK, THEMES
from codeagent_tui.tui.transcript import Transcript


class Pane(App[None]):
    """An app with nothing but a transcript; `told` is what it posted."""

    CSS_PATH = styles_dir() / "transcript.tcss"

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK
        self.transcript = Transcript()
        self.told: list[tuple[bool, bool]] = []
        self.copied: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_transcript_follow_changed(self, event: Transcript.FollowChanged) -> None:
        self.told.append((event.following, event.unseen))

    def on_transcript_copied(self, event: Transcript.Copied) -> None:
        self.copied.append(event.text)


class Screen:
    """What a test does with the pane."""

    def __init__(self, app: Pane, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.pane = app.transcript

    @property
    def rows(self) -> list[str]:
        """What is on the screen, row by row, without the scrollbar."""
        strips = self.app.screen._compositor.render_strips()
        return [strip.crop(0, self.app.size.width - 1).text.rstrip() for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    async def settle(self) -> None:
        """Wait until everything is drawn."""
        await self.until(lambda: not self.pane.waits_for_frame)
        await self.pilot.pause()

    async def until(self, what: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not what():
                await self.pilot.pause()
                await asyncio.sleep(0.005)

    def row_of(self, text: str) -> int:
        return next(number for number, row in enumerate(self.rows) if text in row)

    async def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        await self.pilot.mouse_down(offset=start)
        await self.pilot.hover(offset=end)
        await self.pilot.mouse_up(offset=end)
        await self.pilot.pause()


@asynccontextmanager
async def shown(width: int = 60, height: int = 20) -> AsyncIterator[Screen]:
    app = Pane()
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        yield Screen(app, pilot)
