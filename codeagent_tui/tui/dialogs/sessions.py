"""The sessions on disk: search as you type, resume, read, rename, delete, fork."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from codeagent_tui.byte_sizes import shown_size
from codeagent_tui.sessions.summary import SessionSummary
from codeagent_tui.text import clean_text, cut_cells
from codeagent_tui.tui.dialogs.confirm import ConfirmDialog
from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.dialogs.one_line import OneLineDialog
from codeagent_tui.tui.pieces import Piece
from codeagent_tui.tui.row_list import RowList
from codeagent_tui.tui.session_rows import ListedSession, session_rows

_IN_SEARCH = "type to search   enter resume   ↑↓ tab to the list and its keys   esc close"
_IN_LIST = "enter resume  v view  r rename  d delete  f fork  a folders  / search  esc"
_TITLE = 60


class SessionAct(StrEnum):
    """What is to be done with the picked session."""

    RESUME = "resume"
    FORK = "fork"
    VIEW = "view"


@dataclass(frozen=True, slots=True)
class SessionPick:
    """A session and what is to be done with it; `here` is whether it belongs to the present folder."""

    summary: SessionSummary
    act: SessionAct
    here: bool


class SessionTools(Protocol):
    """What the dialog needs of the sessions on disk. What fails says why in a `SessionError`."""

    @property
    def current(self) -> str:
        """The id of the session that is open."""

    async def sessions(self, *, everywhere: bool) -> Sequence[ListedSession]:
        """Return the sessions of this folder, or of all, newest first."""

    async def rename(self, summary: SessionSummary, title: str) -> None:
        """Give a session another title."""

    async def delete(self, summary: SessionSummary) -> None:
        """Delete a session for good."""


class SessionsDialog(Dialog[SessionPick]):
    """Its result is what the user picked, None when nothing was. Letters are words in the search, keys in the list."""

    FLEXIBLE = "#sessions-list"
    LEAST_SIZE = (36, 9)
    AUTO_FOCUS = "#sessions-search"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "to_list", show=False),
        Binding("slash", "search", show=False),
        Binding("v", "pick('view')", show=False),
        Binding("f", "pick('fork')", show=False),
        Binding("r", "rename", show=False),
        Binding("d,delete", "delete", show=False),
        Binding("a", "folders", show=False),
    ]

    def __init__(self, tools: SessionTools, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__("Sessions", _IN_SEARCH)
        self._tools = tools
        self._clock = clock
        self._everywhere = False
        self._all: list[ListedSession] = []
        self._fitting: list[ListedSession] = []
        self._loaded = False

    def body(self) -> ComposeResult:
        """Yield the search, the list, and what was done."""
        yield Input(placeholder="search titles, first and last words", id="sessions-search")
        yield RowList(self._rows, rows_each=2, id="sessions-list")
        yield Static(Content("reading …"), id="sessions-said")

    def on_mount(self) -> None:
        """Read the sessions."""
        self._beside(self._load())

    def _beside(self, work: Coroutine[None, None, None]) -> None:
        self.run_worker(self._guarded(work), group="sessions", exit_on_error=False)

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        from codeagent_tui.sessions.store import SessionError

        try:
            await work
        except (SessionError, OSError) as error:
            self._say(str(error))

    async def _load(self) -> None:
        self._all = list(await self._tools.sessions(everywhere=self._everywhere))
        self._loaded = True
        self._fill(keep=True)

    @property
    def _list(self) -> RowList:
        return self.query_one(RowList)

    @property
    def _search(self) -> Input:
        return self.query_one("#sessions-search", Input)

    def _fill(self, *, keep: bool = False) -> None:
        """Show what fits the search; with `keep` the highlight stays where it is."""
        words = self._search.value.lower().split()
        self._fitting = [listed for listed in self._all if listed.matches(words)]
        self._list.reserved = len(self._all)
        self._list.show(len(self._fitting), self._list.highlighted if keep else 0)
        where = "all folders" if self._everywhere else "this folder"
        count = f"{len(self._fitting)} of {len(self._all)}" if words else f"{len(self._all)}"
        self.query_one("#dialog-title", Static).update(Content(f"Sessions of {where} · {count}"))
        self._say("" if self._fitting else self._why_empty())
        self.call_after_refresh(self.fit)

    def _why_empty(self) -> str:
        if not self._loaded:
            return "reading …"
        if self._all:
            return "Nothing fits what you search for."
        more = "" if self._everywhere else " tab, then a shows those of all folders."
        return f"There are no sessions yet.{more}"

    def _say(self, text: str) -> None:
        said = self.query_one("#sessions-said", Static)
        said.update(Content(clean_text(text)))
        said.display = bool(text)

    def _rows(self, index: int, width: int) -> list[list[Piece]]:
        listed = self._fitting[index]
        return session_rows(listed, width, self._clock(), current=self._tools.current, folders=self._everywhere)

    def _chosen(self) -> ListedSession | None:
        return self._fitting[self._list.highlighted] if self._fitting and not self.too_small else None

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say which keys there are now."""
        self.query_one("#dialog-keys", Static).update(Content(_IN_LIST if self._list.has_focus else _IN_SEARCH))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        event.stop()
        if self._loaded:
            self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Resume the highlighted session."""
        event.stop()
        self.action_pick(SessionAct.RESUME)

    def on_row_list_taken(self, event: RowList.Taken) -> None:
        """Resume the session that was taken."""
        event.stop()
        self.action_pick(SessionAct.RESUME)

    def on_row_list_left_upwards(self, event: RowList.LeftUpwards) -> None:
        """Go to the search."""
        event.stop()
        self.action_search()

    def action_search(self) -> None:
        """Focus the search."""
        self._search.focus()

    def action_to_list(self) -> None:
        """Focus the list, or go back from it."""
        if self._list.has_focus:
            self.action_search()
        else:
            self._list.focus()

    def action_pick(self, act: str) -> None:
        """Close with the highlighted session."""
        listed = self._chosen()
        if listed is not None:
            self.dismiss(SessionPick(listed.summary, SessionAct(act), listed.here))

    def action_folders(self) -> None:
        """Show the sessions of all folders, or of this one again."""
        self._everywhere = not self._everywhere
        self._beside(self._load())

    def action_rename(self) -> None:
        """Give the highlighted session another title."""
        listed = self._chosen()
        if listed is not None:
            self._beside(self._rename(listed))

    async def _rename(self, listed: ListedSession) -> None:
        title = await self.app.push_screen_wait(OneLineDialog("Rename the session", listed.title))
        if title:
            await self._tools.rename(listed.summary, title)
            await self._load()

    def action_delete(self) -> None:
        """Delete the highlighted session, after a yes."""
        listed = self._chosen()
        if listed is not None:
            self._beside(self._delete(listed))

    async def _delete(self, listed: ListedSession) -> None:
        title = cut_cells(listed.title, _TITLE)
        question = f"“{title}”\n{shown_size(listed.size)} on disk. It cannot be brought back."
        if await self.app.push_screen_wait(ConfirmDialog("Delete this session?", question, "Yes, delete it")):
            await self._tools.delete(listed.summary)
            await self._load()
            self._say(f"Deleted “{title}”.")
