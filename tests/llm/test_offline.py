"""The offline engine: plain requests become tool calls, everything else an honest answer."""

from __future__ import annotations

import asyncio
import json

import pytest

from codeagent_tui.conversation.messages import Message, ToolCall, assistant, tool_result, user
from codeagent_tui.llm.offline import NOTE, OfflineModel
from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS
from codeagent_tui.llm.provider import CallPiece, ChatRequest, FinishPiece, Reply, TextPiece, UsagePiece
from codeagent_tui.llm.reply import RetryPolicy, stream_reply
from codeagent_tui.tokens import estimate_tokens
from codeagent_tui.tools.catalog import default_tools

TOOLS = default_tools().specs


async def reply_to(*messages: Message, system: str = "S", tools: bool = True) -> Message:
    request = ChatRequest(system, messages, TOOLS if tools else ())
    events = [event async for event in stream_reply(OfflineModel(), request, RetryPolicy(1))]
    last = events[-1]
    assert isinstance(last, Reply)
    return last.message


@pytest.mark.parametrize(
    ("request_", "tool", "arguments"),
    [
        ("read src/a.py", "read_file", {"path": "src/a.py"}),
        ("Show me the file README.md", "read_file", {"path": "README.md"}),
        ("读一下 src/a.py", "read_file", {"path": "src/a.py"}),
        ("list", "list_directory", {"path": "."}),
        ("list src", "list_directory", {"path": "src"}),
        ("列出 src", "list_directory", {"path": "src"}),
        ("find files *.py", "find_files", {"pattern": "*.py"}),
        ("找文件 *.md", "find_files", {"pattern": "*.md"}),
        ("search for divide", "search_code", {"pattern": "divide", "literal": True, "path": "."}),
        ('search for "a b" in src', "search_code", {"pattern": "a b", "literal": True, "path": "src"}),
        ("搜索 记忆", "search_code", {"pattern": "记忆", "literal": True, "path": "."}),
        ("在 src 里搜索 `foo(x)`", "search_code", {"pattern": "foo(x)", "literal": True, "path": "src"}),
        ("run pytest -q", "run_command", {"command": "pytest -q"}),
        ("运行 python -m pytest", "run_command", {"command": "python -m pytest"}),
        ("remember that we use uv", "save_memory", {"fact": "we use uv", "project_only": True}),
        ("remember everywhere: I like tabs", "save_memory", {"fact": "I like tabs", "project_only": False}),
        ("记住:提交信息用中文", "save_memory", {"fact": "提交信息用中文", "project_only": True}),
        (
            "记住\uff1a提交信息用中文\uff0c不要英文\u3002",
            "save_memory",
            {"fact": "提交信息用中文\uff0c不要英文", "project_only": True},
        ),
        ("请记一下\uff0c端口是 8080", "save_memory", {"fact": "端口是 8080", "project_only": True}),
        ("运行\uff1apytest -q", "run_command", {"command": "pytest -q"}),
        ("以后记得 测试要快", "save_memory", {"fact": "测试要快", "project_only": True}),
        ("fetch https://x.test/a", "web_fetch", {"url": "https://x.test/a"}),
        ("create notes.txt with hello world", "write_file", {"path": "notes.txt", "content": "hello world\n"}),
        ("新建 a.txt 内容 你好", "write_file", {"path": "a.txt", "content": "你好\n"}),
    ],
)
async def test_a_plain_request_becomes_a_call(request_: str, tool: str, arguments: dict[str, object]) -> None:
    message = await reply_to(user(request_))
    [call] = message.tool_calls
    assert (call.name, json.loads(call.arguments)) == (tool, arguments)


@pytest.mark.parametrize(
    "request_",
    [
        "replace `a / b` with `a // b` in calc.py",
        "in calc.py, replace `a / b` with `a // b`",
        "把 calc.py 里的 `a / b` 改成 `a // b`",
    ],
)
async def test_an_edit_reads_first(request_: str) -> None:
    first = await reply_to(user(request_))
    assert [c.name for c in first.tool_calls] == ["read_file"]
    second = await reply_to(user(request_), first, tool_result(first.tool_calls[0].id, "1\ta / b"))
    [call] = second.tool_calls
    assert call.name == "edit_file"
    assert json.loads(call.arguments) == {"path": "calc.py", "old_text": "a / b", "new_text": "a // b"}


async def test_several_steps_are_done_in_order_and_then_it_stops() -> None:
    messages: list[Message] = [user("search for bug, then read a.py, then run `make then test`")]
    names = []
    for number in range(5):
        message = await reply_to(*messages)
        messages.append(message)
        if not message.tool_calls:
            break
        names.append(message.tool_calls[0].name)
        messages.append(tool_result(message.tool_calls[0].id, f"result {number}"))
    assert names == ["search_code", "read_file", "run_command"]
    assert "result 2" in messages[-1].content


async def test_it_stops_at_an_error_and_says_what_went_wrong() -> None:
    asked = user("read a.py, then run make")
    first = await reply_to(asked)
    after = await reply_to(asked, first, tool_result(first.tool_calls[0].id, "a.py does not exist.", failed=True))
    assert not after.tool_calls
    assert "does not exist" in after.content and "Stopped here" in after.content


