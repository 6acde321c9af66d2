"""The small list over the composer: completions, or what a search of the history found. It never has the focus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from codeagent_tui.text import cell_width, cut_cells, one_line
from codeagent_tui.tui.editing.completion import Choice

_MOST_ROWS = 8
_LONGEST = 300
_MARKS = {True: "› ", False: "  "}


class CompletionList(Widget):
    """Shows choices above the composer; hidden while there are none and no title."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"choices--{role}" for role in ("chosen", "other", "detail", "chosen-detail", "title")
    }

    class Clicked(Message):
        """A choice was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__(id="completions")
        self._choices: Sequence[Choice] = ()
        self._chosen = 0
        self._top = 0
        self._title = ""
        self._height = 0

    def show(self, choices: Sequence[Choice], chosen: int, *, title: str = "", room: int = _MOST_ROWS) -> None:
        """Show `choices` (their texts are taken as they are), in at most `room` rows with the title; [] hides it."""
        titled = bool(title) and (room > 1 or not choices)
        self._choices, self._chosen, self._title = choices, chosen, title if titled else ""
        rows = min(len(choices), max(1, min(_MOST_ROWS, room) - titled))
        self._top = min(max(self._top, chosen - rows + 1), chosen, max(0, len(choices) - rows))
        height = rows + titled
        self.display = height > 0
        if height and height != self._height:
            self._height = height
            self.styles.height = height
            self.styles.offset = (0, -height)
        self.refresh()

    def hide(self) -> None:
        """Show nothing."""
        if self.display:
            self._top = 0
            self.show((), 0)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        width = self.size.width
        if self._title:
            if y == 0:
                style = self.get_component_rich_style("choices--title")
                return Strip([Segment(cut_cells(self._title, width), style)]).adjust_cell_length(width, style)
            y -= 1
        index = self._top + y
        if index >= len(self._choices):
            return Strip.blank(width, self.rich_style)
        return self._choice(self._choices[index], width, chosen=index == self._chosen)

    def _choice(self, choice: Choice, width: int, *, chosen: bool) -> Strip:
        style = self.get_component_rich_style("choices--chosen" if chosen else "choices--other")
        detail_style = self.get_component_rich_style("choices--chosen-detail" if chosen else "choices--detail")
        column = self._label_column(width)
        label = cut_cells(_MARKS[chosen] + one_line(choice.label, _LONGEST), column)
        segments = [Segment(label, style)]
        room = width - column - 2
        if choice.detail and room > 0:
            gap = " " * (column - cell_width(label) + 2)
            segments += [Segment(gap, style), Segment(cut_cells(one_line(choice.detail, _LONGEST), room), detail_style)]
        return Strip(segments).adjust_cell_length(width, style)

    def _label_column(self, width: int) -> int:
        """Return how wide the labels may be: as wide as they are, but details keep 40 % of the width."""
        if not any(choice.detail for choice in self._choices):
            return width
        widest = max(cell_width(choice.label) for choice in self._choices) + cell_width(_MARKS[True])
        return min(widest, max(1, width * 6 // 10))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take the choice under the pointer."""
        event.stop()
        index = self._top + event.y - bool(self._title)
        if 0 <= index < len(self._choices):
            self.post_message(self.Clicked(index))
