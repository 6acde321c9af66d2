"""The Compactions tab: every compaction of this session, what it kept and what left, and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from codeagent_tui.sessions.reading import read_open_log
from codeagent_tui.tui.commands import BY_ID
from codeagent_tui.tui.dialogs.confirm import ConfirmDialog
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.compaction_text import record_pieces, record_sections
from codeagent_tui.tui.inspector.key_line import Hint
from codeagent_tui.tui.inspector.row_list import RowList
from codeagent_tui.tui.inspector.section_tab import SECTION_HINTS, SectionTab
from codeagent_tui.tui.inspector.view import Subject
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.context.record import CompactionRecord
    from codeagent_tui.conversation.messages import Message
    from codeagent_tui.sessions.log import SessionLog


class CompactionsView(SectionTab):
    """Lists the compactions, newest first, with the one under the cursor below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("u", "restore", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._subject: Subject | None = None
        self._records: dict[str, tuple[int, CompactionRecord]] = {}
        self._left: dict[str, tuple[Message, ...] | str] = {}
        self._list = RowList(self._draw, id="compactions-list")

    def compose_above(self) -> ComposeResult:
        """Yield the line that says where compaction begins, and the list."""
        yield from super().compose_above()
        yield self._list

    def take_focus(self) -> None:
        """Focus the list."""
        self._list.focus()

    async def load(self, subject: Subject) -> None:
        """Take the records."""
        self._subject = subject
        records = subject.session.agent.compactions
        self._records = {record.id: (number, record) for number, record in enumerate(records, 1)}
        self._list.show([record.id for record in reversed(records)])
        self._list.refresh(layout=True)
        await self._show_record()

    def _draw(self, key: str, width: int) -> list[Piece]:
        number, record = self._records[key]
        return record_pieces(record, number, width)

    async def _show_record(self) -> None:
        subject = self._subject
        if subject is None:
            return
        reading = subject.session.agent.reading()
        total, trigger = short_count(reading.total), short_count(reading.trigger)
        about = f"One begins at {trigger} tokens; the next request has {total}. /compact makes one now."
        if not self._records:
            await self.show_sections((), f"No compaction yet in this session. {about}")
            return
        _, record = self._records[self._list.current or next(iter(self._records))]
        if record.id not in self._left:
            self._left[record.id] = await asyncio.to_thread(_replaced, subject.session.log, record.id)
        sections = record_sections(record, self._left[record.id])
        await self.show_sections(sections, about, opened=("what", "summary"))

    @on(RowList.Moved)
    def show_record(self, event: RowList.Moved) -> None:
        """Show the compaction under the cursor."""
        event.stop()
        self.run_worker(self._show_record(), group="record", exclusive=True)

    @on(RowList.Chosen)
    def restore_chosen(self, event: RowList.Chosen) -> None:
        """Ask whether the chosen one shall be taken back."""
        event.stop()
        self.action_restore()

    def action_restore(self) -> None:
        """Ask whether the compaction under the cursor shall be taken back, and do it."""
        self.run_worker(self._restore(), group="restore", exclusive=True)

    async def _restore(self) -> None:
        found = self._records.get(self._list.current or "")
        if found is None:
            return
        number, record = found
        if record.restored:
            self.say("This one is taken back already.")
            return
        later = sum(1 for n, other in self._records.values() if n > number and not other.restored)
        question = (
            f"What it replaced becomes part of the conversation again: {short_count(record.tokens_before)} tokens then."
        )
        if later:
            question += f" The {later} made after it are taken back as well."
        question += " What was said since stays."
        app = self.screen_app
        dialog = ConfirmDialog("Take this compaction back?", question, "Yes, bring the messages back")
        if await app.push_screen_wait(dialog):
            app.intents.perform(BY_ID["uncompact"], record.id)

    def hints(self) -> Sequence[Hint]:
        """Return what the keys do in the list or in the text."""
        if not self._records:
            return ()
        if self._list.has_focus:
            return (("enter", "take it back"), ("tab", "to the text"))
        if self.text.has_focus:
            return (("u", "take it back"), *SECTION_HINTS)
        return super().hints()


def _replaced(log: SessionLog, record_id: str) -> tuple[Message, ...] | str:
    """Return the messages that a compaction took, as the session's file has them, or why they cannot be shown."""
    try:
        messages = read_open_log(log).replay.replaced(record_id)
    except OSError as error:
        return f"The session's file cannot be read: {error.strerror or error}"
    return "They are not in the session's file." if messages is None else messages
