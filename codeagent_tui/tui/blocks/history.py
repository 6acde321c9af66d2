"""A history as blocks, made without looking into the texts: ten thousand messages are there at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeagent_tui.conversation.call_title import title_of
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall
from codeagent_tui.text import one_line
from codeagent_tui.tui.blocks.answer import AnswerBlock
from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.reasoning import ReasoningBlock
from codeagent_tui.tui.blocks.tool import ToolBlock
from codeagent_tui.tui.blocks.user import UserBlock


def blocks_of(messages: Iterable[Message]) -> Iterator[Block]:
    """Yield the blocks that show `messages`."""
    messages = list(messages)
    results = {message.tool_call_id: message for message in messages if message.role is Role.TOOL}
    for message in messages:
        if message.kind is MessageKind.SUMMARY:
            yield ReasoningBlock(message.content, what="earlier turns, summarised")
        elif message.kind is MessageKind.RECALLED:
            yield ReasoningBlock(message.content, what="recalled from memory")
        elif message.role is Role.USER:
            yield UserBlock(message.content)
        elif message.role is Role.ASSISTANT and message.kind is not MessageKind.ACKNOWLEDGEMENT:
            if message.reasoning.strip():
                yield ReasoningBlock(message.reasoning)
            if message.content.strip():
                yield AnswerBlock(message.content, interrupted=message.interrupted)
            for call in message.tool_calls:
                yield _tool_block(call, results.get(call.id))


def _tool_block(call: ToolCall, result: Message | None) -> ToolBlock:
    block = ToolBlock(call.id, call.name, title_of(call))
    if result is None:
        block.finish(ok=False, summary="not run", output="", diff="")
        return block
    summary = ""
    if result.kind is MessageKind.REPAIR:
        summary = "not run"
    elif result.failed:
        summary = one_line(result.content[:400], 80)
    block.finish(ok=not result.failed, summary=summary, output=result.content, diff="")
    return block
