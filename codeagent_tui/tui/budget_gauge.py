"""The budget gauge: how full history and short-term memory are, where compaction starts, what is done about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from codeagent_tui.tui.gauge_layout import Compacting, GaugeState, Pressure, gauge_pieces
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.conversation.events import ContextReading
    from codeagent_tui.conversation.messages import Usage


class BudgetGauge(Instrument):
    """One line, always on the screen. It redraws only when something else is to be shown."""

    PREFIX = "gauge"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"gauge--{state}" for state in Pressure),
        *(f"gauge--word-{state}" for state in Pressure),
        *(f"gauge--{r}" for r in ("short", "condensing", "track", "trigger", "ceiling", "figures", "cost", "label")),
    }

    def __init__(self) -> None:
        super().__init__(id="gauge")
        self.state: GaugeState | None = None

    @property
    def compacting(self) -> Compacting | None:
        """The compaction that is shown."""
        return self.state.compacting if self.state is not None else None

    def show(self, reading: ContextReading) -> None:
        """Show `reading`."""
        self._take(GaugeState(reading) if self.state is None else replace(self.state, reading=reading))

    def show_compaction(self, compacting: Compacting | None) -> None:
        """Show that the history is being compacted, or (None) that it is not any more."""
        if self.state is not None:
            self._take(replace(self.state, compacting=compacting))

    def show_condensing(self, condensing: bool) -> None:
        """Show whether the short-term memory is being compressed."""
        if self.state is not None:
            self._take(replace(self.state, condensing=condensing))

    def show_cost(self, usage: Usage) -> None:
        """Show what the session has cost so far."""
        if self.state is not None:
            self._take(replace(self.state, usage=usage))

    def _take(self, state: GaugeState) -> None:
        if state != self.state:
            self.state = state
            self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the gauge's line."""
        return gauge_pieces(self.state, width)
