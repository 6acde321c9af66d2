"""Shows a text to be read, as long as it may be: a session that is not gone on with."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.line_view import LineView
from codeagent_tui.tui.pieces import Piece


class ReadingDialog(Dialog[None]):
    """Shows `lines`, already cleaned; it can be scrolled, and esc closes it."""

    FLEXIBLE = AUTO_FOCUS = "#reading-lines"

    def __init__(self, title: str, lines: Sequence[Piece]) -> None:
        super().__init__(title, "↑↓ pgup pgdn home end scroll   esc close")
        self._lines = list(lines)

    def body(self) -> ComposeResult:
        """Yield the text."""
        yield LineView(self._lines, id="reading-lines")
