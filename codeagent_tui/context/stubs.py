"""Stubs: what is left of a large tool result in the history, and how to get the rest again."""

from __future__ import annotations

import json
from dataclasses import replace

from codeagent_tui.conversation.messages import Message, Role, ToolCall
from codeagent_tui.text import cut_characters, one_line

_MARK = "[Stub: "
_TAKEN_OUT = " was taken out to make room ("
_BEGAN = "It began: "
_SHOWN_ARGUMENTS = 200
_SHOWN_RESULT = 160
_AGAIN = {
    "read_file": "read the file again if you need it",
    "list_directory": "list it again if you need it",
    "find_files": "search again if you need it",
    "search_code": "search again if you need it",
    "web_fetch": "fetch it again if you need it",
    "run_command": "run it again only if that is harmless and you need its output",
}
_ELSE = "what it did is done; call it again only if you need the output"


def is_stub(message: Message) -> bool:
    """Whether `message` is a stub already."""
    return message.role is Role.TOOL and message.content.startswith(_MARK)


def stub_of(result: Message, call: ToolCall) -> Message:
    """Return the tool result `result` of `call` as a stub: the same message but for its text.

    It names the tool, its arguments, how large the result was and how it began. A stub of a stub, or of a result
    that is no longer than its stub would be, is the result itself.
    """
    if result.role is not Role.TOOL or is_stub(result):
        return result
    lines = result.content.count("\n") + 1
    again = _AGAIN.get(call.name, _ELSE)
    began = one_line(result.content, _SHOWN_RESULT)
    text = f"{_head(call)}{len(result.content):,} characters, {lines:,} lines); {again}. {_BEGAN}{began}]"
    return result if len(text) >= len(result.content) else replace(result, content=text)


def beginning_of(result: Message, call: ToolCall) -> str:
    """Return how the result of `call` begins, also where `result` is only a stub of it (then one line, shortened)."""
    if not is_stub(result):
        return result.content
    # After the head, where the arguments stand that the model chose: they cannot say how the result began. Where they
    # were shortened since, it is what comes after the first such words.
    head = _head(call)
    known = result.content.startswith(head)
    rest = result.content[len(head) :] if known else result.content.partition(_TAKEN_OUT)[2]
    return rest.partition(_BEGAN)[2].removesuffix("]")


def _head(call: ToolCall) -> str:
    return f"{_MARK}the result of {call.name} {_shown_arguments(call)}{_TAKEN_OUT}"


def _shown_arguments(call: ToolCall) -> str:
    try:
        held: object = json.loads(call.arguments)
    except (ValueError, RecursionError):
        held = None
    if not isinstance(held, dict):
        return one_line(call.arguments, _SHOWN_ARGUMENTS)
    shown = {name: cut_characters(value, 80) if isinstance(value, str) else value for name, value in held.items()}
    return one_line(json.dumps(shown, ensure_ascii=False), _SHOWN_ARGUMENTS)
