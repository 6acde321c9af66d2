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
from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS, Step, plan
from codeagent_tui.llm.offline_summary import is_summary_request, summarise
from codeagent_tui.llm.provider import CallPiece, ChatRequest, FinishPiece, StreamEvent, TextPiece, UsagePiece
from codeagent_tui.text import cut_characters
from codeagent_tui.tokens import estimate_tokens

WINDOW = 32_768
NOTE = "offline: no language model connected"
_PIECE = re.compile(r"\s*\S{1,24}|\s+")
_HAN = re.compile("[\u4e00-\u9fff]")
_MEMORY_HEADING = "## 相关长期记忆"
_QUOTED_LINES = 12


class OfflineModel:
    """A `ChatModel` without a model."""

    name = "offline"
    window: int | None = WINDOW

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer in small pieces; never fails."""
        text, call = _answer(request)
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
        return _helping(chinese=False), None
    asked = request.messages[start].content
    chinese = bool(_HAN.search(asked))
    if not request.tools and is_summary_request(asked):
        return summarise(asked), None
    steps = plan(asked)
    if steps is None:
        return _cannot(chinese), None
    results = [message for message in request.messages[start + 1 :] if message.role is Role.TOOL]
    return _next(steps, results, request, chinese)


def _next(
    steps: Sequence[Step], results: Sequence[Message], request: ChatRequest, chinese: bool
) -> tuple[str, Step | None]:
    said = ""
    done = len(results)
    if results:
        said = _told(results[-1], chinese)
        if results[-1].failed:
            return said + (
                "\n\n到此为止:这一步没有成功。" if chinese else "\n\nStopped here: that step did not succeed."
            ), None
    known = {tool.name for tool in request.tools}
    calls = 0
    for step in steps:
        if not step.tool:
            # An answer of its own costs no call: it is said when every call before it has its result.
            if calls == done:
                said += ("\n\n" if said else "") + _own(step, request, chinese)
            continue
        if calls == done:
            if step.tool not in known:
                return (
                    f"{said}\n\n{step.tool}: {'没有这个工具。' if chinese else 'there is no such tool here.'}".strip(),
                    None,
                )
            return said, step
        calls += 1
    return said, None


def _told(result: Message, chinese: bool) -> str:
    lines = result.content.strip().splitlines()
    shown = "\n".join(cut_characters(line, 200) for line in lines[:_QUOTED_LINES])
    more = len(lines) - _QUOTED_LINES
    if more > 0:
        shown += f"\n… {f'还有 {more} 行' if chinese else f'{more} more lines'}"
    # A fence longer than any in the text, so that the text cannot end it.
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _own(step: Step, request: ChatRequest, chinese: bool) -> str:
    if step.answer == "help":
        return _helping(chinese)
    _, heading, rest = request.system.partition(_MEMORY_HEADING)
    facts = [line for line in rest.splitlines() if line.startswith("- ")]
    if not heading or not facts:
        return "长期记忆里没有相关的内容。" if chinese else "Long-term memory holds nothing on that."
    opening = "长期记忆里有:" if chinese else "Long-term memory holds:"
    return "\n".join((opening, "", *facts))


def _helping(chinese: bool) -> str:
    forms = "\n".join(f"- `{zh if chinese else en}`" for en, zh in OFFLINE_REQUESTS)
    if chinese:
        return (
            f"离线模式({NOTE}):没有连接语言模型,只能照做这些简单的请求:\n\n{forms}\n\n"
            "连接模型:输入 `/model`,或设置 `OPENAI_API_KEY`、`OPENAI_BASE_URL` 和 `CODEAGENT_MODEL`。"
        )
    return (
        f"I am offline ({NOTE}): without one I follow only these plain requests:\n\n{forms}\n\n"
        "To connect a model: `/model`, or set `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `CODEAGENT_MODEL`."
    )


def _cannot(chinese: bool) -> str:
    opening = "这个请求需要语言模型才能回答。" if chinese else "That needs a language model to answer."
    return f"{opening}\n\n{_helping(chinese)}"
