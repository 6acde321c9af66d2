"""One user turn: ask the model, run what it calls, again, until it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from codeagent_tui.agent.compaction import HistoryCompaction
from codeagent_tui.agent.core import AgentCore
from codeagent_tui.agent.tool_calls import ToolCallRunner
from codeagent_tui.conversation.events import (
    AgentEvent,
    AssistantReplied,
    ContextMeasured,
    EndReason,
    Notice,
    NoticeLevel,
    ReasoningDelta,
    StepStarted,
    TextDelta,
    TurnEnded,
    UsageReported,
)
from codeagent_tui.conversation.messages import Message, Role
from codeagent_tui.llm.provider import ChatRequest, ContextOverflow, ModelError, Reply
from codeagent_tui.llm.reply import stream_reply

_CUT_REPLIES_BEFORE_NOTICE = 3


@dataclass(slots=True)
class Turn:
    """The work on one user message. `run` says how it ended; cancelling leaves a valid history."""

    core: AgentCore
    emit: Callable[[AgentEvent], None]
    compaction: HistoryCompaction
    _streamed: list[str] = field(default_factory=list)
    _cut_in_a_row: int = 0

    async def run(self) -> TurnEnded:
        """Work until the model is done, fails, or has used up its steps."""
        limit = self.core.settings.max_steps
        for step in range(1, limit + 1):
            self.emit(StepStarted(step, limit))
            try:
                reply = await self._step()
            except ModelError as error:
                self._keep_partial(error.partial)
                return TurnEnded(EndReason.FAILED, str(error), retryable=True)
            self.emit(ContextMeasured(self.core.reading()))
            if not reply.message.tool_calls:
                return self._ended(reply)
        self.emit(
            Notice(
                NoticeLevel.WARNING,
                f"Stopped after {limit} steps, the most that one turn may take. Everything so far is kept; "
                "say “go on” to continue.",
            )
        )
        return TurnEnded(EndReason.STEP_LIMIT, f"stopped after {limit} steps")

    async def _step(self) -> Reply:
        await self.compaction.before_request(refused=False)
        await self.core.refresh_project_context()
        try:
            reply = await self._ask()
        except ContextOverflow as error:
            self.core.learn_window(error.limit)
            if not await self.compaction.before_request(refused=True):
                raise
            reply = await self._ask()
        reply = self._store(reply)
        if reply.message.tool_calls:
            core = self.core
            runner = ToolCallRunner(
                core.tools, core.context, core.gate, emit=self.emit, record=core.record, may_ask=core.may_ask
            )
            await runner.run(reply)
        return reply

    async def _ask(self) -> Reply:
        request, model = self.core.request(), self.core.model.name
        self.emit(ContextMeasured(self.core.reading()))
        self._streamed.clear()
        try:
            reply = await self._stream(request)
        except BaseException as error:
            # A cancel (or a crash) in mid-answer: what the user saw is kept, as an interrupted message.
            if not isinstance(error, ModelError):
                self._keep_partial(Message(Role.ASSISTANT, "".join(self._streamed)))
            raise
        if reply.usage is not None:
            warning = self.core.learn_usage(request, reply.usage, model)
            self.emit(UsageReported(reply.usage, self.core.log.cost))
            if warning:
                self.emit(Notice(NoticeLevel.WARNING, warning))
        return reply

    async def _stream(self, request: ChatRequest) -> Reply:
        reply: Reply | None = None
        async for event in stream_reply(self.core.model, request, self.core.retry_policy):
            if isinstance(event, Reply):
                reply = event
                continue
            if isinstance(event, TextDelta):
                self._streamed.append(event.text)
            elif not isinstance(event, ReasoningDelta):
                self._streamed.clear()
            self.emit(event)
        if reply is None:
            raise ModelError("The model's answer never came to its end. Send the message again.")
        return reply

    def _store(self, reply: Reply) -> Reply:
        """Record the reply and return it with the call ids under which the history knows its calls."""
        stored = self.core.record(reply.message)
        names = dict(zip((c.id for c in reply.message.tool_calls), (c.id for c in stored.tool_calls), strict=True))
        self._streamed.clear()
        self.emit(AssistantReplied(stored))
        self.compaction.see_calls(stored.tool_calls)
        self._watch_cut_replies(reply)
        return replace(
            reply,
            message=stored,
            cut_calls=frozenset(names[call_id] for call_id in reply.cut_calls),
            faults={names[call_id]: fault for call_id, fault in reply.faults.items()},
        )

    def _watch_cut_replies(self, reply: Reply) -> None:
        self._cut_in_a_row = self._cut_in_a_row + 1 if reply.cut_calls else 0
        if self._cut_in_a_row == _CUT_REPLIES_BEFORE_NOTICE:
            text = (
                "The model's output limit cut off its tool calls three times in a row; none of them ran. "
                "Raise max_output_tokens in the settings, or ask for smaller changes."
            )
            self.emit(Notice(NoticeLevel.WARNING, text))

    def _keep_partial(self, partial: Message | None) -> None:
        if partial is None or not partial.content.strip():
            return
        self.core.record(replace(partial, tool_calls=(), interrupted=True))
        self._streamed.clear()

    def _ended(self, reply: Reply) -> TurnEnded:
        if reply.finish == "length":
            text = "The answer was cut off by the model's output limit. Say “go on” for the rest."
            self.emit(Notice(NoticeLevel.WARNING, text))
        if not reply.message.content.strip():
            return TurnEnded(EndReason.NO_ANSWER, "the model gave no answer", retryable=True)
        return TurnEnded(EndReason.DONE)
