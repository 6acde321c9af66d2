"""Base of the tabs that are texts in foldable sections: a line above them, the sections, a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from codeagent_tui.tui.inspector.key_line import Hint
from codeagent_tui.tui.inspector.section_view import SectionView
from codeagent_tui.tui.inspector.sections import Section
from codeagent_tui.tui.inspector.view import InspectorView

SECTION_HINTS: Sequence[Hint] = (
    ("enter", "fold"),
    ("z", "all"),
    ("[ ]", "section"),
    ("/", "search"),
    ("n N", "next"),
    ("y", "copy"),
    ("Y", "copy all"),
)


class SectionTab(InspectorView):
    """A subclass shows its sections with `show_sections`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", show=False),
        Binding("y", "copy_section", show=False),
        Binding("Y", "copy_all", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.text = SectionView()

    def compose(self) -> ComposeResult:
        """Yield the parts above, the search (hidden until it is wanted) and the sections."""
        yield from self.compose_above()
        field = Input(placeholder="search", classes="search")
        field.display = False
        yield field
        yield self.text

    def compose_above(self) -> ComposeResult:
        """Yield what stands above the sections."""
        yield Static(classes="summary")

    async def show_sections(self, sections: Sequence[Section], summary: str, opened: Sequence[str] = ()) -> None:
        """Show sections with a line above them."""
        self.query_one(".summary", Static).update(Content(summary))
        await self.text.show(sections, opened=opened)

    def take_focus(self) -> None:
        """Focus the sections."""
        self.text.focus()

    @property
    def _field(self) -> Input:
        return self.query_one(".search", Input)

    def action_search(self) -> None:
        """Open the search."""
        self._field.display = True
        self._field.focus()

    @on(Input.Changed, ".search")
    def search_input(self, event: Input.Changed) -> None:
        """Search while the words are typed."""
        event.stop()
        self.run_worker(self.text.search(event.value.strip()), group="search", exclusive=True)

    @on(Input.Submitted, ".search")
    def go_to_text(self, event: Input.Submitted) -> None:
        """Go to what was found."""
        event.stop()
        self.text.focus()

    @on(SectionView.Searched)
    def say_found(self, event: SectionView.Searched) -> None:
        """Say which of how many places it is."""
        event.stop()
        words = self._field.value.strip()
        if words:
            self.say(f"{event.place:,} of {event.total:,} places" if event.total else f"“{words}” is nowhere here.")

    def leave_part(self) -> bool:
        """End the search; the marks go."""
        if not self._field.display:
            return False
        self._field.value = ""
        self._field.display = False
        self.say("")
        self.text.focus()
        return True

    def action_copy_section(self) -> None:
        """Copy the text of the section at the cursor."""
        section = self.text.current
        if section is not None:
            self.copy(section.text or section.title, section.title)

    def action_copy_all(self) -> None:
        """Copy everything, each section under its heading."""
        parts = (f"# {section.title} {section.figure}".rstrip() + f"\n{section.text}" for section in self.text.sections)
        self.copy("\n\n".join(parts), "everything")

    def hints(self) -> Sequence[Hint]:
        """Return what the keys do in the search, or in the text."""
        if self._field.has_focus:
            return (("enter", "to the text, then n N"), ("esc", "end the search"))
        return SECTION_HINTS
