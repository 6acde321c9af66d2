"""Base of the inspector's tabs: each shows one part of the memory of a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from codeagent_tui.text import clean_text
from codeagent_tui.tui.inspector.key_line import Hint

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session
    from codeagent_tui.tui.app import CodeAgentApp


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked at: the open session, and the message that is typed and not sent yet."""

    session: Session
    draft: str = ""


class InspectorView(Widget):
    """One tab. Loading never moves the focus, the cursor or the place."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "other_part", show=False)]

    class Said(Message):
        """There is something to tell about what was done; `problem` stays until something else is told."""

        def __init__(self, text: str, *, problem: bool = False) -> None:
            super().__init__()
            self.text, self.problem = clean_text(text), problem

    class HintsChanged(Message):
        """The keys do something else now."""

    async def load(self, subject: Subject) -> None:
        """Show what is there now."""

    def take_focus(self) -> None:
        """Put the focus where the keys act."""
        self.focus()

    def put_aside(self) -> bool:
        """Keep what is half done, because the inspector closes; return whether there was anything."""
        return False

    def leave_part(self) -> bool:
        """Close what is open within the tab (an editor, a search); False when there is nothing."""
        return False

    def hints(self) -> Sequence[Hint]:
        """Return what the keys do for what has the focus, the most useful first."""
        return ()

    def say(self, text: str, *, problem: bool = False) -> None:
        """Tell the user something."""
        self.post_message(self.Said(text, problem=problem))

    def copy(self, text: str, what: str) -> None:
        """Put `text` on the clipboard and say so."""
        self.app.copy_to_clipboard(text)
        self.say(f"Copied {what}: {len(text):,} characters.")

    @property
    def screen_app(self) -> CodeAgentApp:
        """The app that this is in."""
        from codeagent_tui.tui.app import CodeAgentApp

        assert isinstance(self.app, CodeAgentApp)
        return self.app

    def action_other_part(self) -> None:
        """Go to the next part of the tab that takes keys."""
        parts = [part for part in self.query("*") if part.focusable and part.display]
        if parts:
            at = next((index for index, part in enumerate(parts) if part.has_focus), -1)
            parts[(at + 1) % len(parts)].focus()