@pytest.mark.parametrize(
    ("request_", "word"), [("refactor everything nicely", "language model"), ("重构这个模块", "语言模型")]
)
async def test_anything_else_is_answered_honestly_in_its_language(request_: str, word: str) -> None:
    message = await reply_to(user(request_))
    assert not message.tool_calls
    assert word in message.content and "/model" in message.content and "offline" in message.content


async def test_recall_answers_from_the_section_of_the_prompt() -> None:
    system = 'S\n\n## 相关长期记忆\nFacts.\n- "提交信息用中文"'
    assert "提交信息用中文" in (await reply_to(user("你记得提交信息吗"), system=system)).content
    assert "nothing" in (await reply_to(user("what do you remember about commits?"))).content


async def test_the_answer_to_a_dangling_history_is_help() -> None:
    assert "offline" in (await reply_to(assistant("hello"))).content


async def test_the_answer_comes_in_small_pieces_with_the_loop_free_between_them() -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    pieces = [p async for p in OfflineModel().stream(ChatRequest("S", (user("help"),), TOOLS))]
    counting.cancel()
    texts = [p.text for p in pieces if isinstance(p, TextPiece)]
    assert len(texts) > 40 and max(map(len, texts)) < 40 and turns >= len(texts)
    assert isinstance(pieces[-1], FinishPiece) and isinstance(pieces[-2], UsagePiece)
    assert pieces[-2].usage.completion_tokens == estimate_tokens("".join(texts))
    assert pieces[-2].usage.prompt_tokens > estimate_tokens("S")


async def test_the_same_request_gets_the_same_answer() -> None:
    asked = user("search for a, then read b.py")
    first, second = await reply_to(asked), await reply_to(asked)
    assert (first.content, first.tool_calls) == (second.content, second.tool_calls)


async def test_what_was_done_in_earlier_turns_does_not_count() -> None:
    call = ToolCall("old", "read_file", "{}")
    before = (user("read a.py"), assistant("", call), tool_result("old", "x"), assistant("done"))
    [next_call] = (await reply_to(*before, user("read b.py"))).tool_calls
    assert json.loads(next_call.arguments) == {"path": "b.py"}


async def test_a_tool_that_is_not_there_is_not_called() -> None:
    request = ChatRequest("S", (user("run ls"),), tuple(tool for tool in TOOLS if tool.name != "run_command"))
    pieces = [p async for p in OfflineModel().stream(request)]
    assert not any(isinstance(p, CallPiece) for p in pieces)
    assert "run_command" in "".join(p.text for p in pieces if isinstance(p, TextPiece))


async def test_a_long_result_is_quoted_in_part_and_cannot_end_its_quotation() -> None:
    asked = user("read a.md")
    first = await reply_to(asked)
    text = "```\n````\n" + "\n".join(f"line {n}" for n in range(50))
    answer = (await reply_to(asked, first, tool_result(first.tool_calls[0].id, text))).content
    assert "line 5" in answer and "line 40" not in answer and "40 more lines" in answer
    assert answer.startswith("`````\n") and answer.count("`````") == 2


async def test_after_several_steps_it_says_that_all_are_done_and_what_it_is() -> None:
    messages: list[Message] = [user("读 a.py\uff0c然后运行 ls")]
    for _ in range(2):
        messages.append(await reply_to(*messages))
        messages.append(tool_result(messages[-1].tool_calls[0].id, "ok"))
    answer = await reply_to(*messages)
    assert "共 2 步" in answer.content and NOTE in answer.content


async def test_recall_between_calls_is_said_in_its_place() -> None:
    asked = user("list, then what do you remember about ports, then run ls")
    system = 'S\n\n## 相关长期记忆\n- "fake"\n\n## 相关长期记忆\nFacts.\n- "the port is 8080"'
    first = await reply_to(asked, system=system)
    assert "8080" not in first.content and first.tool_calls[0].name == "list_directory"
    second = await reply_to(asked, first, tool_result(first.tool_calls[0].id, "a"), system=system)
    assert "8080" in second.content and "fake" not in second.content and second.tool_calls[0].name == "run_command"


async def test_a_refused_step_ends_the_plan() -> None:
    asked = user("把 a.py 里的 x 改成 y")
    first = await reply_to(asked)
    read = tool_result(first.tool_calls[0].id, "x")
    second = await reply_to(asked, first, read)
    no = tool_result(
        second.tool_calls[0].id, "[Refused by the user; it did not run. The user says: not that]", failed=True
    )
    last = await reply_to(asked, first, read, second, no)
    assert not last.tool_calls and "not that" in last.content and "到此为止" in last.content


@pytest.mark.parametrize("form", [form for pair in OFFLINE_REQUESTS for form in pair])
async def test_help_names_every_form_in_its_language(form: str) -> None:
    help_text = (await reply_to(user("help"))).content + (await reply_to(user("你能做什么"))).content
    assert f"`{form}`" in help_text and "OPENAI_API_KEY" in help_text and "OPENAI_BASE_URL" in help_text
