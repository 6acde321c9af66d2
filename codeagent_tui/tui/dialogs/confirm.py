"""A question with two answers; the harmless one is the default."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from codeagent_tui.tui.dialogs.choices import Choices
from codeagent_tui.tui.dialogs.frame import Dialog


class ConfirmDialog(Dialog[bool]):
    """Asks `question`; its result is True for `yes`, False or None otherwise."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,down,tab", "move", show=False),
        Binding("enter", "take", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self, title: str, question: str, yes: str, no: str = "No, leave it") -> None:
        super().__init__(title, "y/n answer   ↑↓ choose   enter takes it   esc no")
        self._question = question
        self._words = (yes, no)

    def body(self) -> ComposeResult:
        """Yield the question and its answers."""
        yield Static(Content(self._question), id="question")
        yield Choices(self._words, highlighted=1)

    def on_key(self, event: events.Key) -> None:
        """Take an answer's key."""
        wanted = {"y": True, "1": True, "n": False, "2": False}.get(event.key)
        if wanted is not None and not self.too_small:
            event.stop()
            self.dismiss(wanted)

    def on_choices_clicked(self, event: Choices.Clicked) -> None:
        """Answer by a click."""
        self.dismiss(event.index == 0)

    def action_move(self) -> None:
        """Highlight the other answer."""
        self.query_one(Choices).move(1)

    def action_take(self) -> None:
        """Give the highlighted answer."""
        if not self.too_small:
            self.dismiss(self.query_one(Choices).highlighted == 0)

    def action_leave(self) -> None:
        """Leave it as it is."""
        self.dismiss(False)
