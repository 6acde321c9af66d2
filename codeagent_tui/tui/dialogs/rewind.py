"""The list of what the user said, to go back to or to fork from."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from codeagent_tui.sessions.rewind import UserTurn
from codeagent_tui.text import one_line
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.pieces import Piece, on_both_sides
from codeagent_tui.tui.row_list import RowList

_KEYS = "↑↓ choose   enter shows what would change   f fork from there{undo}   esc close"
_UNDO = "   u undo the last rewind"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class RewindPick:
    """Where to go back to: to before `turn` was said; None: to before the last rewind. `fork`: in a new session."""

    turn: UserTurn | None
    fork: bool = False


class RewindDialog(Dialog[RewindPick]):
    """Its result is the place that was picked, None when none was. The newest turn is at the end, and highlighted."""

    FLEXIBLE = AUTO_FOCUS = "#rewind-turns"
    LEAST_SIZE = (36, 7)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fork", show=False),
        Binding("u", "undo", show=False),
    ]

    def __init__(self, turns: Sequence[UserTurn], *, can_undo: bool, clock: Callable[[], float] = time.time) -> None:
        super().__init__("Go back to before you said", _KEYS.format(undo=_UNDO if can_undo else ""))
        self._turns = list(turns)
        self._can_undo = can_undo
        self._clock = clock

    def body(self) -> ComposeResult:
        """Yield the list."""
        yield RowList(self._rows, id="rewind-turns")

    def on_mount(self) -> None:
        """Highlight the newest turn."""
        self.query_one(RowList).show(len(self._turns), len(self._turns) - 1)

    def _rows(self, index: int, width: int) -> list[list[Piece]]:
        return [turn_row(self._turns[index], len(self._turns), width, self._clock())]

    def on_row_list_taken(self, event: RowList.Taken) -> None:
        """Close with the turn that was taken."""
        event.stop()
        self._close(fork=False)

    def action_fork(self) -> None:
        """Close with the highlighted turn, to fork from."""
        self._close(fork=True)

    def action_undo(self) -> None:
        """Close with the moment before the last rewind."""
        if self._can_undo and not self.too_small:
            self.dismiss(RewindPick(None))

    def _close(self, *, fork: bool) -> None:
        if self._turns and not self.too_small:
            self.dismiss(RewindPick(self._turns[self.query_one(RowList).highlighted], fork))


def turn_row(turn: UserTurn, count: int, width: int, now: float) -> list[Piece]:
    """Return one of `count` turns as a row: its number and words, what files it changed, and when that was."""
    number = f"{turn.index + 1:>{len(str(count))}}  "
    files = f"{turn.files} file{'' if turn.files == 1 else 's'}" if turn.files else ""
    facts = " · ".join(filter(None, ("summarised" if turn.compacted else "", files)))
    right: list[Piece] = [(f"{facts}  ", "text")] if facts else []
    right.append((f"{age(now - turn.created):>14}", "muted"))
    return on_both_sides([(number, "muted"), (one_line(turn.text, _LONGEST), "title")], right, width)
