"""Short-term memory: what was said and done, bounded; the oldest moves aside to wait for compression."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.text import cut_characters, one_line
from codeagent_tui.tokens import estimate_tokens

TOOL_RESULT_CHARACTERS = 500
"""What a stored tool result has at most, its mark included."""
_LONGEST_NAME = 64


class ConversationMemory:
    """Entries in the order they came, within a token budget.

    Over budget the oldest entries move to `pending`: off the count, but still in memory. First cached, later lost:
    moving is cheap and calls no model; compressing is dear and does.
    """

    def __init__(self, token_budget: int) -> None:
        self.token_budget = token_budget
        self._entries: dict[str, MemoryEntry] = {}
        self._pending: dict[str, MemoryEntry] = {}
        self._tokens = 0
        self._pending_tokens = 0

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """The entries within the budget, oldest first."""
        return tuple(self._entries.values())

    @property
    def pending(self) -> tuple[MemoryEntry, ...]:
        """The entries that wait to be compressed, oldest first."""
        return tuple(self._pending.values())

    @property
    def token_count(self) -> int:
        """Tokens of `entries`; those of `pending` do not count."""
        return self._tokens

    @property
    def occupancy(self) -> float:
        """Share of the budget in use, pending entries included: what the compression trigger looks at."""
        return (self._tokens + self._pending_tokens) / self.token_budget if self.token_budget else 1.0

    @property
    def everything(self) -> tuple[MemoryEntry, ...]:
        """All entries, the pending ones first: oldest first. Of another thread's too, none is missed or doubled."""
        # In this order: an entry that moves aside between the two looks is seen twice, not never.
        held = self.entries
        return tuple({entry.id: entry for entry in (*self.pending, *held)}.values())

    def store(self, entry: MemoryEntry) -> MemoryEntry:
        """Add `entry` and return it as it was stored: tool results are cut, and say so."""
        if entry.type is MemoryType.TOOL_RESULT:
            entry = _cut(entry)
        self._drop(entry.id)
        self._entries[entry.id] = entry
        self._tokens += entry.tokens
        self._evict()
        return entry

    def _evict(self) -> None:
        while self._tokens > self.token_budget and self._entries:
            oldest = next(iter(self._entries.values()))
            self._pending[oldest.id] = oldest
            self._pending_tokens += oldest.tokens
            del self._entries[oldest.id]
            self._tokens -= oldest.tokens

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Return the entry, pending or not, or None."""
        return self._entries.get(entry_id) or self._pending.get(entry_id)

    def delete(self, entry_id: str) -> bool:
        """Forget the entry; return whether it was there."""
        return self._drop(entry_id)

    def _drop(self, entry_id: str) -> bool:
        held = self._entries.pop(entry_id, None)
        if held is not None:
            self._tokens -= held.tokens
            return True
        waiting = self._pending.pop(entry_id, None)
        if waiting is not None:
            self._pending_tokens -= waiting.tokens
        return waiting is not None

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._pending.clear()
        self._tokens = self._pending_tokens = 0

    def resize(self, token_budget: int) -> None:
        """Take another budget (another model); what does not fit any more moves to `pending`."""
        self.token_budget = token_budget
        self._evict()

    def replace_all(self, entries: Iterable[MemoryEntry]) -> None:
        """Hold exactly `entries`, in order, as a finished compression leaves them."""
        other = ConversationMemory(self.token_budget)
        for entry in entries:
            other.store(entry)
        # Taken over whole, so that another thread that looks never finds the memory half filled.
        self._pending, self._entries = other._pending, other._entries
        self._tokens, self._pending_tokens = other._tokens, other._pending_tokens


def _cut(entry: MemoryEntry) -> MemoryEntry:
    """Cut a tool result to its beginning; the mark says what of, and how much of it is left."""
    total = len(entry.content)
    if total <= TOOL_RESULT_CHARACTERS:
        return entry
    tool = entry.metadata.get("tool")
    what = f"{one_line(tool, _LONGEST_NAME)} result" if isinstance(tool, str) and tool else "tool result"
    longest_mark = len(_mark(what, TOOL_RESULT_CHARACTERS, total))
    kept = cut_characters(entry.content, TOOL_RESULT_CHARACTERS - longest_mark, "")
    content = kept + _mark(what, len(kept), total)
    return replace(entry, content=content, tokens=estimate_tokens(content))


def _mark(what: str, kept: int, total: int) -> str:
    return f"… [{what} cut: the first {kept} of {total:,} characters]"
