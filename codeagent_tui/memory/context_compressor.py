"""Compression of short-term memory: shards are summarised side by side, then merged into one SUMMARY entry."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from codeagent_tui.conversation.messages import user
from codeagent_tui.llm.provider import ChatModel, ChatRequest, ModelError, Reply
from codeagent_tui.llm.reply import RetryPolicy, stream_reply
from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.memory.prompts import MERGE_REQUEST, SHARD_REQUEST, SHARD_SYSTEM
from codeagent_tui.tokens import estimate_tokens

_AT_ONCE = 3
_DEFAULT_WINDOW = 128_000
_SHARE_OF_WINDOW = 0.5


@dataclass(frozen=True, slots=True)
class CompressionResult:
    """What a compression did. When `applied` is false nothing changed, and `note` says why."""

    applied: bool
    tokens_before: int
    tokens_after: int
    note: str = ""


class CompressionFailed(Exception):
    """A summary could not be made."""


class ContextCompressor:
    """Map-reduce over the older entries. One summary of very long input would be cut off; shards each fit."""

    def __init__(self, model: ChatModel, *, keep_recent: int = 3, shard_size: int = 5) -> None:
        self._model = model
        self._keep_recent = keep_recent
        self._shard_size = shard_size
        self._at_once = asyncio.Semaphore(_AT_ONCE)

    async def compress(self, memory: ConversationMemory) -> CompressionResult:
        """Compress `memory` in place: pending and older entries become one SUMMARY, the newest stay, in order.

        Any failure, an empty or cut-off summary, a cancel: nothing changes. Entries added meanwhile stay.
        """
        before = memory.token_count
        entries = memory.entries
        kept_from = max(0, len(entries) - self._keep_recent)
        older = [*memory.pending, *entries[:kept_from]]
        if not older:
            return CompressionResult(False, before, before, "There is nothing older to compress.")
        shards = [older[start : start + self._shard_size] for start in range(0, len(older), self._shard_size)]
        failure = ""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._map(shard), name="compress shard") for shard in shards]
            summary = await self._reduce([task.result() for task in tasks])
        except* CompressionFailed as failures:
            failure = str(failures.exceptions[0])
        if failure:
            return CompressionResult(False, before, before, f"{failure} The short-term memory was left as it is.")
        compressed = {entry.id for entry in older}
        present = [entry for entry in (*memory.pending, *memory.entries) if entry.id not in compressed]
        total = MemoryEntry(
            MemoryType.SUMMARY, summary, timestamp=older[-1].timestamp, metadata={"entries": len(older)}
        )
        memory.replace_all([total, *present])
        return CompressionResult(True, before, memory.token_count)

    async def _map(self, shard: Sequence[MemoryEntry]) -> str:
        notes = "\n\n".join(f"[{entry.type}] {entry.content}" for entry in shard)
        return await self._ask(SHARD_REQUEST.format(notes=notes))

    async def _reduce(self, summaries: list[str]) -> str:
        """Merge until one is left; a merge that does not fit the window is done in halves."""
        while len(summaries) > 1:
            limit = int((self._model.window or _DEFAULT_WINDOW) * _SHARE_OF_WINDOW)
            groups: list[list[str]] = [[]]
            for summary in summaries:
                size = sum(map(estimate_tokens, groups[-1])) + estimate_tokens(summary)
                if len(groups[-1]) >= 2 and size > limit:
                    groups.append([])
                groups[-1].append(summary)
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._merge(part), name="merge summaries") for part in groups]
            summaries = [task.result() for task in tasks]
        return summaries[0]

    async def _merge(self, summaries: Sequence[str]) -> str:
        if len(summaries) == 1:
            return summaries[0]
        return await self._ask(MERGE_REQUEST.format(notes="\n\n".join(summaries)))

    async def _ask(self, text: str) -> str:
        reply: Reply | None = None
        async with self._at_once:
            try:
                request = ChatRequest(SHARD_SYSTEM, (user(text),))
                async for event in stream_reply(self._model, request, RetryPolicy(max_attempts=1)):
                    if isinstance(event, Reply):
                        reply = event
            except ModelError as error:
                raise CompressionFailed(f"A summary could not be made: {error}") from error
        if reply is None or reply.message.tool_calls or reply.finish == "length":
            raise CompressionFailed("A summary was cut off or was no summary.")
        summary = reply.message.content.strip()
        if not summary:
            raise CompressionFailed("A summary came back empty.")
        return summary
