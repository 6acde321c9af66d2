"""A session put together: model, tools, memory, permissions, history and log around one agent."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.agent.agent import Agent, AgentBusy
from codeagent_tui.agent.core import AgentCore
from codeagent_tui.agent.fact_saver import MemoryFactSaver
from codeagent_tui.agent.going_back import GoingBack
from codeagent_tui.agent.model_choice import ModelChoice, choose_model, choose_summariser, window_for
from codeagent_tui.agent.system_prompt import Environment
from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.history import History
from codeagent_tui.llm.metered import MeteredModel
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.paths import Paths
from codeagent_tui.permissions.gate import PermissionGate
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.log import RewindScope, SessionLog
from codeagent_tui.sessions.rewind import RewindPlan, UserTurn
from codeagent_tui.sessions.rewinding import OnConflict, RewindResult
from codeagent_tui.sessions.store import LoadedSession, SessionStore
from codeagent_tui.sessions.summary import SessionSummary
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
    _unwritten: list[SessionLog] = field(default_factory=list)
    """Logs of earlier conversations of which something is not on disk yet; they are tried again."""
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
        core.memory.use_model(MeteredModel(choice.model, self.agent.spent), core.budget.profile)
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
        summary = self.store.find(wanted)
        if summary.session_id == self.log.session_id:
            return ("That is the session that is open.",)
        return self._take_up(self.store.load(summary))

    def _take_up(self, loaded: LoadedSession) -> tuple[str, ...]:
        self._exchange(loaded.log, History(loaded.messages), loaded.compactions)
        self._checkpoints.track(list(loaded.changed_files))
        self.agent.memory.restore(self.agent.history.messages)
        return loaded.notices

    async def resume_here(self, summary: SessionSummary) -> tuple[str, ...]:
        """Go on with a copy of a session of another folder, in this one; the old one keeps its own. Return notices.

        Raises:
            SessionError: when it cannot be read or copied; the current one goes on then.
        """
        return self._take_up(await asyncio.to_thread(self.store.fork, summary))

    async def fork(self, turn_index: int | None = None) -> tuple[str, ...]:
        """Go on in a new session that begins as this one was before the user's turn `turn_index` (None: as it is).

        This one stays on disk as it is. Files are not touched.

        Raises:
            AgentBusy: while a turn is running.
            IndexError: when there is no such turn.
            SessionError: when it could not be made; the current one goes on then.
        """
        if self.agent.busy:
            raise AgentBusy("The agent is working; interrupt it first, then fork.")
        before = "" if turn_index is None else (await self.turns())[turn_index].message_id
        summary = self.store.summary_of(self.log)
        return self._take_up(await asyncio.to_thread(lambda: self.store.fork(summary, before=before)))

    async def turns(self) -> tuple[UserTurn, ...]:
        """Return what the user said so far, oldest first: the places to go back to or to fork from."""
        return await self._going_back.turns()

    async def rewind_plan(self, turn_index: int) -> RewindPlan:
        """Return what going back to before the user's turn `turn_index` would do. Nothing is changed.

        Raises:
            IndexError: when there is no such turn.
            OSError: when the log cannot be read.
        """
        return await self._going_back.plan(turn_index)

    async def undo_rewind_plan(self) -> RewindPlan | None:
        """Return what taking back the last rewind would do; None when there was none."""
        return await self._going_back.plan_undo()

    async def rewind(
        self, plan: RewindPlan, scope: RewindScope = "both", *, on_conflict: OnConflict = "refuse"
    ) -> RewindResult:
        """Go back as `plan` says: the conversation, the files, or both. It can be taken back itself.

        Raises:
            AgentBusy: while a turn is running.
            RewindConflict: when somebody else changed files since and `on_conflict` is "refuse"; nothing was done.
        """
        return await self._going_back.carry_out(plan, scope, on_conflict)

    @property
    def _going_back(self) -> GoingBack:
        return GoingBack(self.agent, self.workspace.root)

    @property
    def _checkpoints(self) -> Checkpoints:
        """The keeper of changed files; there is one a log."""
        context = self.agent.core.context
        if not isinstance(context.checkpoints, Checkpoints):
            context.checkpoints = Checkpoints(self.log, self.workspace.root)
        return context.checkpoints

    def _exchange(self, log: SessionLog, history: History, compactions: Iterable[Mapping[str, object]] = ()) -> None:
        """Go on with another conversation: nothing of the one before may speak for it."""
        core = self.agent.core
        self._close_log()
        core.log, core.history = log, history
        core.context.checkpoints = Checkpoints(log, self.workspace.root)
        self.agent.compaction.reset(compactions)
        core.take_up_todos()
        core.memory.short_term.clear()
        core.memory.forget_recalls()
        # The model of this conversation has not seen the files; and what was allowed “for this session” was that one.
        core.context.file_state = FileState()
        for rule in core.gate.rules():
            if not rule.lasting:
                core.gate.forget(rule.id)

    def _close_log(self) -> None:
        """Close the log that is being written, and whatever could not be written of the ones before it."""
        self._unwritten = [log for log in (*self._unwritten, self.log) if not log.close()]

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
        self._close_log()


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
    # In a thread: it reads the file of facts, and 10,000 of them take 150 ms.
    memory = await asyncio.to_thread(
        MemoryManager,
        paths,
        where.root,
        profile,
        read_foreign=settings.read_agents_md,
        ranker=settings.retrieval_ranker,
    )
    context = ToolContext(
        workspace=where,
        file_state=FileState(),
        environment=child_environment(os.environ),
        facts=MemoryFactSaver(memory),
    )
    store = SessionStore(paths.history, where.root)
    log = store.create()
    context.checkpoints = Checkpoints(log, where.root)
    core = AgentCore(
        settings=settings,
        model=choice.model,
        tools=default_tools(command_timeout=settings.command_timeout),
        context=context,
        gate=PermissionGate(settings.mode, where, paths.permissions),
        memory=memory,
        history=History(),
        log=log,
        budget=_budget(profile, choice, settings),
        environment=Environment.detect(where.root),
        may_ask=may_ask,
        summary_model=choose_summariser(settings) if model is None else None,
    )
    agent = Agent(core)
    memory.use_model(MeteredModel(choice.model, agent.spent), profile)
    session = Session(settings, paths, where, store, agent, choice.notices)
    if resume is not None:
        session.notices += await asyncio.to_thread(session.resume, resume)
    return session


def _budget(profile: ContextProfile, choice: ModelChoice, settings: Settings) -> ContextBudget:
    budget = ContextBudget.of_settings(profile, calibrate=settings.calibrate)
    budget.calibration.use_model(choice.model.name)
    return budget


def _profile(choice: ModelChoice, settings: Settings) -> ContextProfile:
    return ContextProfile.for_window(
        choice.window,
        compression_trigger_ratio=settings.compression_trigger_ratio,
        trigger_share=settings.compaction_trigger,
    )
