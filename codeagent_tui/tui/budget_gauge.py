"""The budget gauge: how full the history and the short-term memory are, and where compaction starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from codeagent_tui.tui.gauge_layout import gauge_pieces
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.conversation.events import ContextReading


class BudgetGauge(Instrument):
    """One line, always on the screen. It redraws only when a new reading differs."""

    PREFIX = "gauge"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"gauge--{role}"
        for role in (
            "calm",
            "near",
            "over",
            "word-calm",
            "word-near",
            "word-over",
            "short",
            "track",
            "trigger",
            "figures",
            "label",
        )
    }

    def __init__(self) -> None:
        super().__init__(id="gauge")
        self.reading: ContextReading | None = None

    def show(self, reading: ContextReading | None) -> None:
        """Show `reading`; None while there is no session yet."""
        if reading != self.reading:
            self.reading = reading
            self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the gauge's line."""
        return gauge_pieces(self.reading, width)
