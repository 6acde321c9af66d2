"""Compression of short-term memory: shards are summarised side by side, then merged into one SUMMARY entry."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.llm.summary import SummaryFailed, ask_for_summary
from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.memory.prompts import MERGE_REQUEST, SHARD_REQUEST, SHARD_SYSTEM
from codeagent_tui.tokens import estimate_tokens

_AT_ONCE = 3
"""Requests that run at the same time: the conversation's own has to get through beside them."""
_DEFAULT_WINDOW = 128_000
_SHARE_OF_WINDOW = 0.5
"""Of the model's window, what one request may fill; the rest is for the answer and for the estimate's error."""


@dataclass(frozen=True, slots=True)
class CompressionResult:
    """What a compression did. When `applied` is false nothing changed, and `note` says why."""

    applied: bool
    tokens_before: int
    tokens_after: int
    note: str = ""


class ContextCompressor:
    """Map-reduce over the older entries. One summary of very long input would be cut off; shards each fit."""

    def __init__(self, model: ChatModel, *, keep_recent: int = 3, shard_size: int = 5) -> None:
        """`keep_recent` entries stay as they are; the older ones are summarised `shard_size` at a time."""
        self._model = model
        self._keep_recent = keep_recent
        self._shard_size = shard_size
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._limit = max(1, int((model.window or _DEFAULT_WINDOW) * _SHARE_OF_WINDOW))

    async def compress(self, memory: ConversationMemory) -> CompressionResult:
        """Compress `memory` in place: pending and older entries become one SUMMARY, the newest stay, in order.

        Any failure, an empty, refused or cut-off summary, a cancel: nothing changes. Entries added meanwhile stay.
        """
        before = memory.token_count
        older = self._older(memory)
        if not older:
            return CompressionResult(False, before, before, "There is nothing older to compress.")
        failure = summary = ""
        try:
            summary = await self._summary_of(older)
        except* SummaryFailed as failures:
            failure = str(_first(failures))
        present = memory.everything
        if not failure and not {entry.id for entry in older} <= {entry.id for entry in present}:
            # Forgotten is forgotten: a summary must not bring back what was deleted while it was made.
            failure = "Entries were deleted meanwhile."
        if failure:
            now = memory.token_count
            return CompressionResult(False, before, now, f"{failure} The short-term memory was left as it is.")
        total = MemoryEntry(
            MemoryType.SUMMARY, summary, timestamp=older[-1].timestamp, metadata={"entries": len(older)}
        )
        replaced = {entry.id for entry in older}
        memory.replace_all([total, *(entry for entry in present if entry.id not in replaced)])
        return CompressionResult(True, before, memory.token_count)

    def _older(self, memory: ConversationMemory) -> list[MemoryEntry]:
        """Return what is to be summarised; a lone summary is not, it would only lose by it."""
        entries = memory.entries
        older = [*memory.pending, *entries[: max(0, len(entries) - self._keep_recent)]]
        return [] if [entry.type for entry in older] == [MemoryType.SUMMARY] else older

    async def _summary_of(self, older: Sequence[MemoryEntry]) -> str:
        shards = [older[start : start + self._shard_size] for start in range(0, len(older), self._shard_size)]
        requests = [part for shard in shards for part in _packed(map(_note, shard), self._limit)]
        summaries = await self._all(SHARD_REQUEST.format(notes=part) for part in requests)
        while len(summaries) > 1:
            groups = _grouped(summaries, self._limit)
            merged = iter(await self._all(_merge_request(group) for group in groups if len(group) > 1))
            summaries = [next(merged) if len(group) > 1 else group[0] for group in groups]
        return summaries[0]

    async def _all(self, requests: Iterable[str]) -> list[str]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._ask(request), name="summarise memory") for request in requests]
        return [task.result() for task in tasks]

    async def _ask(self, request: str) -> str:
        async with self._at_once:
            return await ask_for_summary(self._model, SHARD_SYSTEM, request)


def _note(entry: MemoryEntry) -> str:
    return f"[{entry.type}] {_defanged(entry.content)}"


def _defanged(text: str) -> str:
    """Return `text` without what would end the block that it is put into."""
    return text.replace("</notes", "‹/notes")


def _merge_request(summaries: Sequence[str]) -> str:
    return MERGE_REQUEST.format(notes=_defanged("\n\n".join(summaries)))


def _packed(notes: Iterable[str], limit: int) -> Iterator[str]:
    """Yield a shard's notes as one text, or as several when they are more than `limit` tokens together."""
    held: list[str] = []
    used = 0
    for note in notes:
        # At worst (Chinese) a token is 1.5 characters, so that a piece of `limit` characters surely fits.
        whole = estimate_tokens(note) <= limit
        for piece in [note] if whole else [note[at : at + limit] for at in range(0, len(note), limit)]:
            tokens = estimate_tokens(piece) + 1
            if held and used + tokens > limit:
                yield "\n\n".join(held)
                held, used = [], 0
            held.append(piece)
            used += tokens
    if held:
        yield "\n\n".join(held)


def _grouped(summaries: Sequence[str], limit: int) -> list[list[str]]:
    """Return neighbours to merge: as many as fit `limit` tokens, but at least two, so that they become fewer."""
    groups: list[list[str]] = [[]]
    used = 0
    for summary in summaries:
        tokens = estimate_tokens(summary) + 1
        if len(groups[-1]) >= 2 and used + tokens > limit:
            groups.append([])
            used = 0
        groups[-1].append(summary)
        used += tokens
    return groups


def _first(failures: BaseExceptionGroup[SummaryFailed]) -> BaseException:
    """Return the first failure itself, however deep the groups are that it came in."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
