"""Compaction of what the model really receives: older turns give way to a summary, or nothing changes at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.cut import Cut, inner_cut, turn_cut
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.context.prompts.summary import ACKNOWLEDGEMENT, SUMMARY_MESSAGE
from codeagent_tui.context.summariser import Summariser, SummaryFailed
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.tokens import estimate_tokens

# Of the trigger, what may stay when the cut falls inside a turn: the rest is room to work in.
_INNER_TAIL_SHARE = 0.3
# One to three paragraphs are asked for: one short sentence, for pages of conversation, is rather a refusal.
_SHORT_SUMMARY = 25
_LONG_PREFIX = 10_000


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """What a compaction did. When `applied` is false the history is what it was, and `note` says why; when it is true,
    `note` says what is odd about the summary, if anything is.

    `replaced` messages gave way to `replacement`; the token counts are of the messages alone.
    """

    applied: bool
    tokens_before: int
    tokens_after: int
    note: str = ""
    replaced: int = 0
    replacement: tuple[Message, ...] = ()


class ConversationHistoryCompactor:
    """Summarises everything before the last `keep_turns` user turns in one go.

    When there are too few turns it keeps fewer, and in the end cuts inside the last turn between complete groups,
    restating its request. Failure, refusal, an empty or cut-off summary: skip; there is no retry.
    """

    def __init__(
        self, model: ChatModel, profile: ContextProfile, keep_turns: int = 3, *, budget: ContextBudget | None = None
    ) -> None:
        self._profile = profile
        self._keep_turns = keep_turns
        self._budget = budget or ContextBudget(profile)
        self._summariser = Summariser(model, input_tokens=max(512, profile.hard_ceiling - profile.safety_buffer))

    def plan(self, messages: Sequence[Message]) -> Cut | None:
        """Return where `messages` would be cut, or None when there is nothing to compact."""
        for keep in range(self._keep_turns, 0, -1):
            cut = turn_cut(messages, keep)
            if cut is None:
                continue
            kept = self._budget.messages_tokens(messages[cut.index :])
            if keep == 1 or kept < self._profile.history_trigger // 2:
                return self._inner(messages) or cut if kept >= self._profile.history_trigger // 2 else cut
        return self._inner(messages)

    def compressible(self, messages: Sequence[Message]) -> int:
        """Return the tokens of what a compaction of `messages` would replace; 0 when there is nothing."""
        cut = self.plan(messages)
        return 0 if cut is None else self._budget.messages_tokens(messages[: cut.index])

    def _inner(self, messages: Sequence[Message]) -> Cut | None:
        keep_tokens = int(self._profile.history_trigger * _INNER_TAIL_SHARE)
        return inner_cut(messages, self._budget.message_tokens, keep_tokens)

    async def compact(self, history: History, focus: str | None = None) -> CompactionResult:
        """Compact `history` in place, or leave it untouched and say why.

        What is appended while the summary is made stays. Cancelling changes nothing.
        """
        messages = history.messages
        before = self._budget.messages_tokens(messages)
        cut = self.plan(messages)
        if cut is None:
            return CompactionResult(False, before, before, "There is nothing to compact yet.")
        prefix = messages[: cut.index]
        try:
            summary = await self._summariser.summarise(prefix, focus)
        except SummaryFailed as error:
            return CompactionResult(False, before, before, f"{error} The history was left as it is.")
        replacement = _rebuilt(summary, cut)
        replaced = self._budget.messages_tokens(prefix)
        if replaced <= self._budget.messages_tokens(replacement):
            note = "The summary is no shorter than what it would replace. The history was left as it is."
            return CompactionResult(False, before, before, note)
        if not history.replace_prefix(prefix, replacement):
            note = "The history changed while it was summarised; it was left as it is."
            return CompactionResult(False, before, before, note)
        after = self._budget.messages_tokens(history.messages)
        return CompactionResult(True, before, after, _oddity(summary, replaced), len(prefix), replacement)


def _oddity(summary: str, replaced: int) -> str:
    tokens = estimate_tokens(summary)
    if replaced < _LONG_PREFIX or tokens >= _SHORT_SUMMARY:
        return ""
    return (
        f"The summary is suspiciously short: {tokens} tokens for {replaced:,}. What was said before is still in the "
        "session's file; say again what matters."
    )


def _rebuilt(summary: str, cut: Cut) -> tuple[Message, ...]:
    told = Message(Role.USER, SUMMARY_MESSAGE.format(summary=summary), kind=MessageKind.SUMMARY)
    heard = Message(Role.ASSISTANT, ACKNOWLEDGEMENT, kind=MessageKind.ACKNOWLEDGEMENT)
    return (told, heard) if cut.restated is None else (told, heard, cut.restated)
