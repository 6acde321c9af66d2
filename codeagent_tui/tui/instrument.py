"""Base of the one-line widgets: they say what the line holds at a width, this draws it."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from codeagent_tui.tui.pieces import Piece, cut_pieces, width_of


class Instrument(Widget):
    """A line of text in roles. A subclass names its component classes `<prefix>--<role>` and gives `pieces`.

    It draws segments itself: the spinner's line is drawn again several times a second, while an answer streams.
    """

    ALLOW_SELECT = False
    PREFIX = ""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._role_styles: dict[str, Style] = {}

    def pieces(self, width: int) -> list[Piece]:
        """Return what the line holds in `width` columns."""
        return []

    def line_pieces(self, y: int, width: int) -> list[Piece]:
        """Return what row `y` holds; there is one row, unless a subclass has more."""
        return cut_pieces(self.pieces(width), width) if y == 0 else []

    def render_line(self, y: int) -> Strip:
        """Draw a row, each piece in the style of its role; texts never pass a markup parser."""
        width = self.size.width
        pieces = self.line_pieces(y, width)
        strip = Strip([Segment(text, self._style(role)) for text, role in pieces], width_of(pieces))
        return strip.adjust_cell_length(width, self._style("gap"))

    def _style(self, role: str) -> Style:
        style = self._role_styles.get(role)
        if style is None:
            own = self.rich_style if role == "gap" else self.get_component_rich_style(f"{self.PREFIX}--{role}")
            style = self._role_styles[role] = own
        return style

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._role_styles.clear()
        self.refresh()
