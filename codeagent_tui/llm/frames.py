"""The frames of a chat completion stream → stream events, whatever is missing, null or elsewhere in them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.errors import error_from_frame
from codeagent_tui.llm.provider import (
    BadReply,
    CallPiece,
    FinishPiece,
    ReasoningPiece,
    ServerFailed,
    StreamEvent,
    TextPiece,
    UsagePiece,
)
from codeagent_tui.llm.sse import ServerEvent
from codeagent_tui.text import one_line

# Other words for OpenAI's `length`: Gemini, Mistral, Cohere and Anthropic behind gateways.
_LENGTH = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
# The server stopped because of a fault of its own: vLLM and SGLang, OpenRouter, DeepSeek.
_BROKEN = frozenset({"abort", "error", "insufficient_system_resource"})


def is_done(event: ServerEvent) -> bool:
    """Whether `event` is the mark after the last frame."""
    return event.data.strip() == "[DONE]"


def pieces_of_event(event: ServerEvent) -> Iterator[StreamEvent]:
    """Yield what one event of a stream holds.

    Raises:
        BadReply: when it is no JSON.
        ModelError: when it reports an error.
    """
    if is_done(event):
        yield FinishPiece("")
        return
    try:
        frame = json.loads(event.data)
    except (ValueError, RecursionError):
        if event.name == "error":
            raise error_from_frame(event.data) from None
        raise BadReply(f"The server sent a frame that is no JSON: {one_line(event.data[:1_000], 200)}") from None
    if event.name == "error":
        raise error_from_frame(frame)
    if isinstance(frame, dict):
        yield from pieces_of_frame(frame)


def pieces_of_frame(frame: dict[str, object]) -> Iterator[StreamEvent]:
    """Yield what one frame holds, or one whole completion, which has a `message` where a frame has a `delta`.

    Raises:
        ModelError: when it reports an error.
    """
    if frame.get("error") or frame.get("object") == "error":
        raise error_from_frame(frame.get("error") or frame)
    choices = frame.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    usage = frame.get("usage")
    if isinstance(choice, dict):
        if choice.get("error"):
            raise error_from_frame(choice["error"])
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from _pieces_of_delta(delta)
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish:
            yield _finish(finish)
        usage = usage or choice.get("usage")
    if isinstance(usage, dict):
        counted = _usage(usage)
        if counted.prompt_tokens or counted.completion_tokens:
            yield UsagePiece(counted)


def _finish(reason: str) -> FinishPiece:
    word = reason.lower()
    if word in _BROKEN:
        raise ServerFailed(f"The server broke off its answer ({word}).")
    return FinishPiece("length" if word in _LENGTH else reason)


def _pieces_of_delta(delta: dict[str, object]) -> Iterator[StreamEvent]:
    reasoning = delta.get("reasoning_content") or delta.get("reasoning")
    if isinstance(reasoning, str) and reasoning:
        yield ReasoningPiece(reasoning)
    content = delta.get("content") or delta.get("refusal")
    if isinstance(content, str):
        if content:
            yield TextPiece(content)
    elif isinstance(content, list):
        yield from _pieces_of_parts(content)
    calls = delta.get("tool_calls")
    if isinstance(calls, list):
        for call in calls:
            if isinstance(call, dict):
                yield _call_piece(call)
    elif isinstance(delta.get("function_call"), dict):
        # The form before `tool_calls`: one call, without an id.
        yield _call_piece({"index": 0, "function": delta["function_call"]})


def _pieces_of_parts(parts: list[object]) -> Iterator[StreamEvent]:
    """Read content that is a list of typed parts (Mistral's reasoning models)."""
    for part in parts:
        if not isinstance(part, dict):
            continue
        text, thinking = part.get("text"), part.get("thinking")
        if isinstance(text, str) and text:
            yield TextPiece(text)
        if isinstance(thinking, list):
            thinking = "".join(p["text"] for p in thinking if isinstance(p, dict) and isinstance(p.get("text"), str))
        if isinstance(thinking, str) and thinking:
            yield ReasoningPiece(thinking)


def _call_piece(call: dict[str, object]) -> CallPiece:
    function = call.get("function")
    named: dict[str, object] = function if isinstance(function, dict) else {}
    index, call_id, name, arguments = call.get("index"), call.get("id"), named.get("name"), named.get("arguments")
    return CallPiece(
        index=index if isinstance(index, int) else None,
        id=call_id if isinstance(call_id, str) and call_id else None,
        name=name if isinstance(name, str) and name else None,
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else None,
    )


def _usage(data: dict[str, object]) -> Usage:
    def number(source: object, key: str) -> int:
        value = source.get(key) if isinstance(source, dict) else None
        return int(value) if isinstance(value, int | float) and 0 <= value < 1e12 else 0

    # Cached tokens: OpenAI's place, then DeepSeek's, then Moonshot's.
    cached = number(data.get("prompt_tokens_details"), "cached_tokens")
    return Usage(
        prompt_tokens=number(data, "prompt_tokens"),
        completion_tokens=number(data, "completion_tokens"),
        cached_tokens=cached or number(data, "prompt_cache_hit_tokens") or number(data, "cached_tokens"),
        reasoning_tokens=number(data.get("completion_tokens_details"), "reasoning_tokens"),
    )
