"""Summaries: what counts as one, and how much is asked for at a time."""

from __future__ import annotations

import pytest

from codeagent_tui.context.summariser import Summariser
from codeagent_tui.conversation.messages import Message, ToolCall, assistant, tool_result, user
from codeagent_tui.llm.provider import (
    CallPiece,
    ChatRequest,
    ContextOverflow,
    FinishPiece,
    ModelError,
    ReasoningPiece,
    ServerFailed,
    StreamEvent,
    TextPiece,
)
from codeagent_tui.llm.summary import SummaryFailed
from codeagent_tui.tokens import estimate_tokens
from tests.support.models import ScriptedModel, says

SUMMARY = "The user wants the parser refactored; a.py and b.py were read; nothing was changed yet."


def asked(request: ChatRequest) -> str:
    return request.messages[0].content


async def test_one_call_without_tools_carries_everything() -> None:
    model = ScriptedModel(says(f"  {SUMMARY}\n"))
    messages = [
        user("refactor the parser"),
        assistant("I look.", ToolCall("c1", "read_file", '{"path": "a.py"}')),
        tool_result("c1", "def parse(): ..."),
    ]
    assert await Summariser(model, input_tokens=10_000).summarise(messages, "the lexer") == SUMMARY
    [request] = model.requests
    assert request.tools == () and len(request.messages) == 1
    for part in ("refactor the parser", "I look.", "read_file", "a.py", "def parse()", "the lexer"):
        assert part in asked(request)
    for wanted in ("goals", "decisions", "changed", "cancelled", "still to do", "data"):
        assert wanted in request.system


async def test_large_tool_results_are_cut_for_the_summary() -> None:
    model = ScriptedModel(says(SUMMARY))
    await Summariser(model, input_tokens=50_000).summarise([user("q"), tool_result("c", "x" * 90_000)])
    assert estimate_tokens(asked(model.requests[0])) < 1_000


@pytest.mark.parametrize(
    "answer",
    [
        says(""),
        says("  \n\t"),
        [ReasoningPiece("let me think"), FinishPiece("stop")],
        says("<think>plan</think>"),
        says("The user wanted to refactor the parser and then " * 6, finish="length"),
        [CallPiece(0, "c", "read_file", '{"path": "a"}'), FinishPiece("tool_calls")],
        says('<tool_call>{"name": "read_file"}</tool_call>'),
        says('<function_calls><invoke name="read_file">a.py'),
        says("---"),
        [ServerFailed("busy")],
        [ContextOverflow("too long")],
        [TextPiece("The user wanted")],
    ],
    ids=[
        "empty",
        "blank",
        "only reasoning",
        "only thinking tags",
        "cut off",
        "a tool call",
        "markup of a call",
        "unclosed markup",
        "no word",
        "server error",
        "overflow",
        "broken off",
    ],
)
async def test_c_07_what_is_no_summary_fails_after_one_attempt(answer: list[StreamEvent | ModelError]) -> None:
    model = ScriptedModel(answer)
    with pytest.raises(SummaryFailed):
        await Summariser(model, input_tokens=10_000).summarise([user("q")])
    assert len(model.requests) == 1


@pytest.mark.parametrize("summary", ["用户要求重构解析器,已完成。", "Done: a.py."])
async def test_a_short_summary_is_one(summary: str) -> None:
    assert await Summariser(ScriptedModel(says(summary)), input_tokens=10_000).summarise([user("q")]) == summary


@pytest.mark.parametrize(
    "text", ["word " * 4_000, "记忆系统" * 3_000, "x" * 100_000], ids=["words", "Chinese", "one word"]
)
async def test_c_06_what_does_not_fit_is_summarised_in_pieces_and_merged(text: str) -> None:
    model = ScriptedModel(says(SUMMARY))
    messages: list[Message] = [user("first: " + text), assistant("second"), user("last")]
    assert await Summariser(model, input_tokens=2_000).summarise(messages) == SUMMARY
    assert len(model.requests) > 2
    room = 2_000 + 200
    assert all(estimate_tokens(asked(request)) <= room for request in model.requests)
    assert "first: " in asked(model.requests[0])
    assert "<summaries>" in asked(model.requests[-1])


async def test_every_character_of_a_giant_message_is_seen() -> None:
    model = ScriptedModel(says(SUMMARY))
    text = "".join(f"{number:05}" for number in range(3_000))
    await Summariser(model, input_tokens=1_000).summarise([user(text)])
    seen = "".join(
        asked(request).partition("<conversation>\n")[2].partition("\n</conversation>")[0] for request in model.requests
    )
    assert seen.replace("[user] ", "").replace("\n\n", "").startswith(text)


async def test_parts_that_cannot_be_merged_end_it() -> None:
    model = ScriptedModel(says("long " * 3_000))
    with pytest.raises(SummaryFailed, match="do not fit"):
        await Summariser(model, input_tokens=1_000).summarise([user("x" * 10_000)])
