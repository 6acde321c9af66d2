"""Base of the one-line widgets: they say what the line holds at a width, this draws it."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from codeagent_tui.tui.pieces import Piece, cut_pieces


class Instrument(Widget):
    """A line of text in roles. A subclass names its component classes `<prefix>--<role>` and gives `pieces`."""

    ALLOW_SELECT = False
    PREFIX = ""

    def pieces(self, width: int) -> list[Piece]:
        """Return what the line holds in `width` columns."""
        return []

    def render(self) -> Content:
        """Draw the pieces, each in the style of its role; texts never pass a markup parser."""
        width = self.size.width
        return Content("").join(map(self._drawn, cut_pieces(self.pieces(width), width)))

    def _drawn(self, piece: Piece) -> Content:
        text, role = piece
        if role == "gap":
            return Content(text)
        return Content.styled(text, self.get_visual_style(f"{self.PREFIX}--{role}", partial=True))
