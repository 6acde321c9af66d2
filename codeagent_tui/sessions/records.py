"""What a line of a session log says, as data and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, fields

from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall
from codeagent_tui.text import replace_surrogates

VERSION = 2
"""1 had messages, replacements and titles only, and no mark of an orderly end."""


class BadRecord(ValueError):
    """A line that is no record of this version; the message says why."""


def message_to_json(message: Message) -> dict[str, object]:
    """Return `message` as JSON data; what has its default value is left out."""
    data = asdict(message)
    defaults = {field.name: field.default for field in fields(Message)}
    kept = {key: value for key, value in data.items() if key == "role" or value != defaults.get(key)}
    if "tool_calls" in kept:
        kept["tool_calls"] = [asdict(call) for call in message.tool_calls]
    return kept


def message_from_json(data: object) -> Message:
    """Return the message that `data` holds; unknown fields of later versions are ignored.

    Raises:
        BadRecord: when it is no message.
    """
    if not isinstance(data, dict):
        raise BadRecord("A message is no object.")
    try:
        calls = tuple(ToolCall(str(c["id"]), str(c["name"]), str(c["arguments"])) for c in data.get("tool_calls", ()))
        return Message(
            role=Role(data["role"]),
            content=str(data.get("content", "")),
            tool_calls=calls,
            tool_call_id=str(data.get("tool_call_id", "")),
            reasoning=str(data.get("reasoning", "")),
            kind=MessageKind(data.get("kind", MessageKind.NORMAL)),
            failed=bool(data.get("failed", False)),
            interrupted=bool(data.get("interrupted", False)),
            decision=str(data.get("decision", "")),
            id=str(data["id"]),
            created=float(data["created"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"A message is damaged: {error!r}.") from None


def encode(record: dict[str, object]) -> bytes:
    """Return `record` as one line of JSON, newline included; lone surrogates become replacement marks."""
    return replace_surrogates(json.dumps(record, ensure_ascii=False, separators=(",", ":"))).encode() + b"\n"


def decode(line: bytes) -> dict[str, object]:
    """Return the record on `line`.

    Raises:
        BadRecord: when it is no JSON object.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRecord("A line is no JSON.") from None
    if not isinstance(record, dict):
        raise BadRecord("A line is no JSON object.")
    return record
