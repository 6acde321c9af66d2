"""Opens and closes the inspector beside the transcript; light, so that the app can hold it from the start."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING

from textual.css.query import NoMatches
from textual.widget import Widget

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp
    from codeagent_tui.tui.inspector.fact_changes import FactChanges
    from codeagent_tui.tui.inspector.pane import Inspector
    from codeagent_tui.tui.inspector.view import Subject

_BESIDE = "-inspecting"
"""On `#upper` while the inspector is open; on a narrow screen it takes the transcript's place."""


class InspectorDock:
    """Where the inspector is, if it is open."""

    def __init__(self, app: CodeAgentApp) -> None:
        self._app = app
        self._pane: Inspector | None = None
        self._changes: FactChanges | None = None
        """Kept while the pane is closed: what was deleted can still be brought back."""
        self._tab = ""

    @property
    def has_focus(self) -> bool:
        """Whether keys go to the inspector."""
        return self._pane is not None and self._pane.has_focus_within

    async def toggle(self) -> None:
        """Open it with the focus; when it is open, close it."""
        if self._pane is None:
            await self.show()
        else:
            await self.close()

    async def show(self, tab: str = "", query: str = "") -> None:
        """Open it (at `tab`, with the facts narrowed to `query`) and give it the focus."""
        if self._pane is None:
            # In a thread: what is imported for the first time takes longer than a frame.
            await asyncio.to_thread(importlib.import_module, "codeagent_tui.tui.inspector.pane")
        if self._pane is None:
            from codeagent_tui.tui.inspector.fact_changes import FactChanges
            from codeagent_tui.tui.inspector.pane import Inspector

            upper = self._upper()
            self._changes = self._changes or FactChanges()
            self._pane = Inspector(self._subject, self._changes)
            await upper.mount(self._pane)
            upper.add_class(_BESIDE)
        await self._pane.open(tab or self._tab, query)

    def _subject(self) -> Subject:
        from codeagent_tui.tui.inspector.view import Subject

        return Subject(self._app.host.session, self._app.composer.draft)

    async def close(self) -> None:
        """Take it away and go back to the composer."""
        pane, self._pane = self._pane, None
        self._upper().remove_class(_BESIDE)
        if pane is not None:
            self._tab = pane.open_tab
            if pane.put_aside():
                self._app.status.flash("the edited fact is put aside, not saved")
            await pane.remove()
        self._app.composer.focus()

    def leave(self) -> None:
        """Close what is open within the tab; else go back to the composer, the inspector stays."""
        if self._pane is None or not self._pane.leave_part():
            self._app.composer.focus()

    def refresh(self) -> None:
        """Bring what it shows up to date, if it is open."""
        if self._pane is not None:
            self._pane.refresh_soon()

    def _upper(self) -> Widget:
        """Return the row of the main screen that holds the transcript, also while a dialog is above it."""
        for screen in self._app.screen_stack:
            try:
                return screen.query_one("#upper")
            except NoMatches:
                continue
        raise NoMatches("The main screen has no #upper.")
