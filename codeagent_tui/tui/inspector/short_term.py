"""The Short-term tab: what the short-term memory holds, what waits to be compressed, and how full it is."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.fact_table import short_age
from codeagent_tui.tui.inspector.key_line import Hint
from codeagent_tui.tui.inspector.level import Level, LevelBar
from codeagent_tui.tui.inspector.section_tab import SectionTab
from codeagent_tui.tui.inspector.sections import Section
from codeagent_tui.tui.inspector.view import Subject

_ENTRY = "entry:"
_NAMES = {
    MemoryType.USER: "user",
    MemoryType.ASSISTANT: "assistant",
    MemoryType.TOOL_RESULT: "tool result",
    MemoryType.SUMMARY: "summary",
    MemoryType.FACT: "fact",
}


def short_term_sections(entries: Sequence[MemoryEntry], pending: Sequence[MemoryEntry], now: float) -> list[Section]:
    """Return the entries, newest first, after them those that wait; `now` is in seconds since the epoch."""
    sections = _group("held", f"{len(entries):,} held", entries)
    sections += _entries(entries, now)
    sections += _group("pending", f"{len(pending):,} waiting to be compressed", pending)
    return sections + _entries(pending, now)


def _group(key: str, title: str, entries: Sequence[MemoryEntry]) -> list[Section]:
    tokens = sum(entry.tokens for entry in entries)
    return [Section(key, title, figure=f"{short_count(tokens)} tokens")]


def _entries(entries: Iterable[MemoryEntry], now: float) -> list[Section]:
    return [
        Section(
            _ENTRY + entry.id,
            _title(entry),
            entry.content,
            f"{short_count(entry.tokens)} {short_age(now - entry.timestamp):>4}",
        )
        for entry in reversed(list(entries))
    ]


def _title(entry: MemoryEntry) -> str:
    tool = entry.metadata.get("tool")
    return f"{_NAMES[entry.type]}{f' · {tool}' if isinstance(tool, str) and tool else ''}"


def level_of(memory: ConversationMemory, trigger: float) -> Level:
    """Return how full it is; `trigger` is the share of the budget from which it is compressed."""
    budget = memory.token_budget
    used = round(memory.occupancy * budget)
    words = f"{short_count(used)} of {short_count(budget)} tokens · compressed from {trigger:.0%}"
    return Level(used, budget, words, int(budget * trigger))


class ShortTermView(SectionTab):
    """Shows the short-term memory of the session; entries can be deleted."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("d,delete", "delete", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._subject: Subject | None = None
        self._bar = LevelBar()

    def compose_above(self) -> ComposeResult:
        """Yield the bar and what this memory is for."""
        yield self._bar
        yield from super().compose_above()

    async def load(self, subject: Subject) -> None:
        """Take what is in it now."""
        self._subject = subject
        memory = subject.session.agent.memory
        self._bar.show(level_of(memory.short_term, memory.compression_trigger))
        sections = short_term_sections(memory.short_term.entries, memory.short_term.pending, time.time())
        summary = "It keeps what a compaction takes from the history; no request is made of it."
        await self.show_sections(sections, summary)

    async def action_delete(self) -> None:
        """Forget the entry at the cursor."""
        section = self.text.current
        if self._subject is None or section is None or not section.key.startswith(_ENTRY):
            return
        self._subject.session.agent.memory.short_term.delete(section.key.removeprefix(_ENTRY))
        self.say(f"Forgotten: {section.title}. The conversation itself still has it.")
        await self.load(self._subject)

    def hints(self) -> Sequence[Hint]:
        """Return those of the text, and that an entry can be deleted."""
        return (("d", "delete"), *super().hints()) if self.text.has_focus else super().hints()
