"""Asks for one line of text: a title."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Input

from codeagent_tui.tui.dialogs.frame import Dialog


class OneLineDialog(Dialog[str]):
    """Its result is the line, without blanks around it; None when it was left. An empty one is not taken."""

    def __init__(self, title: str, value: str, *, placeholder: str = "") -> None:
        super().__init__(title, "enter takes it   esc leaves it as it was")
        self._value = value
        self._placeholder = placeholder

    def body(self) -> ComposeResult:
        """Yield the line."""
        yield Input(self._value, placeholder=self._placeholder, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the line."""
        event.stop()
        if event.value.strip() and not self.too_small:
            self.dismiss(event.value.strip())
