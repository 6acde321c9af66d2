"""The Facts tab: a table that narrows as one types, with the whole of the fact under the cursor below it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.long_term_memory import StoreStatus
from codeagent_tui.tui.inspector.fact_changes import FactChanges
from codeagent_tui.tui.inspector.fact_detail import detail_lines
from codeagent_tui.tui.inspector.fact_header import FactHeader
from codeagent_tui.tui.inspector.fact_rows import FactState, Order, narrowed, ordered, prepared
from codeagent_tui.tui.inspector.fact_table import fact_pieces
from codeagent_tui.tui.inspector.key_line import Hint
from codeagent_tui.tui.inspector.question import question_of
from codeagent_tui.tui.inspector.row_list import RowList
from codeagent_tui.tui.inspector.view import InspectorView, Subject
from codeagent_tui.tui.line_view import LineView
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.memory.manager import MemoryManager
    from codeagent_tui.tui.inspector.fact_editor import FactEditor

_NONE: list[Piece] = [
    ("Nothing is saved yet.", "title"),
    ("/save <fact> saves one for this project, /save --global <fact> one for all;", "muted"),
    ("the agent saves one when you tell it to remember something.", "muted"),
]
_NO_HIT: list[Piece] = [("No fact holds these words; / changes them, esc there takes them away.", "muted")]

_TABLE_HINTS: Sequence[Hint] = (
    ("space", "mark"),
    ("d", "delete"),
    ("u", "undo"),
    ("e", "edit"),
    ("g", "scope"),
    ("y", "copy"),
    ("/", "narrow"),
    ("s", "sort"),
    ("a", "all projects"),
)


class FactsView(InspectorView):
    """Lists the facts that are seen here, or (`a`) those of all projects."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "delete", show=False),
        Binding("u", "undo", show=False),
        Binding("e", "edit", show=False),
        Binding("g", "change_scope", show=False),
        Binding("y", "copy", show=False),
        Binding("s", "sort", show=False),
        Binding("a", "all_projects", show=False),
        Binding("slash", "narrow", show=False),
    ]

    def __init__(self, changes: FactChanges) -> None:
        super().__init__()
        self._changes = changes
        self._subject: Subject | None = None
        self._state = self._shown = FactState({}, {}, {})
        self._entries: Sequence[MemoryEntry] = ()
        self._order = Order.NEWEST
        self._everywhere = False
        self._words = ""
        self._edited: MemoryEntry | None = None
        self._table = RowList(self._draw, marks=True, id="facts-table")
        self._detail = LineView(id="facts-detail")

    def compose(self) -> ComposeResult:
        """Yield the filter with its count, the table, and the fact under the cursor."""
        with Horizontal(id="facts-top"):
            yield Input(placeholder="/ narrow", id="facts-filter")
            yield Static(id="facts-count")
        yield FactHeader()
        yield self._table
        yield self._detail

    # What is shown.

    def take_focus(self) -> None:
        """Focus the table, or the editor that is open."""
        (self._editor or self._table).focus()

    def narrow(self, words: str) -> None:
        """Show only the facts that hold `words`."""
        self.query_one(Input).value = words

    async def load(self, subject: Subject) -> None:
        """Read the facts, and which of them go with the message."""
        self._subject = subject
        memory = subject.session.agent.memory
        question, is_draft = question_of(subject)
        everywhere, known = self._everywhere, self._state.rows

        def read() -> FactState:
            entries = memory.every_fact() if everywhere else memory.facts()
            found = memory.explain_injection(question) if question else ()
            return FactState(
                prepared(entries, memory.identity.names, known),
                {one.scored.entry.id: one for one in found},
                dict(memory.recalls),
                question,
                is_draft,
                subject.session.agent.core.budget.profile.memory_context_tokens,
            )

        self._state = await asyncio.to_thread(read)
        await self._fill()

    async def _fill(self) -> None:
        words, state = self._words, self._state
        ids: list[str] = []
        for step in narrowed(state.rows.values(), words):
            ids += step
            if words != self._words or state is not self._state:
                return
            await asyncio.sleep(0)
        # Together: a row is drawn with the state that it was found in.
        self._shown = state
        self._table.marked &= state.rows.keys()
        self._table.show(ordered(ids, self._order, state))
        self._count(len(ids))
        self._show_detail()

    def _count(self, shown: int) -> None:
        total = len(self._shown.rows)
        count = f"{total:,}" if shown == total else f"{shown:,} of {total:,}"
        words = [f"{count} fact{'' if total == 1 else 's'}"]
        words += [self._order.value] if self._order is not Order.NEWEST else []
        words += ["all projects"] if self._everywhere else []
        self.query_one("#facts-count", Static).update(Content(" · ".join(words)))

    def _draw(self, key: str, width: int) -> list[Piece]:
        state = self._shown
        row = state.rows[key]
        return fact_pieces(row, state.injections.get(key), state.recalls.get(key, 0), time.time(), width)

    def _show_detail(self) -> None:
        key = self._table.current
        state = self._shown
        if key is not None:
            self._detail.show(detail_lines(state.rows[key], state, time.time()))
        else:
            self._detail.show(_NO_HIT if state.rows else _NONE)

    @on(RowList.Moved)
    def show_detail(self, event: RowList.Moved) -> None:
        """Show the fact under the cursor."""
        event.stop()
        self._show_detail()

    # Narrowing and sorting.

    @on(Input.Changed, "#facts-filter")
    def narrow_to_input(self, event: Input.Changed) -> None:
        """Narrow the table."""
        event.stop()
        self._words = event.value
        self.run_worker(self._fill(), group="narrow", exclusive=True)

    @on(Input.Submitted, "#facts-filter")
    def go_to_table(self, event: Input.Submitted) -> None:
        """Go to what was found."""
        event.stop()
        self._table.focus()

    def action_narrow(self) -> None:
        """Go to the filter."""
        self.query_one(Input).focus()

    async def action_sort(self) -> None:
        """Sort by the next order."""
        orders = list(Order)
        self._order = orders[(orders.index(self._order) + 1) % len(orders)]
        await self._fill()

    async def action_all_projects(self) -> None:
        """Show the facts of all projects, or only those that are seen here."""
        self._everywhere = not self._everywhere
        await self._reload()

    # Changing.

    @property
    def _memory(self) -> MemoryManager | None:
        return self._subject.session.agent.memory if self._subject is not None else None

    async def _reload(self) -> None:
        if self._subject is not None:
            await self.load(self._subject)

    async def action_delete(self) -> None:
        """Delete the marked facts, or the one under the cursor."""
        ids = self._table.acted_on
        if self._memory is not None and ids:
            await self._change(self._changes.delete(self._memory, ids))
            self._table.unmark()

    async def action_undo(self) -> None:
        """Take the last change back."""
        if self._memory is not None:
            await self._change(self._changes.undo(self._memory))

    async def action_change_scope(self) -> None:
        """Let the marked facts be seen in all projects, or only in this one."""
        entries = [self._shown.rows[key].entry for key in self._table.acted_on]
        if self._memory is not None and entries:
            await self._change(self._changes.move(self._memory, entries))

    async def _change(self, change: Coroutine[None, None, str]) -> None:
        try:
            self.say(await change)
        except OSError as error:
            self.say(str(error.strerror or error), problem=True)
        await self._reload()

    def action_copy(self) -> None:
        """Copy the marked facts, or the one under the cursor, a line each."""
        facts = [self._shown.rows[key].entry.content for key in self._table.acted_on]
        if facts:
            self.copy("\n".join(facts), "the fact" if len(facts) == 1 else f"{len(facts):,} facts")

    # Editing.

    @property
    def _editor(self) -> FactEditor | None:
        from codeagent_tui.tui.inspector.fact_editor import FactEditor

        return next(iter(self.query(FactEditor)), None) if self._edited is not None else None

    async def action_edit(self) -> None:
        """Edit the fact under the cursor, or go on with it where that was put aside."""
        from codeagent_tui.tui.inspector.fact_editor import FactEditor

        key = self._table.current
        if key is None or self._edited is not None:
            return
        self._edited = self._shown.rows[key].entry
        unsaved = self._changes.unsaved.get(key)
        editor = FactEditor()
        self._detail.display = False
        await self.mount(editor)
        editor.begin(unsaved if unsaved is not None else self._edited.content)
        editor.focus()
        if unsaved is not None:
            self.say("This is the text that you put aside; it is not saved yet.")

    async def on_fact_editor_saved(self) -> None:
        """Save what was edited; when that is not possible it stays in the editor."""
        editor, entry = self._editor, self._edited
        if editor is None or entry is None or self._memory is None:
            return
        result = await self._changes.edit(self._memory, entry, editor.text)
        saved = result.status in (StoreStatus.SAVED, StoreStatus.KNOWN)
        self.say(result.message, problem=not saved)
        if saved:
            await self._close_editor()
            await self._reload()

    async def _close_editor(self) -> None:
        editor, self._edited = self._editor, None
        if editor is not None:
            await editor.remove()
        self._detail.display = True
        self._table.focus()

    def put_aside(self) -> bool:
        """Keep what is being edited for the next time that this fact is; return whether there was anything."""
        editor, entry = self._editor, self._edited
        changed = editor is not None and entry is not None and editor.text != entry.content
        if changed and editor is not None and entry is not None:
            self._changes.unsaved[entry.id] = editor.text
        return changed

    def leave_part(self) -> bool:
        """Close the editor (its text is put aside), or leave the filter."""
        if self._edited is not None:
            self.say("Put aside, not saved; e takes it up again." if self.put_aside() else "")
            self.run_worker(self._close_editor(), group="editor")
            return True
        if self.query_one(Input).has_focus:
            self.query_one(Input).value = ""
            self._table.focus()
            return True
        return False

    def hints(self) -> Sequence[Hint]:
        """Return what the keys do in the editor, the filter, or the table."""
        if self._edited is not None:
            return (("enter", "save"), ("^j", "new line"), ("esc", "put aside"))
        if self.query_one(Input).has_focus:
            return (("enter", "to the table"), ("esc", "all facts again"))
        if self._detail.has_focus:
            return (("\u2191\u2193", "scroll"), ("tab", "to the filter"))
        return _TABLE_HINTS
