"""The widgets that show what happens, in one hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeagent_tui.tui.budget_gauge import BudgetGauge
    from codeagent_tui.tui.status_line import StatusLine
    from codeagent_tui.tui.transcript import Transcript
    from codeagent_tui.tui.waiting_list import TodoLine, WaitingList


@dataclass
class Instruments:
    """What events of the core are shown in."""

    transcript: Transcript
    status: StatusLine
    gauge: BudgetGauge
    waiting: WaitingList
    todos: TodoLine
