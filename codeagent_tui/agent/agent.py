"""The agent as faces see it: run a text and iterate events, queue more, interrupt, compact."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from codeagent_tui.agent.compaction import HistoryCompaction
from codeagent_tui.agent.core import AgentCore
from codeagent_tui.agent.turn import Turn
from codeagent_tui.context.record import CompactionRecord
from codeagent_tui.conversation.events import (
    AgentEvent,
    ContextMeasured,
    ContextReading,
    EndReason,
    QueueChanged,
    TodoItem,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Usage, user
from codeagent_tui.llm.provider import ChatModel, ChatRequest
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.permissions.gate import PermissionGate

if TYPE_CHECKING:
    from codeagent_tui.context.picture import ContextPicture

_log = logging.getLogger(__name__)


class AgentBusy(RuntimeError):
    """The agent is working already; queue the message, or interrupt."""


class Agent:
    """Works on one user turn at a time. All state changes happen on the event loop's thread."""

    def __init__(self, core: AgentCore) -> None:
        self._core = core
        self._waiting: deque[str] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._turn: asyncio.Task[TurnEnded] | None = None
        self._begun = False
        self._emit: Callable[[AgentEvent], None] | None = None
        self.compaction = HistoryCompaction(core, self._tell, lambda: not self.busy, self.spent)
        self.on_background: Callable[[AgentEvent], None] = lambda event: None
        """Gets the events of a compaction that goes on while no turn is running."""

    @property
    def busy(self) -> bool:
        """Whether a turn (or a compaction) is running."""
        return self._worker is not None and not self._worker.done()

    @property
    def history(self) -> History:
        """What is sent to the model."""
        return self._core.history

    @property
    def model(self) -> ChatModel:
        """The model that is asked."""
        return self._core.model

    @property
    def memory(self) -> MemoryManager:
        """The memory system."""
        return self._core.memory

    @property
    def gate(self) -> PermissionGate:
        """What may run; its mode can be set."""
        return self._core.gate

    @property
    def todos(self) -> tuple[TodoItem, ...]:
        """The agent's list of open work."""
        return tuple(self._core.context.todos)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The queued messages, oldest first."""
        return tuple(self._waiting)

    @property
    def core(self) -> AgentCore:
        """The parts, for whoever has to show or exchange one."""
        return self._core

    @property
    def compactions(self) -> tuple[CompactionRecord, ...]:
        """The compactions of this session, oldest first."""
        return self.compaction.records

    def run(self, text: str) -> AsyncIterator[AgentEvent]:
        """Work on `text`, then on each message queued meanwhile as a turn of its own.

        The last event of each turn is a `TurnEnded`. Closing the iterator (or cancelling its consumer) stops the
        work and leaves a valid history.

        Raises:
            AgentBusy: at once, when a turn is running.
        """
        return self._watched(lambda emit: self._work(text, emit))

    def retry(self) -> AsyncIterator[AgentEvent]:
        """Go on with the last turn after it failed, without a new user message."""
        return self._watched(lambda emit: self._work(None, emit))

    def compact(self, focus: str | None = None) -> AsyncIterator[AgentEvent]:
        """Compact the history now, at any size, and wait for it.

        Raises:
            AgentBusy: at once, when a turn is running; see `compact_beside`.
        """

        async def work(emit: Callable[[AgentEvent], None]) -> None:
            await self.compaction.by_hand(focus)

        return self._watched(work)

    def compact_beside(self, focus: str | None = None) -> bool:
        """Start a compaction beside what runs; it is put in place before the next request.

        Returns False when one is running already, or there is nothing to compact.
        """
        return self.compaction.begin(focus)

    async def uncompact(self, record_id: str = "") -> CompactionRecord:
        """Take back the compaction `record_id` (and those after it), "" for the last one; what came since stays.

        Raises:
            AgentBusy: when a turn is running.
            CannotRestore: with the reason; nothing was changed.
        """
        if self.busy:
            raise AgentBusy("A turn is running. Stop it first, or wait for its end.")
        return await self.compaction.take_back(record_id)

    def take_out(self, message_id: str, *, whole: bool) -> CompactionRecord:
        """Put stubs in the place of what is long in a message of the history, or (`whole`) take its text out.

        `uncompact` puts it back as it was. A turn may be running: its next request is without it.

        Raises:
            CannotTakeOut: with the reason; nothing was changed.
        """
        return self.compaction.take_out(message_id, whole=whole)

    def queue(self, text: str) -> None:
        """Let `text` wait until the running turn ends."""
        self._waiting.append(text)
        self._tell_queue()

    def take_back_queue(self) -> tuple[str, ...]:
        """Empty the queue and return what waited, so that it can go back to the composer."""
        taken = tuple(self._waiting)
        self._waiting.clear()
        if taken:
            self._tell_queue()
        return taken

    def interrupt(self) -> None:
        """Stop the running turn; `run` still yields what is left, last a `TurnEnded` that says INTERRUPTED."""
        if self._turn is not None:
            self._turn.cancel()
        elif self._worker is not None and self._begun:
            self._worker.cancel()
        elif self.busy:
            # Its first step comes next; then there is something that can be stopped and says so.
            asyncio.get_running_loop().call_soon(self.interrupt)

    def use_model(self, model: ChatModel) -> None:
        """Ask `model` from the next request on; what was learned about its counting before counts again."""
        self._core.model = model
        self._core.budget.calibration.use_model(model.name)

    def spent(self, usage: Usage) -> None:
        """Note and tell what a request cost that was made beside the conversation."""
        self._core.log.append_usage(usage)
        self._tell(UsageReported(usage, self._core.log.cost))

    def reading(self) -> ContextReading:
        """Return the gauge's reading."""
        return self._core.reading()

    def picture(self) -> ContextPicture:
        """Return what fills the next request, what is largest in it, and how fast it grows."""
        from codeagent_tui.context.picture import picture_of

        return picture_of(self._core.reading(), self._core.history.messages, self._core.budget)

    async def next_request(self, query: str = "") -> ChatRequest:
        """Return exactly what would be sent if the user said `query` now (without that message itself)."""
        if not self.busy:
            await self._core.build_prompt(query)
        return self._core.request()

    async def aclose(self) -> None:
        """Stop the work and wait until it has stopped."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        await self.compaction.aclose()

    def _watched(self, work: Callable[[Callable[[AgentEvent], None]], Awaitable[None]]) -> AsyncIterator[AgentEvent]:
        if self.busy:
            raise AgentBusy("The agent is working; the message can be queued, or the turn interrupted.")
        events: asyncio.Queue[AgentEvent | None] = asyncio.Queue()

        async def guarded() -> None:
            self._begun = True
            self._emit = events.put_nowait
            try:
                await work(events.put_nowait)
            finally:
                self._emit = None

        self._begun = False
        worker = self._worker = asyncio.create_task(guarded(), name="agent")
        # Not in the task itself: one that is cancelled before its first step runs none of its code.
        worker.add_done_callback(lambda _: events.put_nowait(None))
        return self._drain(worker, events)

    async def _drain(
        self, worker: asyncio.Task[None], events: asyncio.Queue[AgentEvent | None]
    ) -> AsyncIterator[AgentEvent]:
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await worker

    async def _work(self, text: str | None, emit: Callable[[AgentEvent], None]) -> None:
        while True:
            ended = await self._one_turn(text, emit)
            emit(ended)
            if ended.reason in (EndReason.INTERRUPTED, EndReason.FAILED) or not self._waiting:
                return
            text = self._waiting.popleft()
            self._tell_queue()

    async def _one_turn(self, text: str | None, emit: Callable[[AgentEvent], None]) -> TurnEnded:
        turn = Turn(self._core, emit, self.compaction)

        async def work() -> TurnEnded:
            await self._core.build_prompt(text if text is not None else self._last_request())
            if text is not None:
                self._core.memory.count_recall()
            return await turn.run()

        try:
            if text is not None:
                # Before the task: what the user said is kept, however early the turn is interrupted.
                emit(TurnStarted(self._core.record(user(text))))
            self._turn = asyncio.create_task(work(), name="turn")
            return await self._turn
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if self._turn is not None and current is not None and current.cancelling():
                self._turn.cancel()
                await asyncio.gather(self._turn, return_exceptions=True)
                raise
            return TurnEnded(EndReason.INTERRUPTED, "interrupted; everything so far is kept")
        except Exception as error:  # noqa: BLE001  the turn rim: whatever failed, the session goes on
            _log.exception("a turn failed")
            detail = f"An internal error ended the turn ({type(error).__name__}); the conversation is kept."
            return TurnEnded(EndReason.FAILED, detail, retryable=True)
        finally:
            self._turn = None
            self.compaction.settle()
            emit(ContextMeasured(self._core.reading()))

    def _last_request(self) -> str:
        starts = self.history.user_turn_starts()
        return self.history.messages[starts[-1]].content if starts else ""

    def _tell(self, event: AgentEvent) -> None:
        if self._emit is not None:
            self._emit(event)
        else:
            self.on_background(event)

    def _tell_queue(self) -> None:
        if self._emit is not None:
            self._emit(QueueChanged(tuple(self._waiting)))
