"""What the strictest providers refuse in a chat request, taken together in one place.

Each rule is some real service's: exactly one system message, first; a user message after it; the last word is the
user's or a tool's; every call answered exactly once and at once; ids unique; no content empty; arguments JSON objects;
tool schemas objects whose required properties exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LONGEST_ID = 64
_LONGEST_DESCRIPTION = 1_024


def fault_of(request: dict[str, Any]) -> str:
    """Return why the strictest provider would refuse `request`, or ""."""
    return next(_faults(request), "")


def _faults(request: dict[str, Any]) -> Iterator[str]:
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        yield "'messages' must be a non-empty array"
        return
    if not request.get("model"):
        yield "you must provide a model"
    limit = request.get("max_tokens", request.get("max_completion_tokens", 1))
    if not isinstance(limit, int) or limit < 1:
        yield "'max_tokens' must be at least 1"
    for number, message in enumerate(messages):
        yield from (f"messages[{number}]: {fault}" for fault in _content_faults(message))
    yield from _order_faults(messages)
    yield from _pair_faults(messages)
    yield from _tool_faults(request)


def _content_faults(message: dict[str, Any]) -> Iterator[str]:
    role, content = message.get("role"), message.get("content")
    if role not in ("system", "user", "assistant", "tool"):
        yield f"unknown role {role!r}"
    calls = message.get("tool_calls")
    if calls is not None and (role != "assistant" or not calls):
        yield "'tool_calls' must be a non-empty array of an assistant message"
    if content is None and role == "assistant" and calls:
        return
    if not isinstance(content, str) or not content.strip():
        yield f"the content of a {role} message must be a non-empty string"
    elif any("\ud800" <= char <= "\udfff" for char in content):
        yield "the content is no valid Unicode"


def _order_faults(messages: list[dict[str, Any]]) -> Iterator[str]:
    roles = [message.get("role") for message in messages]
    if roles[0] != "system" or roles.count("system") != 1:
        yield "there must be exactly one system message, at the beginning"
    if len(roles) < 2 or roles[1] != "user":
        yield "the first message after the system message must be from the user"
    if roles[-1] not in ("user", "tool"):
        yield f"the last message must be from the user or a tool, not from the {roles[-1]}"
    for number, (before, role) in enumerate(pairwise(roles), 1):
        if role == before == "assistant":
            yield f"messages[{number}]: two assistant messages in a row"


def _pair_faults(messages: list[dict[str, Any]]) -> Iterator[str]:
    awaited: set[str] = set()
    seen: set[str] = set()
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            answered = message.get("tool_call_id")
            if answered not in awaited:
                yield f"messages[{number}]: the tool result {answered!r} answers no call of the message before"
            awaited.discard(str(answered))
            continue
        if awaited:
            yield f"messages[{number}]: the calls {sorted(awaited)} have no results before it"
            awaited = set()
        for call in message.get("tool_calls") or ():
            yield from (f"messages[{number}]: {fault}" for fault in _call_faults(call, seen))
            seen.add(str(call.get("id")))
            awaited.add(str(call.get("id")))
    if awaited:
        yield f"the calls {sorted(awaited)} have no results"


def _call_faults(call: dict[str, Any], seen: set[str]) -> Iterator[str]:
    call_id, function = call.get("id"), call.get("function") or {}
    if not isinstance(call_id, str) or not 0 < len(call_id) <= _LONGEST_ID:
        yield f"the id {call_id!r} of a call must be a string of 1 to {_LONGEST_ID} characters"
    elif call_id in seen:
        yield f"the call id {call_id!r} is used twice"
    if call.get("type") != "function" or not _NAME.fullmatch(str(function.get("name", ""))):
        yield f"the function name {function.get('name')!r} is not valid"
    try:
        good = isinstance(json.loads(function["arguments"]), dict)
    except (ValueError, KeyError, TypeError):
        good = False
    if not good:
        yield f"the arguments of {call_id!r} are no JSON object"


def _tool_faults(request: dict[str, Any]) -> Iterator[str]:
    tools = request.get("tools")
    if tools is None:
        if "tool_choice" in request:
            yield "'tool_choice' is only allowed with 'tools'"
        return
    if not tools:
        yield "'tools' must not be empty"
    names = [str(tool.get("function", {}).get("name", "")) for tool in tools]
    if len(set(names)) != len(names):
        yield "the names of the tools must be unique"
    for tool, name in zip(tools, names, strict=True):
        function = tool.get("function", {})
        if tool.get("type") != "function" or not _NAME.fullmatch(name):
            yield f"the tool name {name!r} is not valid"
        if len(function.get("description", "")) > _LONGEST_DESCRIPTION:
            yield f"the description of {name} is too long"
        yield from (f"schema of {name}: {fault}" for fault in _schema_faults(function.get("parameters")))


def _schema_faults(schema: object) -> Iterator[str]:
    if not isinstance(schema, dict) or schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        yield "it must be an object with properties"
        return
    missing = set(schema.get("required", ())) - set(schema["properties"])
    if missing:
        yield f"required but not described: {sorted(missing)}"
    text = json.dumps(schema)
    for reference in re.findall(r'"\$ref": "([^"]*)"', text):
        if reference.removeprefix("#/$defs/") not in schema.get("$defs", {}):
            yield f"{reference} leads nowhere"
