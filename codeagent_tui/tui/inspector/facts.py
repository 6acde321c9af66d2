"""The long-term facts: narrow, read, delete, take a deletion back."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.text import clean_text
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.inspector.view import InspectorView

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session

_NONE = "Nothing is saved yet. /save <fact> saves one, and so does the agent when you tell it to remember something."


class FactsView(InspectorView):
    """Lists what long-term memory shows in this project."""

    TITLE: ClassVar[str] = "Facts"
    KEYS: ClassVar[str] = "/ narrow  d delete  u undo"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "delete", show=False),
        Binding("u", "undo", show=False),
        Binding("slash", "narrow", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self._entries: list[MemoryEntry] = []
        self._deleted: list[MemoryEntry] = []

    def compose(self) -> ComposeResult:
        """Yield the filter, the list, and what was done."""
        yield Input(placeholder="narrow (/)", id="facts-filter")
        yield Static(id="facts-said")
        yield OptionList(id="facts-list", markup=False)

    def take_focus(self) -> None:
        """Focus the list."""
        self.query_one(OptionList).focus()

    def narrow(self, query: str) -> None:
        """Show only the facts that hold `query`."""
        self.query_one(Input).value = query

    async def load(self, session: Session) -> None:
        """Read the facts."""
        self._session = session
        self._entries = await asyncio.to_thread(session.agent.memory.facts)
        self._fill()

    def _fill(self) -> None:
        words = self.query_one(Input).value.lower().split()
        fitting = [e for e in self._entries if all(w in f"{e.content} {e.id}".lower() for w in words)]
        options = self.query_one(OptionList)
        place = options.highlighted or 0
        options.set_options([self._option(entry) for entry in fitting])
        options.highlighted = min(place, len(fitting) - 1) if fitting else None
        self._say(f"{len(fitting)} of {len(self._entries)} facts" if self._entries else _NONE)

    def _option(self, entry: MemoryEntry) -> Option:
        meta = f"{entry.id[:8]} · {entry.scope} · {age(time.time() - entry.timestamp)}"
        return Option(
            Content.assemble((clean_text(entry.content), "$foreground"), (f"\n{meta}", "$text-muted not bold")),
            id=entry.id,
        )

    def _say(self, text: str) -> None:
        self.query_one("#facts-said", Static).update(Content(clean_text(text)))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        event.stop()
        self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the list."""
        event.stop()
        self.take_focus()

    def action_narrow(self) -> None:
        """Go to the filter."""
        self.query_one(Input).focus()

    async def action_delete(self) -> None:
        """Delete the highlighted fact; `u` brings it back."""
        options = self.query_one(OptionList)
        if self._session is None or options.highlighted is None:
            return
        wanted = options.get_option_at_index(options.highlighted).id
        entry = next(entry for entry in self._entries if entry.id == wanted)
        await self._session.agent.memory.forget(entry.id)
        self._deleted.append(entry)
        await self.load(self._session)
        self._say("Deleted; u brings it back.")

    async def action_undo(self) -> None:
        """Save the fact that was deleted last again."""
        if self._session is None or not self._deleted:
            return
        entry = self._deleted.pop()
        scope = entry.scope or Scope.PROJECT
        result = await self._session.agent.memory.save_fact(entry.content, scope=scope, source=entry.source)
        await self.load(self._session)
        self._say(result.message)
