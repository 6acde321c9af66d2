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
from textual.widgets import Static

from codeagent_tui.paths import styles_dir

ResultT = TypeVar("ResultT")

TOO_SMALL = "window too small"


class Dialog(ModalScreen[ResultT | None], Generic[ResultT]):
    """A modal panel with a title, a body and a line of keys. A subclass composes `body` and says its `keys_hint`.

    Below `LEAST_SIZE` it shows only that the window is too small, and takes no keys but those that leave it.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = [styles_dir() / f"{name}.tcss" for name in ("dialogs", "line_view")]
    LEAST_SIZE = (30, 9)
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Close", show=False)]

    def __init__(self, title: str, keys_hint: str) -> None:
        super().__init__()
        self._title = title
        self._keys_hint = keys_hint

    @property
    def too_small(self) -> bool:
        """Whether the window is too small to show what an answer would mean."""
        return self.size.width < self.LEAST_SIZE[0] or self.size.height < self.LEAST_SIZE[1]

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
        """Switch between the dialog and the words that say there is no room for it."""
        self.set_class(self.too_small, "-too-small")

    def action_leave(self) -> None:
        """Close without a choice."""
        self.dismiss(None)
