"""The Prompt tab: exactly what the next request contains, section by section, each with its tokens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

from codeagent_tui.conversation.messages import Message, MessageKind
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.text import one_line
from codeagent_tui.tokens import estimate_tokens
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.question import question_of
from codeagent_tui.tui.inspector.section_tab import SectionTab
from codeagent_tui.tui.inspector.sections import Section
from codeagent_tui.tui.inspector.view import Subject

Count = Callable[[str], int]
"""Tokens of a text, as the gauge counts them."""


def prompt_sections(
    request: ChatRequest, parts: Sequence[tuple[str, str]], draft: str = "", count: Count = estimate_tokens
) -> list[Section]:
    """Return `request` whole, and the message that is only typed yet.

    `parts` are the named parts that its system prompt is made of, with a blank line between each two.
    """
    sections = [_section(f"system:{name}", f"system · {name}", text, count(text)) for name, text in parts]
    sections += [_message(message, count) for message in request.messages]
    if draft:
        sections.append(_section("draft", "user · your draft", draft, count(draft), note="not sent yet"))
    sections += [_tool(tool, count) for tool in request.tools]
    return sections


def _section(key: str, title: str, text: str, tokens: int, note: str = "") -> Section:
    return Section(key, title, text, f"{short_count(tokens):>5} tokens", note)


def _message(message: Message, count: Count) -> Section:
    calls = "".join(f"\n→ {call.name} {call.arguments}" for call in message.tool_calls)
    kind = "" if message.kind is MessageKind.NORMAL else f" · {message.kind}"
    tokens = count(message.content + "".join(call.name + call.arguments for call in message.tool_calls))
    return _section(f"message:{message.id}", f"{message.role}{kind}", f"{message.content}{calls}".strip("\n"), tokens)


def _tool(tool: ToolSpec, count: Count) -> Section:
    sent = tool.name + tool.description + json.dumps(tool.parameters)
    schema = json.dumps(tool.parameters, ensure_ascii=False, indent=1)
    title = f"tool · {one_line(tool.name)}"
    return _section(f"tool:{tool.name}", title, f"{tool.description}\n{schema}", count(sent))


class PromptView(SectionTab):
    """Shows the next request as it would be sent now."""

    async def load(self, subject: Subject) -> None:
        """Take the request, with the facts that fit the message."""
        agent = subject.session.agent
        question, is_draft = question_of(subject)
        request = await agent.next_request(question)
        parts, calibration = agent.core.prompt.sections, agent.core.budget.calibration
        reading = agent.reading()

        def make() -> list[Section]:
            return prompt_sections(
                request, parts, question if is_draft else "", lambda text: calibration.apply(estimate_tokens(text))
            )

        sections = await asyncio.to_thread(make)
        what = "the next request of this turn" if agent.busy else "your next message"
        counted = "as the provider counts" if reading.measured else "estimated"
        summary = f"What the model sees with {what}: {short_count(reading.total)} tokens, {counted}"
        await self.show_sections(sections, summary)
