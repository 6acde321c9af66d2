"""A session put together: model, tools, memory, permissions, history and log around one agent."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.agent.agent import Agent
from codeagent_tui.agent.core import AgentCore
from codeagent_tui.agent.fact_saver import MemoryFactSaver
from codeagent_tui.agent.model_choice import ModelChoice, choose_model, choose_summariser, window_for
from codeagent_tui.agent.system_prompt import Environment
from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.history import History
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.paths import Paths
from codeagent_tui.permissions.gate import PermissionGate
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.store import SessionStore
from codeagent_tui.settings import Settings
from codeagent_tui.tools.catalog import default_tools
from codeagent_tui.tools.environment import child_environment
from codeagent_tui.tools.file_state import FileState
from codeagent_tui.tools.tool import ToolContext
from codeagent_tui.workspace import Workspace


@dataclass(slots=True)
class Session:
    """One open session. Close it with `aclose`: tasks end, the log is written out."""

    settings: Settings
    paths: Paths
    workspace: Workspace
    store: SessionStore
    agent: Agent
    notices: tuple[str, ...] = ()
    _retired: list[OpenAIChatModel] = field(default_factory=list)
    """Models that are asked no more; an answer of theirs may still be on its way, so they are closed at the end."""

    @property
    def log(self) -> SessionLog:
        """The log that is being written."""
        return self.agent.core.log

    async def use_settings(self, settings: Settings) -> tuple[str, ...]:
        """Ask the model that `settings` name from now on; return what the user should know."""
        choice = choose_model(settings)
        core, old = self.agent.core, self.agent.model
        self.settings = core.settings = settings
        core.budget.profile = _profile(choice, settings)
        core.memory.use_model(choice.model, core.budget.profile)
        self.agent.use_model(choice.model)
        summariser, core.summary_model = core.summary_model, choose_summariser(settings)
        self._retired += [model for model in (old, summariser) if isinstance(model, OpenAIChatModel)]
        return choice.notices

    def start_new(self) -> None:
        """Begin a new conversation in a new log; the old one stays on disk."""
        self._exchange(self.store.create(), History())

    def resume(self, wanted: str) -> tuple[str, ...]:
        """Go on with the session whose id begins with `wanted` ("": the newest); return notices.

        Raises:
            SessionError: when it is not there or cannot be read; the current one goes on then.
        """
        loaded = self.store.load(self.store.find(wanted))
        self._exchange(loaded.log, History(loaded.messages), loaded.compactions)
        self.agent.memory.restore(self.agent.history.messages)
        return loaded.notices

    def _exchange(self, log: SessionLog, history: History, compactions: Iterable[Mapping[str, object]] = ()) -> None:
        """Go on with another conversation: nothing of the one before may speak for it."""
        core = self.agent.core
        core.log.close()
        core.log, core.history = log, history
        self.agent.compaction.reset(compactions)
        core.context.todos.clear()
        core.memory.short_term.clear()
        # The model of this conversation has not seen the files; and what was allowed “for this session” was that one.
        core.context.file_state = FileState()
        for rule in core.gate.rules():
            if not rule.lasting:
                core.gate.forget(rule.id)

    async def aclose(self) -> None:
        """Stop the agent and its workers, and make the log durable. Safe to call twice."""
        await self.agent.aclose()
        await self.agent.memory.aclose()
        for model in (*self._retired, self.agent.core.summary_model, self.agent.model):
            if isinstance(model, OpenAIChatModel):
                await model.aclose()
        self._retired.clear()
        # The words are written already; only their way to the platter can fail here, and nobody can mend that now.
        with suppress(OSError):
            await asyncio.to_thread(self.log.sync)
        self.log.close()


async def open_session(
    settings: Settings,
    paths: Paths,
    workspace: Path,
    *,
    resume: str | None = None,
    model: ChatModel | None = None,
    may_ask: bool = True,
) -> Session:
    """Put a session together; `resume` is the start of a session's id, "" for the newest one here.

    Raises:
        SessionError: when the session to resume is not there or cannot be read.
    """
    choice = choose_model(settings) if model is None else window_for(model, settings)
    where = Workspace.at(workspace)
    profile = _profile(choice, settings)
    memory = MemoryManager(paths, where.root, profile, choice.model, read_foreign=settings.read_agents_md)
    context = ToolContext(
        workspace=where,
        file_state=FileState(),
        environment=child_environment(os.environ),
        facts=MemoryFactSaver(memory),
    )
    store = SessionStore(paths.history, where.root)
    core = AgentCore(
        settings=settings,
        model=choice.model,
        tools=default_tools(command_timeout=settings.command_timeout),
        context=context,
        gate=PermissionGate(settings.mode, where, paths.permissions),
        memory=memory,
        history=History(),
        log=store.create(),
        budget=ContextBudget(profile),
        environment=Environment.detect(where.root),
        may_ask=may_ask,
        summary_model=choose_summariser(settings) if model is None else None,
    )
    session = Session(settings, paths, where, store, Agent(core), choice.notices)
    if resume is not None:
        session.notices += await asyncio.to_thread(session.resume, resume)
    return session


def _profile(choice: ModelChoice, settings: Settings) -> ContextProfile:
    return ContextProfile.for_window(
        choice.window,
        compression_trigger_ratio=settings.compression_trigger_ratio,
        trigger_share=settings.compaction_trigger,
    )
