"""A conversation as a Markdown document."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.text import replace_surrogates

_USER_TITLES = {MessageKind.SUMMARY: "Summary of earlier turns", MessageKind.RECALLED: "Recalled from memory"}


def conversation_as_markdown(messages: Iterable[Message]) -> str:
    """Return the whole conversation: what was said as it is, tool calls and their results in fences."""
    parts = ["# CodeAgent conversation"]
    for message in messages:
        parts += _parts(message)
    return replace_surrogates("\n\n".join(parts) + "\n")


def _parts(message: Message) -> Iterator[str]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(message.created))
    match message.role:
        case Role.USER:
            yield f"## {_USER_TITLES.get(message.kind, 'User')} · {when}"
            yield message.content
        case Role.ASSISTANT:
            if message.content.strip():
                yield f"## Assistant{' (interrupted)' if message.interrupted else ''} · {when}"
                yield message.content
            for call in message.tool_calls:
                yield f"**{call.name}**\n{_fenced(call.arguments, 'json')}"
        case Role.TOOL:
            yield f"Result{' (failed)' if message.failed else ''}:\n{_fenced(message.content)}"


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
