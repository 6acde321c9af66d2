"""The whole picture of the next request: a map of the window, growth, the largest messages, which can be taken out."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.widgets import Static

from codeagent_tui.context.picture import ContextItem, ContextPicture
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.tui.context_layout import item_row
from codeagent_tui.tui.context_map import ContextMap
from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.dialogs.reading import ReadingDialog
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece
from codeagent_tui.tui.row_list import RowList

_KEYS = "↑↓ choose   enter read   s shorten   d take out   u put back   esc close"
_HEADING = "The largest messages"


class ContextTools(Protocol):
    """What the dialog needs of the session. What cannot be done says why in a sentence."""

    def picture(self) -> ContextPicture:
        """Return what the next request holds now."""

    def cost(self) -> Usage:
        """Return what the session has cost so far."""

    def text_of(self, message_id: str) -> str:
        """Return the whole of a message as it is sent."""

    def take_out(self, item: ContextItem, *, whole: bool) -> str:
        """Shorten a message, or take it out whole; return what was done, or why not."""

    async def put_back(self) -> str:
        """Put back what was taken out last; return what was done, or why not."""

    def when_changed(self, node: DOMNode, look: Callable[[], None]) -> None:
        """Call `look` whenever the next request has become another, as long as `node` is there."""


class ContextDialog(Dialog[None]):
    """Shows the picture as it is at every moment; what the keys did stands above the largest messages."""

    FLEXIBLE = AUTO_FOCUS = "#context-items"
    LEAST_SIZE = (36, 14)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "take_out(False)", show=False),
        Binding("d,delete", "take_out(True)", show=False),
        Binding("u", "put_back", show=False),
    ]

    def __init__(self, tools: ContextTools) -> None:
        super().__init__("What the next request holds", _KEYS)
        self._tools = tools
        self._picture = tools.picture()

    def body(self) -> ComposeResult:
        """Yield the map and the list."""
        yield ContextMap(self._picture, self._tools.cost(), id="context-map")
        yield Static(Content(_HEADING), id="context-said")
        yield RowList(self._rows, id="context-items")

    def on_mount(self) -> None:
        """Fill the list and look again whenever something changes."""
        self.query_one(RowList).show(len(self._picture.largest))
        self._tools.when_changed(self, self.look_again)

    def _rows(self, index: int, width: int) -> list[list[Piece]]:
        return [item_row(self._picture.largest[index], self._picture.reading.window, width)]

    @property
    def _chosen(self) -> ContextItem | None:
        items = self._picture.largest
        return items[self.query_one(RowList).highlighted] if items else None

    def look_again(self) -> None:
        """Show the picture as it is now; the cursor stays on its message."""
        picture = self._tools.picture()
        if picture == self._picture:
            return
        chosen, rows = self._chosen, self.query_one(RowList)
        self._picture = picture
        self.query_one(ContextMap).show(picture, self._tools.cost())
        places = (
            index for index, item in enumerate(picture.largest) if chosen and item.message_id == chosen.message_id
        )
        rows.show(len(picture.largest), next(places, rows.highlighted))
        self.call_after_refresh(self.fit)

    def _say(self, text: str) -> None:
        self.query_one("#context-said", Static).update(Content(text))
        self.call_after_refresh(self.fit)

    def on_row_list_taken(self, event: RowList.Taken) -> None:
        """Show the chosen message whole."""
        event.stop()
        item = self._chosen
        if item is not None and not self.too_small:
            self.app.push_screen(ReadingDialog(item.name, lines_of(self._tools.text_of(item.message_id))))

    def action_take_out(self, whole: bool) -> None:
        """Shorten the chosen message, or take it out whole."""
        item = self._chosen
        if item is not None and not self.too_small:
            self._say(self._tools.take_out(item, whole=whole))
            self.look_again()

    async def action_put_back(self) -> None:
        """Put back what was taken out last."""
        self._say(await self._tools.put_back())
        self.look_again()
