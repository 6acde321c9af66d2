"""A few numbered answers below what they are about, which may be long: a note, a diff, a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from codeagent_tui.tui.dialogs.choices import Choices
from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.line_view import LineView
from codeagent_tui.tui.pieces import Piece


class ChooseDialog(Dialog[int]):
    """Its result is the index of the answer, None when it was left."""

    FLEXIBLE = "#choose-body"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down,tab", "move(1)", show=False),
        Binding("enter", "take", show=False),
        Binding("pageup", "scroll('page_up')", show=False),
        Binding("pagedown,space", "scroll('page_down')", show=False),
        Binding("home", "scroll('home')", show=False),
        Binding("end", "scroll('end')", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self, title: str, lines: Sequence[Piece], answers: Sequence[str], *, default: int = 0) -> None:
        """`lines` are what it is about, already cleaned; `default` is what enter takes."""
        super().__init__(title, f"1-{len(answers)} answer   ↑↓ choose   enter takes it   pgup/pgdn scroll   esc close")
        self._lines = list(lines)
        self._answers = tuple(answers)
        self._default = default

    def body(self) -> ComposeResult:
        """Yield what it is about and the answers."""
        yield LineView(self._lines, id="choose-body")
        yield Choices(self._answers, highlighted=self._default)

    def on_key(self, event: events.Key) -> None:
        """Take an answer's number."""
        if event.key.isdigit() and 1 <= int(event.key) <= len(self._answers) and not self.too_small:
            event.stop()
            self.dismiss(int(event.key) - 1)

    def on_choices_clicked(self, event: Choices.Clicked) -> None:
        """Answer by a click."""
        if not self.too_small:
            self.dismiss(event.index)

    def action_move(self, by: int) -> None:
        """Highlight another answer."""
        self.query_one(Choices).move(by)

    def action_take(self) -> None:
        """Give the highlighted answer."""
        if not self.too_small:
            self.dismiss(self.query_one(Choices).highlighted)

    def action_scroll(self, where: str) -> None:
        """Scroll what it is about."""
        self.query_one(LineView).action_jump(where)
