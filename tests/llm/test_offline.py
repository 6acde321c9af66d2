"""The offline engine: plain requests become tool calls, everything else an honest answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.messages import Message, assistant, tool_result, user
from codeagent_tui.llm.offline import OfflineModel
from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS, plan
from codeagent_tui.llm.provider import ChatRequest, Reply
from codeagent_tui.llm.reply import RetryPolicy, stream_reply
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


def test_steps_in_a_row_in_chinese() -> None:
    steps = plan(
        "先搜索 divide\uff0c然后读 calc.py\uff0c再把 calc.py 里的 `a * b` 改成 `a / b`\uff0c然后运行 pytest -q\u3002"
    )
    assert steps is not None
    assert [s.tool for s in steps] == ["search_code", "read_file", "read_file", "edit_file", "run_command"]
    assert plan("你能做什么\uff1f") is not None and plan("你记得端口吗\uff1f") is not None


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


async def test_a_summary_is_taken_from_the_text_and_never_empty() -> None:
    body = (
        '[user] fix the parser\n\n[assistant] I will.\n[calls edit_file {"path": "src/p.py"}]\n\n'
        "[tool result] done\n\n[user] now the tests\n\n[assistant] All green."
    )
    request = f"Summarise this part of the conversation.\n\n<conversation>\n{body}\n</conversation>"
    first = await reply_to(user(request), tools=False)
    assert first.content == (await reply_to(user(request), tools=False)).content
    for kept in ("fix the parser", "src/p.py", "All green"):
        assert kept in first.content
    empty = await reply_to(user("<notes>\n\n</notes>"), tools=False)
    assert empty.content.strip()


@given(st.text(max_size=80))
def test_no_request_breaks_the_plan(text: str) -> None:
    steps = plan(text)
    assert steps is None or all(step.tool or step.answer for step in steps)


@pytest.mark.parametrize("form", [form for pair in OFFLINE_REQUESTS[:-1] for form in pair])
def test_every_documented_form_is_understood(form: str) -> None:
    example = form.replace("[DIR]", "src").replace("[在 DIR]", "在 src").replace("[in DIR]", "in src")
    example = example.replace("URL", "https://x.test")
    assert plan(example) is not None


async def test_the_answer_to_a_dangling_history_is_help() -> None:
    assert "offline" in (await reply_to(assistant("hello"))).content
