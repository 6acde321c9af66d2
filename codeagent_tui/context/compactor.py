"""Compaction of what the model really receives: older turns give way to a summary and a ledger, or nothing changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.calls import answered_calls
from codeagent_tui.context.cut import Cut, inner_cut, turn_cut
from codeagent_tui.context.ledger import ledger_of
from codeagent_tui.context.ledger_entries import Ledger
from codeagent_tui.context.ledger_fitting import fitted
from codeagent_tui.context.ledger_text import render, without_ledger_marks
from codeagent_tui.context.outcome import CompactionResult, NotCompacted, PreparedCompaction
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.context.prompts.summary import ACKNOWLEDGEMENT, MISSING, NO_SUMMARY, SUMMARY_MESSAGE
from codeagent_tui.context.record import CompactionRecord, Coverage
from codeagent_tui.context.stubs import stub_of
from codeagent_tui.context.summariser import Summariser
from codeagent_tui.context.verification import verify
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.llm.summary import SummaryFailed
from codeagent_tui.tokens import estimate_tokens

# Of the room that the history has, what may stay when the cut falls inside a turn: the rest is room to work in.
_INNER_TAIL_SHARE = 0.3
_TAIL_SHARE = 0.5
"""Of the room, what the turns that stay may take; more, and the compaction would soon be due again."""
_LEDGER_SHARE = 0.25
_MOST_LEDGER_TOKENS = 12_000
_MOST_OUTPUT_TOKENS = 8_192
# One to three paragraphs are asked for: one short sentence, for pages of conversation, is rather a refusal.
_SHORT_SUMMARY = 25
_LONG_PREFIX = 10_000
_GOOD_COVERAGE = 0.5
_LEAST_TO_CHECK = 4
_MORE_TURNS = 2
_LEAST_STUBBED_TOKENS = 200
_UNTOUCHED_GROUPS = 2
"""The newest groups of calls and results, which the model is working with, are not made stubs."""


@dataclass(frozen=True, slots=True)
class _Draft:
    cut: Cut
    summary: str
    ledger: str
    """As text, bounded."""
    coverage: Coverage


class ConversationHistoryCompactor:
    """Summarises everything before the last `keep_turns` user turns in one go.

    When there are too few turns it keeps fewer, and in the end cuts inside the last turn between complete groups,
    restating its request. What can be known without a model is attached as a ledger, and the summary is checked
    against it: one that misses most of it is made once more, with more turns kept. Failure, refusal, an empty or
    cut-off summary: skip.
    """

    def __init__(
        self,
        model: ChatModel,
        profile: ContextProfile,
        keep_turns: int = 3,
        *,
        budget: ContextBudget | None = None,
        window: int | None = None,
        fixed_tokens: int = 0,
        with_ledger: bool = True,
    ) -> None:
        """`model` summarises; `window` is its own, where it is not that of `profile`. `fixed_tokens` is what every
        request holds beside the messages. Without a ledger nothing but the model's words is kept (for measuring)."""
        self._profile = profile
        self._keep_turns = keep_turns
        self._budget = budget or ContextBudget(profile)
        self._model = model
        self._with_ledger = with_ledger
        self._room = max(profile.history_trigger - fixed_tokens, profile.history_trigger // 4)
        own = profile if window is None else ContextProfile.for_window(min(window, profile.window))
        output = min(_MOST_OUTPUT_TOKENS, own.summary_reserve)
        self._limits = (own.window - output - own.safety_buffer, output)

    def plan(self, messages: Sequence[Message], keep_turns: int | None = None) -> Cut | None:
        """Return where `messages` would be cut, or None when there is nothing to compact."""
        for keep in range(keep_turns or self._keep_turns, 0, -1):
            cut = turn_cut(messages, keep)
            if cut is None:
                continue
            fits = self._cost(messages[cut.index :]) < self._room * _TAIL_SHARE
            if keep == 1 or fits:
                return cut if fits else self._inner(messages) or cut
        return self._inner(messages)

    def compressible(self, messages: Sequence[Message]) -> int:
        """Return the tokens of what a compaction of `messages` would replace; 0 when there is nothing."""
        cut = self.plan(messages)
        return 0 if cut is None else self._cost(messages[: cut.index])

    def keeps_whole_turns(self, messages: Sequence[Message]) -> bool:
        """Whether the usual cut, with `keep_turns` turns kept, makes enough room."""
        cut = turn_cut(messages, self._keep_turns)
        return cut is not None and self._cost(messages[cut.index :]) < self._room * _TAIL_SHARE

    def _inner(self, messages: Sequence[Message]) -> Cut | None:
        return inner_cut(messages, lambda message: self._cost((message,)), int(self._room * _INNER_TAIL_SHARE))

    def _cost(self, messages: Sequence[Message]) -> int:
        return self._budget.calibration.apply(self._budget.messages_tokens(messages))

    def stubs(self, messages: Sequence[Message], *, at_any_rate: bool = False) -> tuple[Message, ...]:
        """Return stubs for the oldest large tool results, as many as bring `messages` down to half the room.

        None when that cannot be reached, unless `at_any_rate`: then all that there can be, the newest included.
        """
        groups = [index for index, message in enumerate(messages) if message.tool_calls]
        newest = groups[-_UNTOUCHED_GROUPS] if len(groups) >= _UNTOUCHED_GROUPS else 0
        touchable = messages if at_any_rate else messages[:newest]
        left = self._cost(messages)
        found: list[Message] = []
        for done in answered_calls(touchable):
            if left <= self._room * _TAIL_SHARE:
                break
            cost = self._cost((done.result,))
            stub = stub_of(done.result, done.call)
            if cost >= _LEAST_STUBBED_TOKENS and stub is not done.result:
                found.append(stub)
                left -= cost - self._cost((stub,))
        return tuple(found) if at_any_rate or left <= self._room * _TAIL_SHARE else ()

    async def prepare(
        self,
        messages: Sequence[Message],
        focus: str | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> PreparedCompaction:
        """Make everything that a compaction of `messages` needs; nothing is changed by it.

        Raises:
            NotCompacted: when there is nothing to compact, no usable summary, or no gain.
        """
        began = time.monotonic()
        cut = self.plan(messages)
        if cut is None:
            raise NotCompacted("There is nothing to compact yet.")
        input_tokens, output_tokens = self._limits
        summariser = Summariser(
            self._model,
            # Calibrated the other way round: the pieces are measured by the bare estimate.
            input_tokens=int(input_tokens / max(1.0, self._budget.calibration.factor)),
            output_tokens=output_tokens,
            estimate=self._budget.estimator,
        )
        try:
            draft = await self._draft(summariser, messages, cut, focus, progress)
            draft = await self._second_try(summariser, messages, draft, progress)
        except SummaryFailed as error:
            raise NotCompacted(f"{error} The history was left as it is.") from error
        return self._built(messages, draft, focus, summariser.calls, time.monotonic() - began)

    async def _draft(
        self,
        summariser: Summariser,
        messages: Sequence[Message],
        cut: Cut,
        focus: str | None,
        progress: Callable[[int, int], None],
    ) -> _Draft:
        prefix = messages[: cut.index]
        summary = await summariser.summarise(prefix, focus, progress)
        # In a thread: with thousands of messages it takes longer than the screen may stand still.
        return await asyncio.to_thread(self._checked, cut, prefix, summary)

    def _checked(self, cut: Cut, prefix: Sequence[Message], summary: str) -> _Draft:
        ledger = ledger_of(prefix, without=cut.restated)
        return _Draft(cut, summary, self._ledger_text(ledger), verify(summary, ledger))

    async def _second_try(
        self,
        summariser: Summariser,
        messages: Sequence[Message],
        first: _Draft,
        progress: Callable[[int, int], None],
    ) -> _Draft:
        """Return a better draft with more turns kept, when the first one misses most of what must be kept."""
        if first.coverage.total < _LEAST_TO_CHECK or first.coverage.share >= _GOOD_COVERAGE:
            return first
        cut = first.cut
        if cut.restated is None:
            careful = self.plan(messages, self._keep_turns + _MORE_TURNS)
            if careful is not None and self._cost(messages[: careful.index]) >= self._cost(messages[: cut.index]) // 2:
                cut = careful
        focus = MISSING.format(missing="; ".join(first.coverage.missing[:12]))
        try:
            second = await self._draft(summariser, messages, cut, focus, progress)
        except SummaryFailed:
            return first
        return second if second.coverage.share > first.coverage.share else first

    def _built(
        self, messages: Sequence[Message], draft: _Draft, focus: str | None, calls: int, seconds: float
    ) -> PreparedCompaction:
        prefix = tuple(messages[: draft.cut.index])
        replaced = self._cost(prefix)
        replacement = _rebuilt(draft.summary, draft.ledger, draft.cut)
        if replaced <= self._cost(replacement):
            raise NotCompacted("The summary is no shorter than what it would replace. The history was left as it is.")
        record = CompactionRecord(
            tokens_before=replaced,
            tokens_after=self._cost(replacement),
            replaced=len(prefix),
            replacement=len(replacement),
            summary_id=replacement[0].id,
            duration=seconds,
            calls=calls,
            coverage=draft.coverage,
            summary=draft.summary,
            ledger=draft.ledger,
            focus=focus or "",
            model=self._model.name,
            note=_oddity(draft.summary, replaced),
        )
        return PreparedCompaction(prefix, replacement, record)

    def without_summary(self, messages: Sequence[Message]) -> PreparedCompaction:
        """Return a compaction that keeps only the ledger of what goes: for when no summary can be had and the request
        would not fit the window.

        Raises:
            NotCompacted: when there is nothing that could go.
        """
        cut = self.plan(messages)
        if cut is None:
            raise NotCompacted("There is nothing to compact yet.")
        ledger = ledger_of(messages[: cut.index], without=cut.restated)
        draft = _Draft(cut, NO_SUMMARY.format(count=cut.index), self._ledger_text(ledger), Coverage())
        prepared = self._built(messages, draft, None, 0, 0.0)
        return replace(prepared, record=replace(prepared.record, way="dropped", summary="", note=""))

    def _ledger_text(self, ledger: Ledger) -> str:
        if not self._with_ledger:
            return ""
        most = min(_MOST_LEDGER_TOKENS, int(self._room * _LEDGER_SHARE))
        return render(fitted(ledger, most, self._budget.estimator))

    def apply(self, history: History, prepared: PreparedCompaction) -> CompactionResult:
        """Put `prepared` in its place, if `history` still begins with what it was made of."""
        before = self._cost(history.messages)
        if not history.replace_prefix(prepared.prefix, prepared.replacement):
            note = "The history changed while it was summarised; it was left as it is."
            return CompactionResult(False, before, before, note)
        after = self._cost(history.messages)
        return CompactionResult(
            True,
            before,
            after,
            prepared.record.note,
            len(prepared.prefix),
            prepared.replacement,
            prepared.prefix,
            prepared.record,
        )

    async def compact(self, history: History, focus: str | None = None) -> CompactionResult:
        """Compact `history` in place, or leave it untouched and say why.

        What is appended while the summary is made stays. Cancelling changes nothing.
        """
        try:
            return self.apply(history, await self.prepare(history.messages, focus))
        except NotCompacted as why:
            tokens = self._cost(history.messages)
            return CompactionResult(False, tokens, tokens, str(why))


def _oddity(summary: str, replaced: int) -> str:
    tokens = estimate_tokens(summary)
    if replaced < _LONG_PREFIX or tokens >= _SHORT_SUMMARY:
        return ""
    return f"The summary is suspiciously short: {tokens} tokens for {replaced:,}. /uncompact takes the compaction back."


def _rebuilt(summary: str, ledger: str, cut: Cut) -> tuple[Message, ...]:
    text = SUMMARY_MESSAGE.format(summary=without_ledger_marks(summary))
    told = Message(Role.USER, f"{text}\n\n{ledger}" if ledger else text, kind=MessageKind.SUMMARY)
    heard = Message(Role.ASSISTANT, ACKNOWLEDGEMENT, kind=MessageKind.ACKNOWLEDGEMENT)
    return (told, heard) if cut.restated is None else (told, heard, cut.restated)
