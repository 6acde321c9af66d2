"""The inspector's pane: a strip of tabs, the chosen view, and its keys."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from codeagent_tui.text import clean_text
from codeagent_tui.tui.inspector.facts import FactsView
from codeagent_tui.tui.inspector.project_files import ProjectFilesView
from codeagent_tui.tui.inspector.prompt import PromptView
from codeagent_tui.tui.inspector.short_term import ShortTermView
from codeagent_tui.tui.inspector.view import InspectorView
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session

_log = logging.getLogger(__name__)

_VIEWS: dict[str, type[InspectorView]] = {
    "facts": FactsView,
    "short-term": ShortTermView,
    "files": ProjectFilesView,
    "prompt": PromptView,
}


class TabStrip(Instrument):
    """The names of the views; the chosen one stands between marks."""

    PREFIX = "tabs"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tabs--chosen", "tabs--other"}

    def __init__(self) -> None:
        super().__init__()
        self.chosen = ""

    def choose(self, name: str) -> None:
        """Mark the view `name`."""
        self.chosen = name
        self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the line."""
        pieces: list[Piece] = []
        for number, (name, view) in enumerate(_VIEWS.items(), 1):
            chosen = name == self.chosen
            if pieces:
                pieces.append(("  ", "gap"))
            pieces.append((f"{number} {view.TITLE}{' ‹' if chosen else ''}", "chosen" if chosen else "other"))
        return pieces


class Inspector(Widget):
    """Shows the session that `session` returns; a view is made when its tab is first opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"tab('{name}')", show=False) for number, name in enumerate(_VIEWS, 1)),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("r", "refresh_now", show=False),
    ]

    def __init__(self, session: Callable[[], Session]) -> None:
        super().__init__(id="inspector")
        self._session = session
        self._open_tab = ""

    def compose(self) -> ComposeResult:
        """Yield tabs, room for the views, and the line of keys."""
        yield TabStrip()
        yield Vertical(id="inspector-body")
        yield Static(id="inspector-keys")

    async def open(self, tab: str = "", query: str = "") -> None:
        """Open `tab` ("" for the one that was open last) and focus it; `query` narrows the facts."""
        name = tab or self._open_tab or "facts"
        view = await self._view(name)
        if isinstance(view, FactsView) and tab:
            view.narrow(query)
        for other in self.query(InspectorView):
            other.display = other is view
        self._open_tab = name
        self.query_one(TabStrip).choose(name)
        keys = "  ".join(filter(None, (view.KEYS, "←→ tabs", "esc back")))
        self.query_one("#inspector-keys", Static).update(Content(keys))
        view.take_focus()
        await self._load(view)

    async def _view(self, name: str) -> InspectorView:
        kind = _VIEWS[name]
        for view in self.query(kind):
            return view
        view = kind()
        await self.query_one("#inspector-body").mount(view)
        return view

    async def _load(self, view: InspectorView) -> None:
        try:
            await view.load(self._session())
        except Exception as error:  # noqa: BLE001  the worker rim: a look must not take the program with it
            _log.exception("the inspector could not show %s", type(view).__name__)
            self.query_one("#inspector-keys", Static).update(Content(clean_text(f"Cannot show this: {error}")))

    def refresh_soon(self) -> None:
        """Load the open view again, beside what runs."""
        self.run_worker(self._reload(), group="reload", exclusive=True)

    async def _reload(self) -> None:
        for view in self.query(_VIEWS[self._open_tab]) if self._open_tab else ():
            await self._load(view)

    async def action_tab(self, name: str) -> None:
        """Open a tab by its number."""
        await self.open(name)

    async def action_step(self, by: int) -> None:
        """Open the next or the previous tab."""
        names = list(_VIEWS)
        await self.open(names[(names.index(self._open_tab) + by) % len(names)])

    def action_refresh_now(self) -> None:
        """Load again what is shown."""
        self.refresh_soon()
