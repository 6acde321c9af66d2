"""Exactly what the next request contains: system prompt by section, messages, tools, each with its tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from codeagent_tui.conversation.messages import Message
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.tokens import TokenEstimator, estimate_tokens
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.view import TextView
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session


def prompt_lines(
    request: ChatRequest, sections: Sequence[tuple[str, str]], estimate: TokenEstimator = estimate_tokens
) -> list[Piece]:
    """Return `request` whole. `sections` are the named parts whose texts its system prompt is made of."""
    lines: list[Piece] = [("This is what the model sees with your next message.", "muted")]
    for name, text in sections:
        lines += _headed(f"system · {name}", estimate(text), text)
    for message in request.messages:
        lines += _message(message, estimate)
    for tool in request.tools:
        lines += _tool(tool, estimate)
    return lines


def _headed(title: str, tokens: int, text: str) -> list[Piece]:
    return [("", "text"), (f"{title} · {short_count(tokens)} tokens", "title"), *lines_of(text)]


def _message(message: Message, estimate: TokenEstimator) -> list[Piece]:
    calls = "".join(f"\n→ {call.name} {call.arguments}" for call in message.tool_calls)
    kind = "" if message.kind == "normal" else f" · {message.kind}"
    text = f"{message.content}{calls}".strip("\n")
    return _headed(f"{message.role}{kind}", estimate(text), text)


def _tool(tool: ToolSpec, estimate: TokenEstimator) -> list[Piece]:
    schema = json.dumps(tool.parameters, ensure_ascii=False)
    return _headed(
        f"tool · {tool.name}", estimate(tool.name + tool.description + schema), f"{tool.description}\n{schema}"
    )


class PromptView(TextView):
    """Shows the next request."""

    TITLE: ClassVar[str] = "Prompt"

    async def gather(self, session: Session) -> Callable[[], list[Piece]]:
        """Take the request as it would be sent now."""
        request = await session.agent.next_request()
        sections = session.agent.core.prompt.sections
        return lambda: prompt_lines(request, sections)
