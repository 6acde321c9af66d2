"""A screen with nothing but a composer, driven by what a terminal sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from codeagent_tui.paths import styles_dir
from codeagent_tui.tui.composer import CommandHint, Composer

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
SHIFT_LEFT, SHIFT_UP = "\x1b[1;2D", "\x1b[1;2A"
HOME, END, DELETE = "\x1b[H", "\x1b[F", "\x1b[3~"

COMMANDS = [
    CommandHint("/compact", "[focus]", "Make room"),
    CommandHint("/help", "", "Show keys and commands"),
    CommandHint("/memory", "[query]", "Show the facts"),
]
FILES = ["src/parser.py", "docs/设计 说明.md", "README.md", "src/", "[/]b[x].txt"]


class ComposerApp(App[None]):
    """Something above, the composer below; keeps what is sent."""

    CSS_PATH = styles_dir() / "composer.tcss"
    CSS = "Screen { overflow: hidden; }"
    AUTO_FOCUS = None

    def __init__(self, history: Path | None) -> None:
        super().__init__()
        self.composer = Composer(history)
        self.sent: list[str] = []
        self.changes = 0
        self.keys: list[str] = []

    def compose(self) -> ComposeResult:
        above = Static("above")
        above.styles.height = "1fr"
        yield above
        yield self.composer

    def on_mount(self) -> None:
        self.composer.focus()
        self.composer.set_providers(commands=COMMANDS, files=self.files)

    async def files(self, beginning: str) -> Sequence[str]:
        return FILES

    def get_theme_variable_defaults(self) -> dict[str, str]:
        # What our themes add to Textual's own; to start in one of ours takes twice the time.
        return {"faint": "#6a7482"}

    def on_key(self, event: events.Key) -> None:
        self.keys.append(event.key)

    def on_composer_submitted(self, event: Composer.Submitted) -> None:
        self.sent.append(event.text)

    def on_composer_changed(self) -> None:
        self.changes += 1


class Desk:
    """What a test does with the composer."""

    def __init__(self, app: ComposerApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.composer = app.composer
        self._clock = 1_000.0

    async def send(self, data: str, *, gap: float = 0.1) -> None:
        """Let the terminal send `data`, each key `gap` seconds after the one before (by the events' own clock)."""
        parser = XTermParser()
        for event in [*parser.feed(data), *parser.tick()]:
            self._clock += gap
            event.time = self._clock
            self.app.post_message(event)
        await self.settle()

    async def paste(self, text: str) -> None:
        """Paste `text` as a terminal with bracketed paste does."""
        self.app.post_message(events.Paste(text))
        await self.settle()

    async def settle(self) -> None:
        """Let everything happen that follows from what was sent."""
        for _ in range(2):
            done = asyncio.Event()
            self.app.call_later(self.composer.call_after_refresh, done.set)
            await done.wait()

    @property
    def draft(self) -> str:
        return self.composer.draft

    @property
    def rows(self) -> list[str]:
        """What is on the screen, row by row."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def cursor(self) -> tuple[int, int]:
        """Where the terminal's cursor is: column and row."""
        return (self.app.cursor_position.x, self.app.cursor_position.y)

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until `what` holds.

        Raises:
            AssertionError: when it does not within five seconds.
        """
        try:
            async with asyncio.timeout(5):
                while not what():
                    await asyncio.sleep(0.002)
                    await self.settle()
        except TimeoutError:
            raise AssertionError("it never came to be; the screen shows:\n" + "\n".join(self.rows)) from None


Opened = Callable[..., AbstractAsyncContextManager[Desk]]


@pytest.fixture
def desk() -> Opened:
    """Return a context manager that shows a composer: `async with desk(size=(40, 12)) as it`."""

    @asynccontextmanager
    async def start(*, size: tuple[int, int] = (80, 24), history: Path | None = None) -> AsyncIterator[Desk]:
        app = ComposerApp(history)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Desk(app, pilot)

    return start
