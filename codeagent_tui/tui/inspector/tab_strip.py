"""The names of the inspector's tabs; the chosen one stands between marks, a click chooses another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.message import Message

from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece, width_of

Title = tuple[str, str]
"""A tab's whole name and a short one."""


def tab_pieces(titles: Sequence[Title], chosen: int, width: int) -> list[tuple[int, Piece]]:
    """Return the strip, each piece with the tab it belongs to (-1: none).

    Where the whole names do not fit they are short, and where those do not, the others are only their numbers.
    """
    pieces: list[tuple[int, Piece]] = []
    for gap, form in ((2, 0), (2, 1), (1, 1), (1, 2)):
        pieces = []
        for index, title in enumerate(titles):
            if pieces:
                pieces.append((-1, (" " * gap, "gap")))
            name = f"{index + 1} {title[min(form, 1)]}"
            if index == chosen:
                pieces.append((index, (f"‹{name}›", "chosen")))
            else:
                pieces.append((index, (name if form < 2 else str(index + 1), "other")))
        if width_of(piece for _, piece in pieces) <= width:
            break
    return pieces


class TabStrip(Instrument):
    """One line of tabs."""

    PREFIX = "tabs"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tabs--chosen", "tabs--other"}

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, titles: Sequence[Title]) -> None:
        super().__init__()
        self._titles = titles
        self._chosen = 0

    def choose(self, index: int) -> None:
        """Mark a tab."""
        self._chosen = index
        self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the line."""
        return [piece for _, piece in tab_pieces(self._titles, self._chosen, width)]

    def on_click(self, event: events.Click) -> None:
        """Choose the tab under the pointer."""
        at = 0
        for index, piece in tab_pieces(self._titles, self._chosen, self.size.width):
            at += width_of([piece])
            if event.x < at:
                if index >= 0:
                    self.post_message(self.Chosen(index))
                return
