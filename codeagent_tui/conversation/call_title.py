"""What a tool call is about, in one line, read from its arguments."""

from __future__ import annotations

import json

from codeagent_tui.conversation.messages import ToolCall
from codeagent_tui.text import one_line

_TELLING = ("path", "command", "pattern", "query", "url", "fact")
"""Arguments that say what a call is about, the most telling first."""
_LONGEST = 200


def title_of(call: ToolCall) -> str:
    """Return one line that says what a call is about."""
    arguments = arguments_of(call)
    telling = next((arguments[name] for name in _TELLING if isinstance(arguments.get(name), str)), "")
    if call.name == "run_command" and telling:
        return one_line(f"$ {telling}", _LONGEST)
    return one_line(f"{call.name} {telling}", _LONGEST)


def arguments_of(call: ToolCall) -> dict[str, object]:
    """Return the arguments of `call`; none when they are no JSON object."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}
