"""What a session's agent is made of, and the few acts on it that a turn needs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from codeagent_tui.agent.system_prompt import Environment, SystemPrompt, build_system_prompt
from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.calibration import Observation
from codeagent_tui.context.cut_prompt import cut_prompt_warning
from codeagent_tui.conversation.events import ContextReading, TodoItem
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, Usage
from codeagent_tui.llm.provider import ChatModel, ChatRequest
from codeagent_tui.llm.reply import RetryPolicy
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.memory.project_memory import ProjectMemory
from codeagent_tui.permissions.gate import PermissionGate
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.settings import Settings
from codeagent_tui.tools.tool import Registry, ToolContext

_LEAST_WINDOW = 1_024
"""Tokens. No model has less: a smaller number in a server's message is not its window."""


@dataclass(slots=True)
class AgentCore:
    """The parts of one session. Owned by `Agent`; `Turn` works on it."""

    settings: Settings
    model: ChatModel
    tools: Registry
    context: ToolContext
    gate: PermissionGate
    memory: MemoryManager
    history: History
    log: SessionLog
    budget: ContextBudget
    environment: Environment
    may_ask: bool = True
    summary_model: ChatModel | None = None
    """What summarises the history; None: `model`."""
    _prompt: SystemPrompt = field(default_factory=lambda: SystemPrompt(()))
    _query: str = ""
    _project: ProjectMemory = field(default_factory=ProjectMemory)
    _building: asyncio.Lock = field(default_factory=asyncio.Lock)
    _told_of_cuts: set[str] = field(default_factory=set)

    @property
    def retry_policy(self) -> RetryPolicy:
        """How often and how patiently the model is asked."""
        return RetryPolicy(max_attempts=self.settings.max_attempts, longest_wait=self.settings.longest_wait)

    def record(self, message: Message) -> Message:
        """Add `message` to the history, the log and the short-term memory; return it as it was stored."""
        stored = self.history.append(message)
        if not stored.is_empty:
            self.log.append_message(stored)
            self.memory.record(stored)
        return stored

    def take_up_todos(self) -> None:
        """Take the open work from the history, which holds it also after a compaction."""
        from codeagent_tui.context.ledger import ledger_of

        items = ledger_of(self.history.messages).items if len(self.history) else ()
        self.context.todos[:] = [TodoItem(item.text, item.status) for item in items]

    async def build_prompt(self, query: str) -> None:
        """Make the system prompt of a turn; it stays byte for byte the same until project files change."""
        async with self._building:
            await self._build(query)

    async def refresh_project_context(self) -> None:
        """Take up edits of project files between two model calls of a turn, and that a fact was forgotten or changed;
        nothing else of the prompt moves."""
        async with self._building:
            # Compared with what the prompt holds: others (the watch, the inspector) read the files as well.
            project = await asyncio.to_thread(self.memory.project_context)
            stale = project.text != self._project.text or self.memory.section_is_outdated
            if stale or not self._prompt.sections:
                await self._build(self._query)

    async def _build(self, query: str) -> None:
        self._query = query
        project = self._project = await asyncio.to_thread(self.memory.project_context)
        long_term = await asyncio.to_thread(self.memory.long_term_section, query)
        self._prompt = build_system_prompt(
            self.environment, mode=self.gate.mode, project_context=project.text, long_term=long_term
        )

    @property
    def prompt(self) -> SystemPrompt:
        """The system prompt as it would be sent now."""
        return self._prompt

    def request(self) -> ChatRequest:
        """Return exactly what would be sent now."""
        return ChatRequest(
            system=self._prompt.text,
            messages=self.history.messages,
            tools=self.tools.specs,
            max_output_tokens=self.settings.max_output_tokens or None,
        )

    def reading(self) -> ContextReading:
        """Return the gauge's reading of the next request."""
        reading = self.budget.measure(self._prompt.sections, self.history.messages, self.tools.specs)
        return replace(reading, short_term=self.memory.short_term.token_count)

    def learn_usage(self, request: ChatRequest, usage: Usage, model: str) -> str:
        """Calibrate the estimate by what `model` reported for `request`, and note it in the log.

        Returns a warning, once a model, when its server seems to cut prompts; else "".
        """
        self.log.append_usage(usage)
        observation = self.budget.learn(request, usage, model)
        if observation is not Observation.TRUNCATED or model in self._told_of_cuts:
            return ""
        self._told_of_cuts.add(model)
        sent = self.budget.calibration.apply(self.budget.request_tokens(request))
        return cut_prompt_warning(sent, usage.prompt_tokens, self.budget.profile.window)

    def learn_window(self, limit: int | None) -> None:
        """Take the window that the server named in an overflow, when it is smaller than the one assumed."""
        profile = self.budget.profile
        if limit and _LEAST_WINDOW <= limit < profile.window:
            self.budget.profile = profile.resized(limit)
