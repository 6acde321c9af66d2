"""Tool calls together with their results, as a history holds them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """A call and the one result that it has."""

    call: ToolCall
    result: Message

    @property
    def arguments(self) -> dict[str, object]:
        """The call's arguments; empty when they are no JSON object."""
        try:
            parsed: object = json.loads(self.call.arguments)
        except (ValueError, RecursionError):
            return {}
        return parsed if isinstance(parsed, dict) else {}

    def argument(self, name: str) -> str:
        """Return a text argument, "" when it is not there or no text."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""

    @property
    def ran(self) -> bool:
        """Whether it ran to an end that is not a failure."""
        return not self.result.failed and self.result.kind is not MessageKind.REPAIR


def answered_calls(messages: Sequence[Message]) -> Iterator[AnsweredCall]:
    """Yield the calls in `messages` whose results are there too, in the order of the results."""
    known: dict[str, ToolCall] = {}
    for message in messages:
        for call in message.tool_calls:
            known[call.id] = call
        if message.role is Role.TOOL and message.tool_call_id in known:
            yield AnsweredCall(known[message.tool_call_id], message)
