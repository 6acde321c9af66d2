"""Going back in a session, and from a point of it into another one: what `Session` does beyond going on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from codeagent_tui.agent.agent import Agent, AgentBusy
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import user
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.log import RewindScope
from codeagent_tui.sessions.reading import ReadLog, read_open_log
from codeagent_tui.sessions.rewind import RewindPlan, UserTurn, plan_rewind, plan_undo, user_turns
from codeagent_tui.sessions.rewinding import OnConflict, RewindResult, carry_out
from codeagent_tui.tools.file_state import FileState
from codeagent_tui.tools.threads import to_completion


class GoingBack:
    """Rewinds of one agent's session. Nothing here runs while a turn does."""

    def __init__(self, agent: Agent, root: Path) -> None:
        self._agent = agent
        self._root = root

    async def turns(self) -> tuple[UserTurn, ...]:
        """Return what the user said so far: the places to go back to."""
        return await asyncio.to_thread(lambda: user_turns(self._read()))

    async def plan(self, turn_index: int) -> RewindPlan:
        """Return what going back to before that turn would do."""
        return await asyncio.to_thread(plan_rewind, self._agent.core.log, self._root, turn_index)

    async def plan_undo(self) -> RewindPlan | None:
        """Return what taking back the last rewind would do."""
        return await asyncio.to_thread(plan_undo, self._agent.core.log, self._root)

    async def carry_out(self, plan: RewindPlan, scope: RewindScope, on_conflict: OnConflict) -> RewindResult:
        """Do what `plan` says, to its end once it was begun."""
        core = self._agent.core
        checkpoints = core.context.checkpoints
        if self._agent.busy:
            raise AgentBusy("The agent is working; interrupt it first, then rewind.")
        if not isinstance(checkpoints, Checkpoints):
            checkpoints = Checkpoints(core.log, self._root)
        result = await to_completion(carry_out, core.log, checkpoints, plan, scope, on_conflict)
        if scope != "files":
            self._take_up(await asyncio.to_thread(self._read))
        elif result.restored or result.deleted:
            core.record(user(_told(result)))
        # The files are no longer what the model has seen.
        core.context.file_state = FileState()
        return result

    def _take_up(self, read: ReadLog) -> None:
        core = self._agent.core
        core.history = History(read.replay.messages)
        core.take_up_todos()
        core.memory.short_term.clear()
        core.memory.restore(core.history.messages)
        self._agent.compaction.reset(read.replay.noted)

    def _read(self) -> ReadLog:
        return read_open_log(self._agent.core.log)


def _told(result: RewindResult) -> str:
    """Return what the model is told of files that went back while the conversation stayed."""
    parts = []
    if result.restored:
        parts.append(f"as they were before: {', '.join(result.restored)}")
    if result.deleted:
        parts.append(f"deleted: {', '.join(result.deleted)}")
    return f"[I have taken back changes of files; read them again before you rely on them. Now {'; '.join(parts)}.]"
