"""The façade of the memory system: the agent and the screen talk to it alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.memory.context_compressor import CompressionResult, ContextCompressor
from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreResult
from codeagent_tui.memory.project_identity import ProjectIdentity, identify
from codeagent_tui.memory.project_memory import BUDGET_CHARACTERS, ProjectMemory, ProjectMemoryLoader
from codeagent_tui.memory.retriever import MemoryRetriever, ScoredEntry
from codeagent_tui.paths import Paths

_PROJECT_SHARE_OF_WINDOW = 0.2
"""Of a small window, what project memory may take; a character is at most about 0.67 tokens."""
_TYPES = {Role.USER: MemoryType.USER, Role.ASSISTANT: MemoryType.ASSISTANT, Role.TOOL: MemoryType.TOOL_RESULT}


class Budgets(Protocol):
    """The numbers that memory takes from the model's window (a `ContextProfile` is one)."""

    @property
    def window(self) -> int: ...
    @property
    def short_term_budget(self) -> int: ...
    @property
    def memory_context_tokens(self) -> int: ...
    @property
    def compression_trigger_ratio(self) -> float: ...


class MemoryManager:
    """Short-term, long-term and project memory of one session. `aclose` it.

    Methods that touch files may be called from any thread; `record` and what is async from the loop's.
    """

    def __init__(self, paths: Paths, project_root: Path, budgets: Budgets, model: ChatModel | None = None) -> None:
        self._budgets = budgets
        self._model = model
        self.identity: ProjectIdentity = identify(project_root)
        self.short_term = ConversationMemory(budgets.short_term_budget)
        self.long_term = LongTermMemory(paths.long_term_memory)
        self.retriever = MemoryRetriever()
        self._loader = ProjectMemoryLoader(self.identity.root, paths.home, working_directory=project_root)
        self._loader.budget_characters = _project_budget(budgets.window)
        self._project = ProjectMemory()
        self._project_lock = threading.Lock()
        self._compression: asyncio.Task[None] | None = None
        self._quiet_below = 0.0
        self.on_compression: Callable[[CompressionResult], None] = lambda _: None
        """Told of each compression of the short-term memory, on the loop's thread."""

    def use_model(self, model: ChatModel, budgets: Budgets) -> None:
        """Summarise with `model` and keep to its budgets from now on."""
        self._model, self._budgets = model, budgets
        self._quiet_below = 0.0
        self._loader.budget_characters = _project_budget(budgets.window)
        self.short_term.resize(budgets.short_term_budget)

    def record(self, message: Message) -> None:
        """Take a message into short-term memory; compress in the background when that is due."""
        if message.kind is not MessageKind.NORMAL or not message.content.strip():
            return
        entry = MemoryEntry(
            _TYPES[message.role], message.content, timestamp=message.created, metadata={"message": message.id}
        )
        self.short_term.store(entry)
        self.compress_if_needed()

    def compress_if_needed(self) -> None:
        """Start a compression when the occupancy has reached the trigger ratio and none is running."""
        ratio = max(0.5, self._budgets.compression_trigger_ratio)
        if self._model is None or self.short_term.occupancy < max(ratio, self._quiet_below):
            return
        if self._compression is not None and not self._compression.done():
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # No loop in this thread (a session being resumed): the next message on the loop looks again.
            return
        self._compression = loop.create_task(self._compress(self._model), name="compress short-term memory")

    async def _compress(self, model: ChatModel) -> None:
        result = await ContextCompressor(model).compress(self.short_term)
        # One that failed or did not help is not tried again at once, but when the memory has grown by a tenth.
        self._quiet_below = 0.0 if result.applied else self.short_term.occupancy + 0.1
        self.on_compression(result)

    def project_context_changed(self) -> bool:
        """Whether a project memory file is another than it was at the last `project_context`. Touches files."""
        with self._project_lock:
            return self._loader.changed()

    def project_context(self) -> ProjectMemory:
        """Return project memory as the files are now. Touches files."""
        with self._project_lock:
            if self._loader.changed():
                self._project = self._loader.load()
            return self._project

    def facts(self, query: str = "") -> list[MemoryEntry]:
        """Return the facts that are seen here: newest first, or best first for a `query`. Touches files."""
        self.long_term.reload_if_changed()
        entries = self.long_term.entries(self.identity.names)
        if query.strip():
            return [found.entry for found in self.retriever.retrieve(query, entries, limit=len(entries))]
        return sorted(entries, key=lambda entry: -entry.timestamp)

    def recalled(self, query: str) -> list[ScoredEntry]:
        """Return the facts that fit `query`, with their scores. Touches files."""
        self.long_term.reload_if_changed()
        return self.retriever.retrieve(query, self.long_term.entries(self.identity.names))

    def long_term_section(self, query: str) -> str:
        """Return the section of the system prompt for `query`, or "". Touches files, may load a dictionary."""
        self.long_term.reload_if_changed()
        entries = self.long_term.entries(self.identity.names)
        return self.retriever.build_context_for_query(query, entries, self._budgets.memory_context_tokens)

    def recall(self, query: str) -> list[ScoredEntry]:
        """Return what short-term and long-term memory hold on `query`, best first. Touches files."""
        self.long_term.reload_if_changed()
        short = (*self.short_term.pending, *self.short_term.entries)
        return self.retriever.retrieve(query, (*self.long_term.entries(self.identity.names), *short))

    async def save_fact(self, content: str, *, scope: Scope, source: str) -> StoreResult:
        """Save a fact; it is on disk when the result says so. `source` is `command` or `tool`, and nothing else."""

        def save() -> StoreResult:
            if scope is Scope.PROJECT:
                self.identity = identify(self.identity.root, create=True)
            return self.long_term.store(content, scope, self.identity.name, source=source)

        return await asyncio.to_thread(save)

    async def forget(self, wanted: str) -> list[MemoryEntry]:
        """Forget the fact whose id begins with `wanted`, or that reads exactly so.

        Returns what matched: one entry that is forgotten now, or several of which none is (say which), or none.

        Raises:
            OSError: when it could not be forgotten on disk.
        """

        def forget() -> list[MemoryEntry]:
            facts = self.facts()
            hits = [fact for fact in facts if fact.content == wanted.strip()]
            hits = hits or [fact for fact in facts if wanted.strip() and fact.id.startswith(wanted.strip())]
            if len(hits) == 1 and not self.long_term.delete(hits[0].id):
                return []
            return hits

        return await asyncio.to_thread(forget)

    def take_notices(self) -> list[str]:
        """Return what the user should know of the stores' state, once."""
        notices, self.long_term.notices = self.long_term.notices, []
        return notices

    async def aclose(self) -> None:
        """Stop a compression that is running; it changes nothing then."""
        if self._compression is not None:
            self._compression.cancel()
            await asyncio.gather(self._compression, return_exceptions=True)


def _project_budget(window: int) -> int:
    return min(BUDGET_CHARACTERS, int(window * _PROJECT_SHARE_OF_WINDOW * 1.5))
