"""Choose one of many: type to narrow, arrows to move, enter to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from codeagent_tui.text import one_line
from codeagent_tui.tui.dialogs.frame import Dialog

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to pick: `title` and a `detail` beside it; texts may come from outside."""

    id: str
    title: str
    detail: str = ""


class PickerDialog(Dialog[str]):
    """Its result is the id of the picked choice, None when nothing was."""

    FLEXIBLE = "#picker-list"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move('down')", show=False),
        Binding("up", "move('up')", show=False),
    ]

    def __init__(self, title: str, choices: Sequence[Choice], *, current: str = "") -> None:
        super().__init__(title, "type to narrow   ↑↓ move   enter takes it   esc close")
        self._choices = list(choices)
        self._current = current

    def body(self) -> ComposeResult:
        """Yield the filter and the list."""
        yield Input(placeholder="narrow", id="picker-filter")
        options = OptionList(id="picker-list", markup=False)
        options.can_focus = False
        yield options

    def on_mount(self) -> None:
        """Fill the list and mark where we are."""
        self._fill("")

    def _fill(self, wanted: str) -> None:
        options = self.query_one(OptionList)
        words = wanted.lower().split()
        fitting = [c for c in self._choices if all(w in f"{c.title} {c.detail} {c.id}".lower() for w in words)]
        options.set_options([self._option(choice) for choice in fitting])
        at = next((index for index, choice in enumerate(fitting) if choice.id == self._current), 0)
        options.highlighted = at if fitting else None
        self.call_after_refresh(self.fit)

    def _option(self, choice: Choice) -> Option:
        mark = "● " if choice.id == self._current else "  "
        title = Content(mark + one_line(choice.title, _LONGEST))
        return Option(title + Content.styled(f"  {one_line(choice.detail, _LONGEST)}", "$text-muted"), id=choice.id)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        event.stop()
        self._fill(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the highlighted choice."""
        event.stop()
        self.query_one(OptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the choice."""
        event.stop()
        if not self.too_small:
            self.dismiss(event.option.id)

    def action_move(self, where: str) -> None:
        """Move the highlight while the filter keeps the focus."""
        options = self.query_one(OptionList)
        match where:
            case "down":
                options.action_cursor_down()
            case _:
                options.action_cursor_up()
