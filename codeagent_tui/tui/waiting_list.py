"""What waits above the composer: queued messages, and the open work in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widget import Widget

from codeagent_tui.text import cut_cells, one_line
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.conversation.events import TodoItem

_MOST_SHOWN = 3
_LONGEST = 300


class WaitingList(Widget):
    """The messages that wait for the running turn (or for the session to open), oldest first; gone when none do."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"waiting--mark", "waiting--text"}

    def __init__(self) -> None:
        super().__init__(id="waiting")
        self.texts: tuple[str, ...] = ()

    def show(self, texts: Sequence[str]) -> None:
        """Show `texts`."""
        if tuple(texts) == self.texts:
            return
        self.texts = tuple(texts)
        self.set_class(bool(texts), "-some")
        self.styles.height = min(len(texts), _MOST_SHOWN + 1)
        self.refresh(layout=True)

    def render(self) -> Content:
        """Draw one line a message, cut to the width; more than a few are only counted."""
        mark = self.get_visual_style("waiting--mark", partial=True)
        style = self.get_visual_style("waiting--text", partial=True)
        shown = [one_line(text, _LONGEST) for text in self.texts[:_MOST_SHOWN]]
        if len(self.texts) > _MOST_SHOWN:
            shown.append(f"and {len(self.texts) - _MOST_SHOWN} more")
        room = max(1, self.size.width - 10)
        lines = [Content.assemble(("waiting ", mark), (cut_cells(text, room), style)) for text in shown]
        return Content("\n").join(lines)


class TodoLine(Instrument):
    """How far the agent's list of open work is, and what it is at; gone when all is done."""

    PREFIX = "todo"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"todo--count", "todo--now"}

    def __init__(self) -> None:
        super().__init__(id="todo")
        self.items: tuple[TodoItem, ...] = ()

    def show(self, items: Sequence[TodoItem]) -> None:
        """Show `items`."""
        self.items = tuple(items)
        self.set_class(any(item.status != "done" for item in items), "-some")
        self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the line: the count, then the item that is being worked on, else the next one."""
        done = sum(item.status == "done" for item in self.items)
        at = next((item for item in self.items if item.status == "in_progress"), None)
        upcoming = next((item for item in self.items if item.status == "pending"), None)
        now = f"▸ {at.text}" if at else (f"next: {upcoming.text}" if upcoming else "")
        return [(f"to do {done}/{len(self.items)} ", "count"), (one_line(now, _LONGEST), "now")]
