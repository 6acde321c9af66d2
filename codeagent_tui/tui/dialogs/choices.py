"""A short list of answers, each with its number; the chosen one is marked by a sign, not by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from codeagent_tui.tui.wrapping import wrap_line

MARK = "›"
_INDENT = 5


class Choices(Widget):
    """Numbered answers, wrapped whole. It takes no focus: its dialog gives it keys and reads `highlighted`."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"answers--chosen", "answers--other"}

    class Clicked(Message):
        """An answer was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, answers: Sequence[str], highlighted: int = 0) -> None:
        super().__init__(id="choices")
        self.answers = tuple(answers)
        self.highlighted = highlighted

    def move(self, by: int) -> None:
        """Highlight another answer, around the ends."""
        self.highlighted = (self.highlighted + by) % len(self.answers)
        self.refresh()

    def _rows(self, width: int) -> list[tuple[int, str]]:
        """Return the rows at `width`, each with the index of its answer."""
        rows: list[tuple[int, str]] = []
        for index, answer in enumerate(self.answers):
            mark = MARK if index == self.highlighted else " "
            for number, (start, end) in enumerate(wrap_line(answer, width - _INDENT)):
                lead = f"{mark} {index + 1}  " if number == 0 else " " * _INDENT
                rows.append((index, lead + answer[start:end]))
        return rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return as many rows as the answers need."""
        return len(self._rows(width))

    def render(self) -> Content:
        """Draw the answers."""
        styles = {
            chosen: self.get_visual_style("answers--chosen" if chosen else "answers--other", partial=True)
            for chosen in (True, False)
        }
        rows = self._rows(self.size.width)
        return Content("\n").join(Content.styled(row, styles[index == self.highlighted]) for index, row in rows)

    def on_click(self, event: events.Click) -> None:
        """Report the answer under the pointer."""
        rows = self._rows(self.size.width)
        if 0 <= event.y < len(rows):
            self.post_message(self.Clicked(rows[event.y][0]))
