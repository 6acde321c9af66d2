"""Puts the core's events on the screen: one function an event, no rule of the agent in any of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatchmethod

from codeagent_tui.conversation.events import (
    AgentEvent,
    ApprovalAsked,
    AssistantReplied,
    AttemptDiscarded,
    CompactionFinished,
    CompactionProgress,
    CompactionStarted,
    CompactionWaiting,
    ContextMeasured,
    EndReason,
    Notice,
    NoticeLevel,
    QueueChanged,
    ReasoningDelta,
    RetryScheduled,
    StepStarted,
    TextDelta,
    TodosChanged,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.gauge_layout import Compacting, short_count
from codeagent_tui.tui.instruments import Instruments

THINKING = "thinking"
ANSWERING = "answering"


class TurnView:
    """Shows the events of turns. `ask` is given each approval and must see to its answer."""

    def __init__(self, instruments: Instruments, ask: Callable[[ApprovalAsked], None]) -> None:
        self._on = instruments
        self._ask = ask
        self._answering = False
        self._compacting_beside = self._waiting = False
        self.last_end: TurnEnded | None = None

    def notice(self, level: NoticeLevel, text: str) -> None:
        """Say something to the user in the transcript."""
        self._on.transcript.add_notice(level, clean_text(text))

    def show(self, event: AgentEvent) -> None:
        """Show one event."""
        self._show(event)

    @singledispatchmethod
    def _show(self, event: AgentEvent) -> None:
        raise TypeError(f"{type(event).__name__} is no event of the core.")

    @_show.register(TurnStarted)
    def _turn_started(self, event: TurnStarted) -> None:
        self.last_end = None
        self._on.transcript.add_user(event.message.content)
        self._on.status.begin(THINKING)

    @_show.register(StepStarted)
    def _step_started(self, event: StepStarted) -> None:
        self._on.status.step(event.step, event.limit)
        self._on.status.doing(THINKING)

    @_show.register(ReasoningDelta)
    def _reasoning_delta(self, event: ReasoningDelta) -> None:
        self._on.status.doing(THINKING)
        self._on.transcript.append_reasoning(event.text)

    @_show.register(TextDelta)
    def _text_delta(self, event: TextDelta) -> None:
        if not self._answering:
            self._answering = True
            self._on.transcript.begin_answer()
            self._on.status.doing(ANSWERING)
        self._on.transcript.append_answer(event.text)

    @_show.register(AttemptDiscarded)
    def _attempt_discarded(self, event: AttemptDiscarded) -> None:
        self._answering = False
        self._on.transcript.discard_attempt()

    @_show.register(RetryScheduled)
    def _retry_scheduled(self, event: RetryScheduled) -> None:
        self._on.status.retry(event.delay, event.attempt, event.attempts, event.reason)

    @_show.register(AssistantReplied)
    def _assistant_replied(self, event: AssistantReplied) -> None:
        self._end_answer(interrupted=False)

    @_show.register(ToolStarted)
    def _tool_started(self, event: ToolStarted) -> None:
        self._end_answer(interrupted=False)
        self._on.transcript.add_tool(event.call.id, event.call.name, event.title)
        self._on.status.doing(one_line(event.title, 40))

    @_show.register(ToolProgress)
    def _tool_progress(self, event: ToolProgress) -> None:
        self._on.transcript.tool_progress(event.call_id, event.text)

    @_show.register(ToolFinished)
    def _tool_finished(self, event: ToolFinished) -> None:
        self._on.transcript.finish_tool(
            event.call_id, ok=event.ok, summary=event.summary, output=event.result.content, diff=event.diff
        )
        self._on.status.doing(THINKING)

    @_show.register(ApprovalAsked)
    def _approval_asked(self, event: ApprovalAsked) -> None:
        self._on.status.asking()
        self._ask(event)

    @_show.register(UsageReported)
    def _usage_reported(self, event: UsageReported) -> None:
        self._on.gauge.show_cost(event.total)

    @_show.register(ContextMeasured)
    def _context_measured(self, event: ContextMeasured) -> None:
        self._on.gauge.show(event.reading)

    @_show.register(QueueChanged)
    def _queue_changed(self, event: QueueChanged) -> None:
        self._on.waiting.show(event.waiting)
        self._on.status.waiting(len(event.waiting))

    @_show.register(TodosChanged)
    def _todos_changed(self, event: TodosChanged) -> None:
        self._on.todos.show(event.items)

    @_show.register(Notice)
    def _notice(self, event: Notice) -> None:
        self.notice(event.level, event.text)

    @_show.register(CompactionStarted)
    def _compaction_started(self, event: CompactionStarted) -> None:
        self._compacting_beside = event.background
        self._on.gauge.show_compaction(Compacting())
        if not event.background:
            self._on.status.doing(f"compacting {short_count(event.tokens)} ({event.track}); you can go on typing")

    @_show.register(CompactionProgress)
    def _compaction_progress(self, event: CompactionProgress) -> None:
        waiting = not self._compacting_beside and self._waiting
        self._on.gauge.show_compaction(Compacting(event.done, event.total, waiting))
        if not self._compacting_beside:
            self._on.status.doing(f"compacting {event.done} of {event.total} ({event.track}); you can go on typing")

    @_show.register(CompactionWaiting)
    def _compaction_waiting(self, event: CompactionWaiting) -> None:
        self._compacting_beside, self._waiting = False, True
        compacting = self._on.gauge.compacting or Compacting()
        self._on.gauge.show_compaction(replace(compacting, waiting=True))
        self._on.status.doing(f"waiting for the compaction of {short_count(event.tokens)} tokens; esc stops it")

    @_show.register(CompactionFinished)
    def _compaction_finished(self, event: CompactionFinished) -> None:
        if not self._compacting_beside:
            self._on.status.doing(THINKING)
        self._compacting_beside = self._waiting = False
        self._on.gauge.show_compaction(None)
        if event.applied:
            before, after = short_count(event.tokens_before), short_count(event.tokens_after)
            self._end_answer(interrupted=False)
            self._on.transcript.add_rule(f"{event.track} compacted: {before} → {after} tokens")
            if event.note:
                self.notice(NoticeLevel.INFO, event.note)
        else:
            note = one_line(event.note) or "nothing was changed"
            self.notice(NoticeLevel.INFO, f"Compaction of the {event.track} was skipped: {note}")

    @_show.register(TurnEnded)
    def _turn_ended(self, event: TurnEnded) -> None:
        self.last_end = event
        self._end_answer(interrupted=event.reason is EndReason.INTERRUPTED)
        compacting = self._on.gauge.compacting
        if compacting is not None:
            # The request that waited is gone; the compaction goes on beside whatever comes.
            self._compacting_beside, self._waiting = True, False
            self._on.gauge.show_compaction(replace(compacting, waiting=False))
        level, text = _ending(event)
        if text:
            self.notice(level, text)

    def _end_answer(self, *, interrupted: bool) -> None:
        if self._answering:
            self._answering = False
            self._on.transcript.end_answer(interrupted=interrupted)

    def finish(self) -> None:
        """Nothing runs any more, however that came: close what is open."""
        self._end_answer(interrupted=True)
        self._on.status.end()


def _ending(event: TurnEnded) -> tuple[NoticeLevel, str]:
    """Return what the user is told about the end of a turn; nothing when it ended well."""
    again = " /retry tries again." if event.retryable else ""
    match event.reason:
        case EndReason.INTERRUPTED:
            return NoticeLevel.INFO, "Interrupted. Everything so far is kept."
        case EndReason.FAILED:
            return NoticeLevel.ERROR, f"{event.detail}{again}"
        case EndReason.NO_ANSWER:
            return NoticeLevel.WARNING, f"The model gave no answer.{again}"
        case EndReason.STEP_LIMIT | EndReason.DONE:
            return NoticeLevel.INFO, ""
