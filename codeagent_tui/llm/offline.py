"""The embedded default: no network, no key, no language model, and honest about it.

It goes through the same protocol as a real model and really uses the tools: it follows the plain requests of
`offline_requests.OFFLINE_REQUESTS`, in English and Chinese, step by step, and says so when it cannot. When a
compactor asks for a summary it takes one from the text. It keeps no state: where it stands in a plan it reads from the
messages, so that the same request always gets the same answer.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence

from codeagent_tui.conversation.messages import Message, Role, Usage
from codeagent_tui.llm.offline_plan import is_chinese, plan
from codeagent_tui.llm.offline_requests import Step
from codeagent_tui.llm.offline_summary import is_summary_request, summarise
from codeagent_tui.llm.offline_words import CHINESE, ENGLISH, NOTE, Words
from codeagent_tui.llm.provider import CallPiece, ChatRequest, FinishPiece, StreamEvent, TextPiece, UsagePiece
from codeagent_tui.text import cut_characters
from codeagent_tui.tokens import estimate_tokens

__all__ = ["NOTE", "OfflineModel"]

WINDOW = 32_768
"""Small enough that a short try shows every memory feature at work."""
_PIECE = re.compile(r"\s*\S{1,24}|\s+")
_MEMORY_HEADING = "## 相关长期记忆"
_QUOTED_LINES = 12
_QUOTED_CHARACTERS = 200


class OfflineModel:
    """A `ChatModel` without a model."""

    name = "offline"
    window: int | None = WINDOW

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer in small pieces; never fails."""
        # Off the loop: a summary reads through everything that was said.
        text, call = await asyncio.to_thread(_answer, request)
        for piece in _PIECE.findall(text):
            # A turn of the loop between two pieces, so that the screen shows them as they come.
            await asyncio.sleep(0)
            yield TextPiece(piece)
        if call is not None and call.arguments is not None:
            number = sum(message.role is Role.TOOL for message in request.messages)
            yield CallPiece(0, f"offline_{number}", call.tool, json.dumps(dict(call.arguments), ensure_ascii=False))
        yield UsagePiece(Usage(_cost(request), estimate_tokens(text)))
        yield FinishPiece("tool_calls" if call else "stop")


def _cost(request: ChatRequest) -> int:
    tools = "".join(tool.name + tool.description + json.dumps(tool.parameters) for tool in request.tools)
    said = "".join(m.content + "".join(c.name + c.arguments for c in m.tool_calls) for m in request.messages)
    return estimate_tokens(request.system + tools + said)


def _answer(request: ChatRequest) -> tuple[str, Step | None]:
    """Return what to say, and the call to make, if one is next."""
    start = max((i for i, m in enumerate(request.messages) if m.starts_turn), default=-1)
    if start < 0:
        return ENGLISH.help(), None
    asked = request.messages[start].content
    if not request.tools and is_summary_request(asked):
        return summarise(asked), None
    words = CHINESE if is_chinese(asked) else ENGLISH
    steps = plan(asked)
    if steps is None:
        return words.refusal(), None
    results = [message for message in request.messages[start + 1 :] if message.role is Role.TOOL]
    return _next(steps, results, request, words)


def _next(
    steps: Sequence[Step], results: Sequence[Message], request: ChatRequest, words: Words
) -> tuple[str, Step | None]:
    """Say how the last call went, and find the step that comes after it."""
    said = [_told(results[-1], words)] if results else []
    if results and results[-1].failed:
        return "\n\n".join((*said, words.stopped)), None
    known = {tool.name for tool in request.tools}
    calls = 0
    for step in steps:
        if not step.tool:
            # An answer of its own costs no call: it is said when every call before it has its result.
            if calls == len(results):
                said.append(_own(step, request, words))
            continue
        if calls == len(results):
            if step.tool not in known:
                return "\n\n".join((*said, words.no_tool.format(tool=step.tool))), None
            return "\n\n".join(said), step
        calls += 1
    if calls > 1:
        said.append(words.done.format(count=calls))
    return "\n\n".join(said), None


def _told(result: Message, words: Words) -> str:
    """Quote the first lines of a result."""
    lines = result.content.strip().splitlines()
    shown = "\n".join(cut_characters(line, _QUOTED_CHARACTERS) for line in lines[:_QUOTED_LINES])
    if len(lines) > _QUOTED_LINES:
        shown += f"\n… {words.more_lines.format(count=len(lines) - _QUOTED_LINES)}"
    # A fence longer than any in the text, so that the text cannot end it.
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{fence}\n{shown}\n{fence}"


def _own(step: Step, request: ChatRequest, words: Words) -> str:
    if step.answer == "help":
        return words.help()
    # The section is the last of the prompt; before it a file's text may hold the same heading.
    _, heading, section = request.system.rpartition(_MEMORY_HEADING)
    facts = [line for line in section.splitlines() if line.startswith("- ")] if heading else []
    return "\n".join((words.recalled, "", *facts)) if facts else words.nothing_recalled
