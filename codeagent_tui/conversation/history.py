"""The list of messages that is really sent to the model, valid for a provider at every moment.

PAIR, the invariant: every tool result stands in the run of tool messages right after the assistant message that
made its call, in the order of the calls; every call has exactly one result; no assistant message has neither text
nor calls; call ids are unique in the whole list. A call whose result is not there yet already has a placeholder
result, so that a cancel, a crash or a resume at any point finds a list that a strict provider accepts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall, new_id, tool_result
from codeagent_tui.conversation.pairing import OUTCOME_UNKNOWN, pair_faults, repair


class PairError(ValueError):
    """A message was offered that would break PAIR."""


class History:
    """An append-only list of messages that keeps PAIR; the only other change is replacing a prefix of it."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        """Take over `messages` from anywhere, repaired where they break PAIR."""
        self._messages = repair(messages)
        self._call_ids = {call.id for message in self._messages for call in message.tool_calls}

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages as they stand; a valid request at any time."""
        return tuple(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def append(self, message: Message) -> Message:
        """Add `message` and return it as it was stored.

        An assistant message gets fresh ids for calls whose ids are taken, and a placeholder result for each call;
        one without text and calls is not stored at all. A tool result takes the place of its placeholder.

        Raises:
            PairError: for a tool result that answers no call of the last assistant message.
        """
        if message.role is Role.TOOL:
            return self._answer(message)
        if message.role is Role.ASSISTANT:
            if message.is_empty:
                return message
            message = self._with_fresh_ids(message)
        self._messages.append(message)
        for call in message.tool_calls:
            self._call_ids.add(call.id)
            self._messages.append(tool_result(call.id, OUTCOME_UNKNOWN, failed=True, kind=MessageKind.REPAIR))
        return message

    def _answer(self, message: Message) -> Message:
        for index in range(len(self._messages) - 1, -1, -1):
            held = self._messages[index]
            if held.role is not Role.TOOL:
                break
            if held.tool_call_id == message.tool_call_id:
                self._messages[index] = message
                return message
        raise PairError(f"No call of the last assistant message has the id {message.tool_call_id!r}.")

    def _with_fresh_ids(self, message: Message) -> Message:
        seen = set(self._call_ids)
        calls: list[ToolCall] = []
        for call in message.tool_calls:
            unique = call if call.id and call.id not in seen else replace(call, id=f"call_{new_id()}")
            seen.add(unique.id)
            calls.append(unique)
        return message if tuple(calls) == message.tool_calls else replace(message, tool_calls=tuple(calls))

    def open_calls(self) -> tuple[ToolCall, ...]:
        """Return the calls of the last assistant message that still have only a placeholder result."""
        unanswered = set()
        for message in reversed(self._messages):
            if message.role is Role.TOOL:
                if message.kind is MessageKind.REPAIR:
                    unanswered.add(message.tool_call_id)
                continue
            return tuple(call for call in message.tool_calls if call.id in unanswered)
        return ()

    def user_turn_starts(self) -> list[int]:
        """Return the indexes of the messages that the user said: the only places where the list may be cut."""
        return [index for index, message in enumerate(self._messages) if message.starts_turn]

    def check_pairs(self) -> list[str]:
        """Return what breaks PAIR, one sentence a fault; empty when the list is valid."""
        return pair_faults(self._messages)

    def replace_prefix(self, prefix: tuple[Message, ...], replacement: Iterable[Message]) -> bool:
        """Put `replacement` in the place of `prefix`, if the list still begins with exactly those messages.

        Returns whether it was done. Nothing changes when it was not, or when the result would break PAIR.
        """
        count = len(prefix)
        held = self._messages[:count]
        if len(held) != count or any(mine is not theirs for mine, theirs in zip(held, prefix, strict=True)):
            return False
        candidate = [*replacement, *self._messages[count:]]
        if pair_faults(candidate):
            return False
        self._messages = candidate
        # Ids that are out of sight stay taken: what was replaced may come back.
        self._call_ids |= {call.id for message in candidate for call in message.tool_calls}
        return True

    def replace_messages(self, changed: Iterable[Message]) -> bool:
        """Put each of `changed` in the place of the message that has its id.

        Returns whether it was done: nothing changes when one of them is not there or the result would break PAIR.
        """
        by_id = {message.id: message for message in changed}
        candidate = [by_id.pop(message.id, message) for message in self._messages]
        if by_id or pair_faults(candidate):
            return False
        self._messages = candidate
        return True

    def clear(self) -> None:
        """Forget everything."""
        self._messages.clear()
        self._call_ids.clear()
