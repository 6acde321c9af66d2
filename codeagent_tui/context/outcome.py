"""How a compaction ends: prepared, applied, or nothing changed and why."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui.context.record import CompactionRecord
from codeagent_tui.conversation.messages import Message


class NotCompacted(Exception):
    """Nothing was changed; the message says why."""


@dataclass(frozen=True, slots=True)
class PreparedCompaction:
    """A compaction that needs only to be put in place: `prefix` gives way to `replacement`."""

    prefix: tuple[Message, ...]
    replacement: tuple[Message, ...]
    record: CompactionRecord


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """What a compaction did. When `applied` is false the history is what it was, and `note` says why; when it is true,
    `note` says what is odd about the summary, if anything is.

    `taken` are the `replaced` messages that gave way to `replacement`; the token counts are of the messages alone.
    """

    applied: bool
    tokens_before: int
    tokens_after: int
    note: str = ""
    replaced: int = 0
    replacement: tuple[Message, ...] = ()
    taken: tuple[Message, ...] = ()
    record: CompactionRecord | None = None
