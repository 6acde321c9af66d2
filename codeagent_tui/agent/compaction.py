"""Keeps the history within the window: when to compact, in which way, and how it is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from codeagent_tui.agent.core import AgentCore
from codeagent_tui.context.background import BackgroundCompaction
from codeagent_tui.context.outcome import NotCompacted, PreparedCompaction
from codeagent_tui.context.record import CompactionRecord
from codeagent_tui.context.repeats import RepeatWatch
from codeagent_tui.conversation.events import (
    AgentEvent,
    CompactionFinished,
    CompactionProgress,
    CompactionStarted,
    CompactionWaiting,
    ContextMeasured,
    ContextReading,
    Notice,
    NoticeLevel,
)
from codeagent_tui.conversation.messages import Message, ToolCall, Usage
from codeagent_tui.llm.metered import MeteredModel
from codeagent_tui.sessions.reading import read_open_log
from codeagent_tui.sessions.replay import Restoration

if TYPE_CHECKING:
    from codeagent_tui.context.compactor import ConversationHistoryCompactor

_TRACK = "history"
# After a compaction that did not help, how much of the window the request must grow before another one is tried: else
# each message would pay for a summary that cannot help. And no summary is made of less than that.
_GROWTH_BEFORE_NEXT_TRY = 0.05
_MOST_AT_THE_CEILING = 3
"""Compactions one after another while a request waits; more would not help either."""


class CannotRestore(Exception):
    """A compaction could not be taken back; the message says why. Nothing was changed."""


class HistoryCompaction:
    """The compactions of one session. Owned by `Agent`; every method on the event loop's thread. `aclose` it.

    Crossing the trigger starts one in the background; its result is put in place before the next request, or when
    nothing runs. Only a request that would pass the hard ceiling waits.
    """

    def __init__(
        self,
        core: AgentCore,
        tell: Callable[[AgentEvent], None],
        at_rest: Callable[[], bool],
        spent: Callable[[Usage], None],
    ) -> None:
        """`tell` gets the events; `at_rest` says whether no turn is running; `spent` hears what summaries cost."""
        self._core = core
        self._tell = tell
        self._at_rest = at_rest
        self._spent = spent
        self._background = BackgroundCompaction(self._finished)
        self._records: list[CompactionRecord] = []
        self._watch: RepeatWatch | None = None
        self._quiet_below = 0
        self._told_below = 0
        self._before = 0

    @property
    def records(self) -> tuple[CompactionRecord, ...]:
        """What was done, oldest first."""
        if self._watch is not None and self._records and self._records[-1].repeats != self._watch.repeats:
            self._records[-1] = replace(self._records[-1], repeats=self._watch.repeats)
        return tuple(self._records)

    @property
    def running(self) -> bool:
        """Whether one is being prepared in the background."""
        return self._background.running

    def reset(self, records: Iterable[Mapping[str, object]] = ()) -> None:
        """Begin with another conversation; `records` are its earlier compactions, as they were logged."""
        self._background.forget()
        self._records = [known for record in records if (known := CompactionRecord.from_json(dict(record)))]
        self._watch = None
        self._quiet_below = self._told_below = 0

    async def aclose(self) -> None:
        """Stop what runs; the history stays as it is."""
        await self._background.aclose()

    async def before_request(self, *, refused: bool) -> bool:
        """Keep the next request within its bounds; `refused` says that the server found it too long.

        Returns whether the history shrank. Cancelling leaves it as it is.
        """
        shrank = self._put_in_place()
        reading = self._core.reading()
        if refused:
            return await self._make_room(refused=True) or shrank
        quiet = reading.total < self._quiet_below
        if reading.total < reading.trigger or (quiet and reading.total < reading.window):
            return shrank
        if reading.total >= reading.ceiling:
            # Beyond the window something has to go, also while no summary is worth asking for.
            return await self._make_room(refused=False, summarise=not quiet) or shrank
        if self._background.running or not self._worthwhile(reading):
            return shrank
        if self._stub():
            return True
        if not self._core.settings.background_compaction:
            return await self._compact_now(None) or shrank
        self._begin(None)
        return shrank

    def _worthwhile(self, reading: ContextReading) -> bool:
        """Whether enough could be summarised; if not, say once what fills the window."""
        growth = self._growth
        if self._compactor().compressible(self._core.history.messages) >= growth:
            return True
        self._quiet_below = reading.total + growth
        if reading.total >= self._told_below:
            self._told_below = reading.total + reading.window // 4
            self._tell(Notice(NoticeLevel.WARNING, _what_fills(reading)))
        return False

    @property
    def _growth(self) -> int:
        return max(1, int(self._core.budget.profile.window * _GROWTH_BEFORE_NEXT_TRY))

    def _compactor(self) -> ConversationHistoryCompactor:
        # Only here: most sessions begin long before they need one.
        from codeagent_tui.context.compactor import ConversationHistoryCompactor

        core = self._core
        reading = core.reading()
        messages = core.budget.calibration.apply(core.budget.messages_tokens(core.history.messages))
        model = core.summary_model or core.model
        window = model.window if core.summary_model is not None else None
        return ConversationHistoryCompactor(
            MeteredModel(model, self._spent),
            core.budget.profile,
            budget=core.budget,
            window=window,
            fixed_tokens=max(0, reading.total - messages),
        )

    def begin(self, focus: str | None) -> bool:
        """Start a compaction in the background now, at any size; False when one is running or nothing is to do."""
        if self._background.running or self._compactor().plan(self._core.history.messages) is None:
            return False
        self._begin(focus)
        return True

    def _begin(self, focus: str | None) -> None:
        self._before = self._core.reading().total
        self._tell(CompactionStarted(_TRACK, self._before, background=True))
        work = self._compactor().prepare(self._core.history.messages, focus, self._progress)
        self._background.start(work)

    def _progress(self, done: int, total: int) -> None:
        self._tell(CompactionProgress(_TRACK, done, total))

    def _finished(self) -> None:
        """Put the result in place when nothing runs; else the next request does it."""
        if self._at_rest():
            self._put_in_place()
            self._tell(ContextMeasured(self._core.reading()))

    def settle(self) -> None:
        """Put in place what is ready; for the end of a turn."""
        self._put_in_place()

    def _put_in_place(self) -> bool:
        ended = self._background.take()
        if ended is None:
            return False
        if isinstance(ended, NotCompacted):
            self._skipped(str(ended), self._before)
            return False
        return self._apply(ended, background=True)

    def _skipped(self, why: str, before: int) -> None:
        now = self._core.reading().total
        self._quiet_below = now + self._growth
        self._tell(CompactionFinished(_TRACK, False, before, now, why))

    def _apply(self, prepared: PreparedCompaction, *, background: bool) -> bool:
        core = self._core
        before = core.reading().total
        result = self._compactor().apply(core.history, prepared)
        if not result.applied or result.record is None:
            self._skipped(result.note, before)
            return False
        after = core.reading().total
        record = replace(result.record, tokens_before=before, tokens_after=after, background=background)
        kept = core.history.messages[len(result.replacement) :]
        core.log.append_compaction(
            result.replaced, result.replacement, record.to_json(), first_kept=kept[0].id if kept else ""
        )
        self._done(record, result.taken, after)
        return True

    def _done(self, record: CompactionRecord, taken: tuple[Message, ...], after: int) -> None:
        self._records = [*self.records, record]
        self._watch = RepeatWatch(taken)
        trigger = self._core.budget.profile.history_trigger
        self._quiet_below = after + self._growth if after >= trigger else 0
        self._tell(CompactionFinished(_TRACK, True, record.tokens_before, after, record.note, record.id))
        self._tell(ContextMeasured(self._core.reading()))

    def _stub(self, *, at_any_rate: bool = False) -> bool:
        """Let large old tool results give way to stubs, where whole turns would not make enough room."""
        compactor, core = self._compactor(), self._core
        messages = core.history.messages
        if not at_any_rate and compactor.keeps_whole_turns(messages):
            return False
        stubs = compactor.stubs(messages, at_any_rate=at_any_rate)
        before = core.reading().total
        originals = {message.id: message for message in messages}
        if not stubs or not core.history.replace_messages(stubs):
            return False
        after = core.reading().total
        self._tell(CompactionStarted(_TRACK, before))
        record = CompactionRecord(
            before,
            after,
            way="stubs",
            stubbed=tuple(stub.id for stub in stubs),
            note=f"{len(stubs)} large tool results gave way to stubs that say how to read them again.",
        )
        core.log.append_stubs(stubs)
        core.log.append_compaction(0, (), record.to_json())
        self._done(record, tuple(originals[stub.id] for stub in stubs), after)
        return True

    async def _make_room(self, *, refused: bool, summarise: bool = True) -> bool:
        """Bring the request below the ceiling while it waits; visible, and cancelled with the turn."""
        core = self._core
        shrank = False
        if self._background.running:
            self._tell(CompactionWaiting(_TRACK, core.reading().total))
            await self._background.wait()
            shrank = self._put_in_place()
        reading = core.reading()
        for _ in range(_MOST_AT_THE_CEILING):
            if reading.total < (reading.trigger if refused else reading.ceiling) and (shrank or not refused):
                return shrank
            if not refused and not self._worthwhile(reading):
                break
            if not self._stub() and not (summarise and await self._compact_now(None, waiting=True)):
                break
            shrank, reading = True, core.reading()
        return self._last_resort(refused=refused and not shrank) or shrank

    def _last_resort(self, *, refused: bool) -> bool:
        """Where no summary could be had and the request would be refused: stubs first, then the ledger alone."""
        core = self._core
        window = core.budget.profile.window
        if not refused and (
            core.reading().total < window or self._compactor().compressible(core.history.messages) < self._growth
        ):
            return False
        shrank = self._stub(at_any_rate=True)
        if shrank and core.reading().total < window:
            return True
        try:
            prepared = self._compactor().without_summary(core.history.messages)
        except NotCompacted:
            return shrank
        dropped = self._apply(prepared, background=False)
        if dropped:
            text = (
                f"The request would not fit the window and no summary could be made: {len(prepared.prefix)} earlier "
                "messages were left out. Your requests, the changed files and the commands are kept as a list; "
                "/uncompact brings the messages back."
            )
            self._tell(Notice(NoticeLevel.WARNING, text))
        return dropped or shrank

    async def _compact_now(self, focus: str | None, *, waiting: bool = False) -> bool:
        """Compact while the request waits; whether it was done."""
        core = self._core
        before = core.reading().total
        self._tell(CompactionStarted(_TRACK, before))
        if waiting:
            self._tell(CompactionWaiting(_TRACK, before))
        try:
            prepared = await self._compactor().prepare(core.history.messages, focus, self._progress)
        except NotCompacted as why:
            self._skipped(str(why), before)
            return False
        except asyncio.CancelledError:
            self._tell(CompactionFinished(_TRACK, False, before, before, "cancelled; nothing was changed"))
            raise
        return self._apply(prepared, background=False)

    async def by_hand(self, focus: str | None) -> None:
        """Compact now, at any size, because the user says so; while one runs, wait for that one."""
        core = self._core
        before = core.reading().total
        ready = self._put_in_place()
        if self._background.running:
            self._tell(CompactionWaiting(_TRACK, before))
            await self._background.wait()
            self._put_in_place()
        elif self._compactor().plan(core.history.messages) is None:
            self._tell(Notice(NoticeLevel.INFO, "There is nothing to compact: the conversation is too short."))
        elif focus is not None or not ready:
            await self._compact_now(focus)
            self._tell(ContextMeasured(core.reading()))

    def see_calls(self, calls: Iterable[ToolCall]) -> None:
        """Watch whether the agent repeats what it did before the last compaction."""
        watch = self._watch
        if watch is None:
            return
        alarms = [watch.see(call) for call in calls]
        if True in alarms:
            text = (
                f"{watch.repeats} of the last tool calls repeat what was done before the compaction: it may have "
                "taken away too much. /uncompact brings the earlier messages back."
            )
            self._tell(Notice(NoticeLevel.WARNING, text))

    def take_out(self, message_id: str, *, whole: bool) -> CompactionRecord:
        """Put stubs in the place of what is long in a message, or (`whole`) take its text out, because the user says
        so; return the record, by which it can be taken back.

        Raises:
            CannotTakeOut: with the reason; nothing was changed.
        """
        # Only here, like the compactor.
        from codeagent_tui.context.taking_out import CannotTakeOut, taken_out

        core = self._core
        if self._background.running:
            raise CannotTakeOut("A compaction is being prepared from the conversation as it is. Wait until it is done.")
        before, messages = core.reading().total, core.history.messages
        changed = taken_out(messages, message_id, whole=whole)
        if not core.history.replace_messages((changed,)):
            raise CannotTakeOut("The conversation would no longer be valid without it.")
        after = core.reading().total
        record = CompactionRecord(before, after, way="by hand", stubbed=(message_id,))
        core.log.append_stubs((changed,))
        core.log.append_compaction(0, (), record.to_json())
        self._records = [*self.records, record]
        self._tell(ContextMeasured(core.reading()))
        return record

    async def take_back(self, record_id: str = "") -> CompactionRecord:
        """Undo the compaction `record_id` (and those after it; "": the last one); return its record.

        What was said since stays. No other one starts before the request has grown.

        Raises:
            CannotRestore: with the reason; what was not restored is as it was.
        """
        standing = [record for record in self.records if not record.restored]
        wanted = [record.id for record in standing]
        if not standing:
            raise CannotRestore("There is no compaction to take back.")
        if record_id and record_id not in wanted:
            raise CannotRestore("That compaction is taken back already, or belongs to another session.")
        index = wanted.index(record_id) if record_id else len(standing) - 1
        self._background.forget()
        for record in reversed(standing[index:]):
            await self._undo(record)
        reading = self._core.reading()
        self._quiet_below = reading.total + self._growth if reading.total >= reading.trigger else 0
        self._watch = None
        self._tell(ContextMeasured(reading))
        return standing[index]

    async def _undo(self, record: CompactionRecord) -> None:
        core = self._core
        try:
            undone = await asyncio.to_thread(self._undoing, record)
        except (OSError, KeyError) as error:
            raise CannotRestore(f"What it replaced cannot be read from the session's file: {error}") from error
        if record.stubbed:
            done = core.history.replace_messages(undone.messages)
            if done:
                core.log.append_stubs(undone.messages)
        else:
            done = core.history.replace_prefix(core.history.messages[: undone.count], undone.messages)
        if not done:
            raise CannotRestore("The history is no longer what that compaction made it; it was left as it is.")
        core.log.append_restore(record.id, undone.count)
        self._records = [replace(held, restored=True) if held.id == record.id else held for held in self._records]

    def _undoing(self, record: CompactionRecord) -> Restoration:
        """Return what comes back, from the session's log: so that a resume brings back the very same."""
        replay = read_open_log(self._core.log).replay
        if record.stubbed:
            return Restoration(0, replay.replaced(record.id) or ())
        found = replay.restoration(record.id)
        if found is None:
            raise KeyError("it is no longer in force there")
        return found


def _what_fills(reading: ContextReading) -> str:
    largest = sorted(reading.parts, key=lambda part: -part.tokens)[:3]
    shares = ", ".join(f"{part.name} {part.tokens:,}" for part in largest)
    return (
        f"The next request takes {reading.total:,} of {reading.window:,} tokens; hardly any of it can be summarised: "
        f"{shares}. A larger window, shorter memory files or a new session (/new) make room."
    )
