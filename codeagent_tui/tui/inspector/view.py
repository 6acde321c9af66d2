"""Base of the inspector's views: each shows one part of the memory of a session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.widget import Widget

from codeagent_tui.tui.line_view import LineView
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session


class InspectorView(Widget):
    """One tab. `KEYS` says what can be done here."""

    TITLE: ClassVar[str] = ""
    KEYS: ClassVar[str] = ""

    async def load(self, session: Session) -> None:
        """Show what `session` holds now."""

    def take_focus(self) -> None:
        """Put the focus where the keys act."""
        self.focus()


class TextView(InspectorView):
    """A tab of text. A subclass gathers the data on the loop (`gather`), its lines are made in a thread."""

    KEYS: ClassVar[str] = "↑↓ pgup pgdn scroll"

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield LineView()

    async def gather(self, session: Session) -> Callable[[], list[Piece]]:
        """Return what makes the lines: a function of data that nobody changes any more."""
        return list

    async def load(self, session: Session) -> None:
        """Gather, lay out beside the loop, show."""
        make_lines = await self.gather(session)
        lines = await asyncio.to_thread(make_lines)
        self.query_one(LineView).show(lines, keep_place=True)

    def take_focus(self) -> None:
        """Focus the text, so that the arrows scroll it."""
        self.query_one(LineView).focus()
