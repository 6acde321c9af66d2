"""The help dialog: every key and every slash command."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult

from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.help_text import help_lines
from codeagent_tui.tui.line_view import LineView

_SCROLLBAR = 1


class HelpDialog(Dialog[None]):
    """Shows the table of commands; it can be scrolled, and esc closes it."""

    FLEXIBLE = AUTO_FOCUS = "#help-lines"

    def __init__(self) -> None:
        super().__init__("Keys and commands", "↑↓ pgup pgdn scroll   esc close")

    def body(self) -> ComposeResult:
        """Yield the text."""
        yield LineView(id="help-lines")

    def on_resize(self, event: events.Resize) -> None:
        """Lay the columns out for the new width."""
        panel = self.query_one("#panel")
        width = self.size.width - panel.gutter.width - _SCROLLBAR
        self.query_one(LineView).show(help_lines(width), keep_place=True)
        self.fit()
