"""A bar with its figures: how much of a budget is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codeagent_tui.text import cell_width
from codeagent_tui.tui.gauge_layout import bar
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece

_LONGEST, _SHORTEST = 40, 6


@dataclass(frozen=True, slots=True)
class Level:
    """`used` of `whole`, with a mark at `mark` (0: none); `words` say it in figures."""

    used: int
    whole: int
    words: str
    mark: int = 0


def level_pieces(level: Level, width: int) -> list[Piece]:
    """Return the bar and the figures after it; the figures alone where there is no room for both."""
    room = min(_LONGEST, width - cell_width(level.words) - 1)
    role = "over" if level.used >= level.whole else "near" if 0 < level.mark <= level.used else "calm"
    drawn = bar(level.used, level.whole, room, role, level.mark) if room >= _SHORTEST else []
    return [*drawn, (" " if drawn else "", "gap"), (level.words, "words")]


class LevelBar(Instrument):
    """One line."""

    PREFIX = "level"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"level--{r}" for r in ("calm", "near", "over", "track", "trigger", "words")
    }

    def __init__(self) -> None:
        super().__init__()
        self._level: Level | None = None

    def show(self, level: Level) -> None:
        """Show `level`."""
        if level != self._level:
            self._level = level
            self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the line."""
        return level_pieces(self._level, width) if self._level is not None else []
