"""Takes single messages out of the conversation because the user says so: they stay in their place, with less in them.

PAIR holds by itself that way, and the session's log can put each of them back as it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from codeagent_tui.context.stubs import stub_of
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall

_LONG_ARGUMENT = 400
"""Characters of a text argument that stay as they are."""
_LEFT_OUT = "[The user took this {what} out of the conversation. Go on without it.]"
_WHAT = {Role.USER: "message", Role.ASSISTANT: "answer", Role.TOOL: "result"}


class CannotTakeOut(Exception):
    """A message cannot be taken out; the message says why. Nothing was changed."""


def can_shorten(message: Message, call: ToolCall | None) -> bool:
    """Whether `shortened` makes `message` smaller; `call` is the one that it answers."""
    return shortened(message, call) is not message


def shortened(message: Message, call: ToolCall | None) -> Message:
    """Return `message` with a stub in the place of its result, or of long texts in its calls' arguments; the message
    itself when there is nothing of that kind in it."""
    if message.role is Role.TOOL:
        return stub_of(message, call) if call is not None else message
    calls = tuple(_with_short_arguments(one) for one in message.tool_calls)
    return message if calls == message.tool_calls else replace(message, tool_calls=calls)


def is_left_out(message: Message) -> bool:
    """Whether the user has taken `message` out whole."""
    return message.content == _LEFT_OUT.format(what=_WHAT[message.role])


def can_leave_out(message: Message) -> bool:
    """Whether it may be left out at all: not what a compaction put there, nor what was left out already."""
    made = message.kind in (MessageKind.SUMMARY, MessageKind.ACKNOWLEDGEMENT, MessageKind.REPAIR)
    said = bool(message.content) and not is_left_out(message)
    return not made and (said or can_shorten(message, None))


def taken_out(messages: Sequence[Message], message_id: str, *, whole: bool) -> Message:
    """Return the message `message_id` as it is to be from now on: with stubs in it, or (`whole`) without its text.

    Raises:
        CannotTakeOut: with the reason.
    """
    index = next((at for at, message in enumerate(messages) if message.id == message_id), None)
    if index is None:
        raise CannotTakeOut("It is no longer part of the conversation.")
    message = messages[index]
    answered = message.tool_call_id
    calls = (call for earlier in messages[:index] for call in earlier.tool_calls if call.id == answered)
    call = next(calls, None) if answered else None
    if not whole:
        short = shortened(message, call)
        if short is message:
            raise CannotTakeOut("Only tool results and long arguments of calls can be shortened; d takes it out whole.")
        return short
    if message.starts_turn and not any(later.starts_turn for later in messages[index + 1 :]):
        raise CannotTakeOut("Your newest message always stays. /rewind goes back to before it.")
    if not can_leave_out(message):
        summary = message.kind in (MessageKind.SUMMARY, MessageKind.ACKNOWLEDGEMENT)
        raise CannotTakeOut("/uncompact takes a summary back." if summary else "There is nothing in it to take out.")
    return replace(
        shortened(message, None), content=_LEFT_OUT.format(what=_WHAT[message.role]) if message.content else ""
    )


def _with_short_arguments(call: ToolCall) -> ToolCall:
    if len(call.arguments) <= _LONG_ARGUMENT:
        return call
    try:
        held: object = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return call
    if not isinstance(held, dict):
        return call
    short = {name: _short(value) for name, value in held.items()}
    return call if short == held else replace(call, arguments=json.dumps(short, ensure_ascii=False))


def _short(value: object) -> object:
    if isinstance(value, str) and len(value) > _LONG_ARGUMENT:
        return f"[Stub: {len(value):,} characters were taken out to make room; what the call did is done]"
    if isinstance(value, list):
        return [_short(item) for item in value]
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    return value
