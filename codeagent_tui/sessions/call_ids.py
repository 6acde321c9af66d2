"""Call ids made unique again when old messages come back beside newer ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from codeagent_tui.conversation.messages import Message


def with_other_call_ids(messages: Sequence[Message], beside: Iterable[Message]) -> list[Message]:
    """Return `messages` with those call ids renamed, calls and results alike, that `beside` has too.

    Servers that number their calls give the same id again once the first one is out of sight. The new name follows
    from the old one alone, so that a replay gives the same.
    """
    taken = {call.id for message in beside for call in message.tool_calls}
    own = {call.id for message in messages for call in message.tool_calls}
    if not taken & own:
        return list(messages)
    names = {call_id: _free_name(call_id, taken | own) for call_id in sorted(taken & own)}
    return [_renamed(message, names) for message in messages]


def _free_name(call_id: str, taken: set[str]) -> str:
    number = 2
    while f"{call_id}_{number}" in taken:
        number += 1
    return f"{call_id}_{number}"


def _renamed(message: Message, names: dict[str, str]) -> Message:
    if message.tool_call_id in names:
        return replace(message, tool_call_id=names[message.tool_call_id])
    if any(call.id in names for call in message.tool_calls):
        calls = tuple(replace(call, id=names.get(call.id, call.id)) for call in message.tool_calls)
        return replace(message, tool_calls=calls)
    return message
