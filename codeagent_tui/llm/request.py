"""A request as an OpenAI-compatible server wants it. Made only at the call's edge."""

from __future__ import annotations

import re

from codeagent_tui.conversation.messages import Message, Role
from codeagent_tui.conversation.pairing import healed_arguments
from codeagent_tui.llm.provider import ChatRequest, JsonValue
from codeagent_tui.text import replace_surrogates

_LONGEST_NAME = 64
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def payload(model: str, request: ChatRequest, max_output_tokens: int | None = None) -> dict[str, JsonValue]:
    """Return the JSON body of a streamed chat completion; the same bytes for the same request.

    The system message is first and alone. Empty assistant messages and broken arguments do not pass, as a last line
    of defence: strict servers refuse every later request over one. Reasoning is not sent back.
    """
    messages: list[JsonValue] = [{"role": "system", "content": replace_surrogates(request.system)}]
    messages += [_message(message) for message in request.messages if not _unsendable(message)]
    body: dict[str, JsonValue] = {"model": model, "messages": messages, "stream": True}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": replace_surrogates(tool.description),
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    limit = request.max_output_tokens or max_output_tokens
    if limit:
        body["max_tokens"] = limit
    return body


def _unsendable(message: Message) -> bool:
    return message.role is Role.ASSISTANT and message.is_empty


def _message(message: Message) -> dict[str, JsonValue]:
    content = replace_surrogates(message.content)
    if message.role is Role.TOOL:
        return {"role": "tool", "tool_call_id": replace_surrogates(message.tool_call_id), "content": content}
    if not message.tool_calls:
        return {"role": message.role.value, "content": content}
    calls: list[JsonValue] = [
        {
            "id": replace_surrogates(call.id),
            "type": "function",
            "function": {
                "name": _sendable_name(call.name),
                "arguments": replace_surrogates(healed_arguments(call.arguments)),
            },
        }
        for call in message.tool_calls
    ]
    return {"role": message.role.value, "content": content or None, "tool_calls": calls}


def _sendable_name(name: str) -> str:
    """Return a function's name as OpenAI accepts it in a history: a model without such rules may have made it up."""
    return _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME] or "unnamed"
