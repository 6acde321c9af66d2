"""The inspector's pane: a strip of tabs, the chosen view, what was told last, and the keys of what has the focus."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from codeagent_tui.text import clean_text
from codeagent_tui.tui.inspector.compactions import CompactionsView
from codeagent_tui.tui.inspector.fact_changes import FactChanges
from codeagent_tui.tui.inspector.facts import FactsView
from codeagent_tui.tui.inspector.key_line import Hint, KeyLine
from codeagent_tui.tui.inspector.project_files import ProjectFilesView
from codeagent_tui.tui.inspector.prompt import PromptView
from codeagent_tui.tui.inspector.short_term import ShortTermView
from codeagent_tui.tui.inspector.tab_strip import TabStrip
from codeagent_tui.tui.inspector.view import InspectorView, Subject

_log = logging.getLogger(__name__)
_TOLD_SECONDS = 8.0
_NAMES = ("facts", "short-term", "files", "prompt", "compactions")
_TITLES = (
    ("Facts", "Facts"),
    ("Short-term", "Short-term"),
    ("Project files", "Files"),
    ("Prompt", "Prompt"),
    ("Compactions", "Compactions"),
)
_PANE_HINTS: tuple[Hint, ...] = (("←→ 1–5", "tabs"), ("esc", "back"))


class Inspector(Widget):
    """Shows what `subject` returns; a view is made when its tab is first opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"tab({number - 1})", show=False) for number in range(1, len(_NAMES) + 1)),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("r", "refresh_now", show=False),
    ]

    def __init__(self, subject: Callable[[], Subject], changes: FactChanges) -> None:
        super().__init__(id="inspector")
        self._subject = subject
        self._changes = changes
        self.open_tab = ""
        """The name of the tab that is shown."""
        self._stale = False
        self._loading = False
        self._silence: Timer | None = None

    def compose(self) -> ComposeResult:
        """Yield tabs, room for the views, what was told, and the keys."""
        yield TabStrip(_TITLES)
        yield Vertical(id="inspector-body")
        yield Static(id="inspector-said")
        yield KeyLine()

    async def open(self, tab: str = "", query: str = "") -> None:
        """Open `tab` ("" for the one that was open last) and focus it; `query` narrows the facts."""
        name = tab or self.open_tab or _NAMES[0]
        view = await self._view(name)
        if isinstance(view, FactsView) and tab and query:
            view.narrow(query)
        for other in self.query(InspectorView):
            other.display = other is view
        if name != self.open_tab:
            self.open_tab = name
            self._tell("")
        self.query_one(TabStrip).choose(_NAMES.index(name))
        view.take_focus()
        self._show_hints()
        await self._load(view)

    async def _view(self, name: str) -> InspectorView:
        for view in self.query(f"#view-{name}").results(InspectorView):
            return view
        view = self._made(name)
        view.id = f"view-{name}"
        await self.query_one("#inspector-body").mount(view)
        return view

    def _made(self, name: str) -> InspectorView:
        match name:
            case "short-term":
                return ShortTermView()
            case "files":
                return ProjectFilesView()
            case "prompt":
                return PromptView()
            case "compactions":
                return CompactionsView()
        return FactsView(self._changes)

    @property
    def view(self) -> InspectorView | None:
        """The view that is shown."""
        return next((view for view in self.query(InspectorView) if view.display), None)

    async def _load(self, view: InspectorView) -> None:
        try:
            await view.load(self._subject())
        except Exception as error:  # noqa: BLE001  the worker rim: a look must not take the program with it
            _log.exception("the inspector could not show %s", type(view).__name__)
            self._tell(f"Cannot show this: {error}. r tries again.", problem=True)

    def refresh_soon(self) -> None:
        """Load the open view again, beside what runs; what comes meanwhile is seen by one more look."""
        self._stale = True
        if not self._loading:
            self._loading = True
            self.run_worker(self._reload(), group="reload")

    async def _reload(self) -> None:
        try:
            while self._stale and (view := self.view) is not None:
                self._stale = False
                await self._load(view)
        finally:
            self._loading = False

    # What is told, and the keys.

    @on(InspectorView.Said)
    def tell(self, event: InspectorView.Said) -> None:
        """Show what a view tells."""
        event.stop()
        self._tell(event.text, problem=event.problem)

    def _tell(self, text: str, *, problem: bool = False) -> None:
        said = self.query_one("#inspector-said", Static)
        said.update(Content(clean_text(text)))
        said.display = bool(text)
        said.set_class(problem, "-problem")
        if self._silence is not None:
            self._silence.stop()
            self._silence = None
        if text and not problem:
            self._silence = self.set_timer(_TOLD_SECONDS, lambda: self._tell(""))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the keys of what has the focus now."""
        self._show_hints()

    def _show_hints(self) -> None:
        view = self.view
        if view is not None:
            self.query_one(KeyLine).show((*view.hints(), *_PANE_HINTS))

    # Leaving and moving about.

    def leave_part(self) -> bool:
        """Close what is open within the tab; False when there is nothing."""
        view = self.view
        return view is not None and view.leave_part()

    def put_aside(self) -> bool:
        """Keep what is half done; return whether there was anything."""
        kept = [view.put_aside() for view in self.query(InspectorView)]
        return True in kept

    @on(TabStrip.Chosen)
    async def open_clicked(self, event: TabStrip.Chosen) -> None:
        """Open the tab that was clicked."""
        event.stop()
        await self.open(_NAMES[event.index])

    async def action_tab(self, index: int) -> None:
        """Open a tab by its number."""
        await self.open(_NAMES[index])

    async def action_step(self, by: int) -> None:
        """Open the next or the previous tab."""
        await self.open(_NAMES[(_NAMES.index(self.open_tab) + by) % len(_NAMES)])

    def action_refresh_now(self) -> None:
        """Load again what is shown."""
        self.refresh_soon()
