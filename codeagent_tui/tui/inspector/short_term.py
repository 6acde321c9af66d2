"""The short-term memory: what it holds, and what was moved out and waits to be compressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.view import TextView
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session


def short_term_lines(entries: Sequence[MemoryEntry], pending: Sequence[MemoryEntry], budget: int) -> list[Piece]:
    """Return the entries, newest last, and those that wait."""
    tokens = sum(entry.tokens for entry in entries)
    lines: list[Piece] = [
        (f"{len(entries)} entries, {short_count(tokens)} of {short_count(budget)} tokens", "title"),
        ("It runs beside the history; requests are not built from it.", "muted"),
    ]
    for entry in entries:
        lines += _entry(entry)
    lines += [("", "text"), (f"{len(pending)} wait to be compressed", "title")]
    for entry in pending:
        lines += _entry(entry)
    return lines


def _entry(entry: MemoryEntry) -> list[Piece]:
    head = f"{entry.type.value.lower().replace('_', ' ')} · {short_count(entry.tokens)} tokens · {entry.id[:8]}"
    return [("", "text"), (head, "muted"), *lines_of(entry.content)]


class ShortTermView(TextView):
    """Shows the short-term memory of the session."""

    TITLE: ClassVar[str] = "Short-term"

    async def gather(self, session: Session) -> Callable[[], list[Piece]]:
        """Take what is in it now."""
        memory = session.agent.memory.short_term
        entries, pending, budget = tuple(memory.entries), tuple(memory.pending), memory.token_budget
        return lambda: short_term_lines(entries, pending, budget)
