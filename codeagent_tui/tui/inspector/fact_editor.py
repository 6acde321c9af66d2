"""Edits a fact in its place: enter saves, esc puts the text aside."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from codeagent_tui.text import clean_text


class FactEditor(TextArea):
    """A small editor for the text of one fact."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,ctrl+s", "save", show=False, priority=True),
        Binding("ctrl+j,shift+enter,alt+enter", "new_line", show=False, priority=True),
    ]

    class Saved(Message):
        """The text is to be saved."""

    def __init__(self) -> None:
        super().__init__(soft_wrap=True, tab_behavior="focus", show_line_numbers=False, id="fact-editor")

    def begin(self, text: str) -> None:
        """Edit `text`, with the cursor at its end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    def action_save(self) -> None:
        """Ask for the text to be saved."""
        self.post_message(self.Saved())

    def action_new_line(self) -> None:
        """Begin a line."""
        self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        """Take in what was pasted, cleaned."""
        event.stop()
        event.prevent_default()
        self.insert(clean_text(event.text))
