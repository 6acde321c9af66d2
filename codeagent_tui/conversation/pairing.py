"""The PAIR invariant as pure functions: what breaks it, and how a list from anywhere is made to keep it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall, new_id, tool_result
from codeagent_tui.text import replace_surrogates

OUTCOME_UNKNOWN = (
    "[No result was recorded for this call. It may have run, wholly or in part: check what it would have changed "
    "before you repeat it.]"
)

_KEPT_OF_MALFORMED = 500


def is_object_text(arguments: str) -> bool:
    """Whether `arguments` is the text of a JSON object, which is all that strict servers accept."""
    try:
        return isinstance(json.loads(arguments, parse_constant=_no_json), dict)
    except (ValueError, RecursionError):
        return False


def _no_json(constant: str) -> float:
    # Python reads and writes NaN and Infinity; JSON has neither.
    raise ValueError(constant)


def healed_arguments(arguments: str) -> str:
    """Return `arguments` as they may be sent back: unchanged, or the start of what they were inside an object."""
    if is_object_text(arguments):
        return arguments
    return json.dumps({"malformed_arguments": replace_surrogates(arguments[:_KEPT_OF_MALFORMED])})


def pair_faults(messages: Sequence[Message]) -> list[str]:
    """Return what breaks PAIR in `messages`, one sentence a fault."""
    faults: list[str] = []
    seen: set[str] = set()
    awaited: list[str] = []
    for index, message in enumerate(messages):
        if message.role is Role.TOOL:
            if message.tool_call_id in awaited:
                awaited.remove(message.tool_call_id)
            else:
                faults.append(f"Message {index} answers {message.tool_call_id!r}, which is not awaited there.")
            continue
        faults += [f"The call {call_id!r} before message {index} has no result." for call_id in awaited]
        awaited = []
        if message.role is Role.ASSISTANT:
            if message.is_empty:
                faults.append(f"Message {index} is an assistant message without text and calls.")
            for call in message.tool_calls:
                if not call.id or call.id in seen:
                    faults.append(f"Message {index} has a missing or repeated call id {call.id!r}.")
                if not is_object_text(call.arguments):
                    faults.append(f"The arguments of call {call.id!r} are no JSON object.")
                seen.add(call.id)
                awaited.append(call.id)
    return faults + [f"The call {call_id!r} has no result." for call_id in awaited]


def repair(messages: Iterable[Message]) -> list[Message]:
    """Return `messages` as a list that keeps PAIR; the user's words are never touched. Idempotent.

    Results are moved to their calls from wherever they stand; missing ones get a result that says the outcome is
    unknown; results without a call and empty assistant messages are dropped; broken arguments become an object
    that holds them; repeated call ids are renamed together with their results, first come first served.
    """
    given = list(messages)
    results: dict[str, list[Message]] = {}
    for message in given:
        if message.role is Role.TOOL:
            results.setdefault(message.tool_call_id, []).append(message)
    repaired: list[Message] = []
    taken: set[str] = set()
    for message in given:
        if message.role is Role.TOOL or (message.role is Role.ASSISTANT and message.is_empty):
            continue
        if not message.tool_calls:
            repaired.append(message)
            continue
        calls: list[ToolCall] = []
        answers: list[Message] = []
        for call in message.tool_calls:
            healed = _healed(call, taken)
            taken.add(healed.id)
            calls.append(healed)
            answers.append(_result_for(call, healed, results))
        unchanged = tuple(calls) == message.tool_calls
        repaired.append(message if unchanged else replace(message, tool_calls=tuple(calls)))
        repaired += answers
    return repaired


def _healed(call: ToolCall, taken: set[str]) -> ToolCall:
    if not call.id or call.id in taken:
        call = replace(call, id=f"call_{new_id()}")
    return replace(call, arguments=healed_arguments(call.arguments))


def _result_for(call: ToolCall, healed: ToolCall, results: dict[str, list[Message]]) -> Message:
    found = results.get(call.id, [])
    if not found:
        return tool_result(healed.id, OUTCOME_UNKNOWN, failed=True, kind=MessageKind.REPAIR)
    # Several results for one id: a real one is worth more than one made up by an earlier repair.
    best = next((message for message in found if message.kind is not MessageKind.REPAIR), found[0])
    found.remove(best)
    return best if best.tool_call_id == healed.id else replace(best, tool_call_id=healed.id)
