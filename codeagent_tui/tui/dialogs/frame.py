"""Base of the dialogs: a panel over the conversation that neither dims nor moves anything."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.types import CSSPathType
from textual.widget import Widget
from textual.widgets import Static

from codeagent_tui.paths import styles_dir

ResultT = TypeVar("ResultT")

TOO_SMALL = "window too small"
_OUTSIDE = 2
"""Rows that stay free: one of the conversation above, the gauge below."""
_FEW = 2
"""Rows of the flexible part that must be in sight."""


class Dialog(ModalScreen[ResultT | None], Generic[ResultT]):
    """A modal panel with a title, a body and a line of keys. A subclass composes `body` and says its `keys_hint`.

    `FLEXIBLE` selects the part that gives way when the window is low. Where even the rest does not fit (or below
    `LEAST_SIZE`) the dialog shows only that the window is too small, and takes no keys but those that leave it: what
    cannot be read must not be answered.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = [styles_dir() / f"{name}.tcss" for name in ("dialogs", "line_view")]
    LEAST_SIZE = (30, 6)
    FLEXIBLE = ""
    AUTO_FOCUS = "*"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Close", show=False)]

    def __init__(self, title: str, keys_hint: str) -> None:
        super().__init__()
        self._title = title
        self._keys_hint = keys_hint
        self.too_small = False
        """Whether the window is too small to show what an answer would mean."""

    def compose(self) -> ComposeResult:
        """Lay out title, body and keys."""
        with Vertical(id="panel"):
            yield Static(Content(self._title), id="dialog-title")
            yield from self.body()
            yield Static(Content(self._keys_hint), id="dialog-keys")
        yield Static(Content(TOO_SMALL), id="too-small")

    def body(self) -> ComposeResult:
        """Yield the widgets between title and keys."""
        yield from ()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the panel into the window."""
        self.fit()

    def fit(self) -> None:
        """Give the panel the height it needs, at most what there is; else say that the window is too small."""
        width, height = self.size
        panel = self.query_one("#panel")
        inner = width - panel.gutter.width
        room = height - panel.gutter.height - _OUTSIDE
        self.remove_class("-tight", "-tighter")
        needed, least = self._heights(panel, inner)
        if needed > room:
            self.add_class("-tight")
            needed, least = self._heights(panel, inner)
        if least > room:
            self.add_class("-tighter")
            needed, least = self._heights(panel, inner)
        self.too_small = width < self.LEAST_SIZE[0] or height < self.LEAST_SIZE[1] or least > room
        self.set_class(self.too_small, "-too-small")
        panel.styles.height = min(needed, room) + panel.gutter.height
        for part in self.query(self.FLEXIBLE) if self.FLEXIBLE else ():
            part.styles.height = "auto" if needed <= room else "1fr"

    def _heights(self, panel: Widget, inner: int) -> tuple[int, int]:
        """Return the rows that the panel's content needs, and those it needs when the flexible part shows few."""
        spare = 0
        for part in self.query(self.FLEXIBLE) if self.FLEXIBLE else ():
            part.styles.height = "auto"
            rows = part.get_content_height(self.size, self.size, inner - part.gutter.width)
            spare = max(0, min(rows, int(part.styles.max_height.value) if part.styles.max_height else rows) - _FEW)
        needed = panel.get_content_height(self.size, self.size, inner)
        return needed, needed - spare

    def action_leave(self) -> None:
        """Close without a choice."""
        self.dismiss(None)
