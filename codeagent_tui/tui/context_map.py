"""The widget that draws the map of the window and its figures."""

from __future__ import annotations

from typing import ClassVar

from textual.geometry import Size

from codeagent_tui.context.picture import ContextPicture
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.tui.context_layout import PART_ROLES, map_rows
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece


class ContextMap(Instrument):
    """As many rows as its figures need at its width."""

    PREFIX = "map"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"map--{role}" for role in PART_ROLES.values()),
        *(f"map--on-{role}" for role in PART_ROLES.values()),
        *(f"map--{r}" for r in ("trigger", "ceiling", "empty", "name", "figures", "label", "strong", "spark")),
    }

    def __init__(self, picture: ContextPicture, cost: Usage, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._picture = picture
        self._cost = cost
        self._rows: list[list[Piece]] = []
        self._width = -1

    def show(self, picture: ContextPicture, cost: Usage) -> None:
        """Show another picture."""
        self._picture, self._cost, self._width = picture, cost, -1
        self.refresh(layout=True)

    def _laid(self, width: int) -> list[list[Piece]]:
        if width != self._width:
            self._width, self._rows = width, map_rows(self._picture, self._cost, width)
        return self._rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows at `width`."""
        return len(self._laid(width))

    def line_pieces(self, y: int, width: int) -> list[Piece]:
        """Return row `y`."""
        rows = self._laid(width)
        return rows[y] if y < len(rows) else []
