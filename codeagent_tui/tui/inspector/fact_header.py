"""The names of the columns above the table of facts."""

from __future__ import annotations

from typing import ClassVar

from codeagent_tui.tui.inspector.fact_table import header
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece

_LEAD_AND_SCROLLBAR = 2, 2


class FactHeader(Instrument):
    """One line, aligned with the rows: they begin with the columns of cursor and mark."""

    PREFIX = "tabs"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tabs--chosen", "tabs--muted"}

    def pieces(self, width: int) -> list[Piece]:
        """Return the line."""
        lead, scrollbar = _LEAD_AND_SCROLLBAR
        return [(" " * lead, "gap"), *header(max(0, width - lead - scrollbar))]
