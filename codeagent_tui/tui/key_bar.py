"""The bottom line: the most useful keys, read from the table of commands."""

from __future__ import annotations

from typing import ClassVar

from codeagent_tui.tui.commands import COMMANDS, Command, key_name
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece, width_of

_ONLY_WHILE_RUNNING = "interrupt"
_GAP = "   "


def key_bar_pieces(width: int, running: bool) -> list[Piece]:
    """Return as many whole key hints as fit, in the table's order."""
    pieces: list[Piece] = []
    for command in COMMANDS:
        if not command.footer or (command.id == _ONLY_WHILE_RUNNING and not running):
            continue
        hint = _hint(command)
        gap: list[Piece] = [(_GAP, "gap")] if pieces else []
        if width_of(pieces) + width_of(gap) + width_of(hint) > width:
            break
        pieces += gap + hint
    return pieces


def _hint(command: Command) -> list[Piece]:
    return [(key_name(command.keys[0]), "key"), (f" {command.footer}", "word")]


class KeyBar(Instrument):
    """One line of keys; `show_stop` adds the one that stops."""

    PREFIX = "keys"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys--key", "keys--word"}

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._stoppable = False

    def show_stop(self, stoppable: bool) -> None:
        """Say whether there is something to stop."""
        if stoppable != self._stoppable:
            self._stoppable = stoppable
            self.refresh()

    def pieces(self, width: int) -> list[Piece]:
        """Return the line."""
        return key_bar_pieces(width, self._stoppable)
