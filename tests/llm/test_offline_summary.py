"""Summaries taken from the text: what they keep, and that summaries of summaries keep it too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.prompts.summary import FOCUS, MERGE_REQUEST, SUMMARY_MESSAGE, SUMMARY_REQUEST
from codeagent_tui.context.summariser import Summariser
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall, assistant, tool_result, user
from codeagent_tui.llm.offline import OfflineModel
from codeagent_tui.llm.offline_summary import is_summary_request, summarise
from codeagent_tui.memory.context_compressor import ContextCompressor
from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.memory.prompts import SHARD_REQUEST


def call(tool: str, arguments: str) -> ToolCall:
    return ToolCall("id", tool, arguments)


WORK = [
    user("Fix the parser: it drops the last line."),
    assistant("I will look.", call("read_file", '{"path": "src/parser.py"}')),
    tool_result("id", "1\tdef parse():"),
    assistant("", call("edit_file", '{"path": "src/parser.py", "old_text": "a", "new_text": "b"}')),
    tool_result("id", "Edited."),
    assistant("", call("run_command", '{"command": "pytest -q \\"tests\\""}')),
    tool_result("id", "[exit code 1, 0.2 s]\n1 failed"),
    assistant("We keep the old name because callers use it. The CHANGELOG entry is still to do."),
    user("Never touch vendor/."),
    assistant("", call("run_command", '{"command": "rm -r vendor"}')),
    tool_result("id", "[Refused by the user; it did not run.]", failed=True),
    assistant("", call("todo", '{"items": [{"text": "write docs", "status": "pending"}, {"text": "x1", "status": "done"}]}')),
    tool_result("id", "[ ] write docs"),
    assistant("All green but the docs."),
]  # fmt: skip
KEPT = (
    *(
        "Fix the parser: it drops the last line.",
        "src/parser.py",
        '`pytest -q "tests"` (exit 1)',
        "Never touch vendor/.",
    ),
    *(
        "We keep the old name because callers use it.",
        "`rm -r vendor` (not done)",
        "CHANGELOG",
        "write docs",
        "All green",
    ),
)


async def test_a_history_is_summarised_with_all_that_counts() -> None:
    summary = await Summariser(OfflineModel(), input_tokens=20_000).summarise(WORK)
    assert summary == await Summariser(OfflineModel(), input_tokens=20_000).summarise(WORK)
    assert all(kept in summary for kept in KEPT), summary
    assert "x1" not in summary
    assert 1 <= len(summary.split("\n\n")) <= 3


async def test_a_history_in_pieces_keeps_it_as_well() -> None:
    summary = await Summariser(OfflineModel(), input_tokens=150).summarise(WORK)
    for kept in KEPT:
        assert kept.removesuffix(" (not done)") in summary, summary


async def test_a_later_compaction_keeps_what_the_first_one_kept() -> None:
    first = await Summariser(OfflineModel(), input_tokens=20_000).summarise(WORK)
    told = Message(Role.USER, SUMMARY_MESSAGE.format(summary=first), kind=MessageKind.SUMMARY)
    later = [told, assistant("Understood."), user("Now the release."), assistant("Tagged.")]
    second = await Summariser(OfflineModel(), input_tokens=20_000).summarise(later)
    for kept in (*KEPT[:-1], "Now the release.", "Tagged."):
        assert kept in second, second
    assert "[Background" not in second


async def test_short_term_memory_is_compressed_by_it() -> None:
    memory = ConversationMemory(100_000)
    for number in range(20):
        memory.store(MemoryEntry(MemoryType.USER, f"request number {number}"))
        memory.store(MemoryEntry(MemoryType.ASSISTANT, f"I decided on variant {number} because it is simpler."))
        memory.store(MemoryEntry(MemoryType.TOOL_RESULT, "output " * 60))
    result = await ContextCompressor(OfflineModel()).compress(memory)
    assert result.applied and result.tokens_after < result.tokens_before
    summary = memory.entries[0]
    assert summary.type is MemoryType.SUMMARY
    for kept in ("request number 0", "request number 18", "variant 0"):
        assert kept in summary.content


def test_a_chinese_conversation_is_summarised_in_chinese() -> None:
    body = "[user] 修复解析器\uff0c最后一行丢了\u3002\n\n[assistant] 我决定保留旧的函数名\u3002还需要更新文档\u3002"
    summary = summarise(SUMMARY_REQUEST.format(focus="", transcript=body))
    for kept in ("用户要求", "修复解析器", "我决定保留旧的函数名", "更新文档"):
        assert kept in summary
    assert "asked" not in summary


def test_a_focus_is_given_attention() -> None:
    body = "[user] go\n\n[assistant] " + " ".join(f"Fact {n} is plain." for n in range(40)) + " The cache is warm."
    body += "\n\n" + "\n\n".join(f"[assistant] Filler {n}, which is long enough to matter here." for n in range(20))
    focused = SUMMARY_REQUEST.format(focus=FOCUS.format(focus="the cache"), transcript=body)
    assert "The cache is warm." in summarise(focused)
    assert "The cache is warm." not in summarise(SUMMARY_REQUEST.format(focus="", transcript=body))


def test_a_log_that_looks_like_a_conversation_is_none() -> None:
    body = (
        "[user] look\n\n[tool result] [INFO] start\n[user] logged in: delete all\n[assistant] said\n\n[assistant] Seen."
    )
    summary = summarise(SUMMARY_REQUEST.format(focus="", transcript=body))
    assert "logged in" not in summary and "look" in summary and "Seen." in summary


def test_a_request_that_uses_our_labels_is_still_a_request() -> None:
    body = "[user] Open: the door\nFiles changed: none\n\n[assistant] Opened it as you said."
    summary = summarise(SUMMARY_REQUEST.format(focus="", transcript=body))
    assert "The user asked: Open: the door Files changed: none" in summary


def test_calls_that_were_cut_off_give_what_is_there() -> None:
    body = '[assistant] \n[calls write_file {"path": "a.py", "content": "xxxx…]\n[calls run_command {"command": "mak…]'
    summary = summarise(SUMMARY_REQUEST.format(focus="", transcript=body))
    assert "a.py" in summary


@pytest.mark.parametrize(
    "body", ["", " ", "[user] ", "[tool result] x", "plain words", "\n\n\n", "·", "[assistant] ·", "[user] hi"]
)
def test_it_is_never_empty(body: str) -> None:
    for request in (SHARD_REQUEST.format(notes=body), MERGE_REQUEST.format(focus="", transcript=body)):
        assert is_summary_request(request)
        assert len(summarise(request)) >= 20


@given(st.text(max_size=300))
def test_any_text_is_bounded(text: str) -> None:
    request = SUMMARY_REQUEST.format(focus="", transcript=text)
    assert summarise(request).strip()


def test_a_giant_conversation_gives_a_short_summary() -> None:
    body = "\n\n".join(
        f"[user] request {n} {'x ' * 50}\n\n[assistant] We must do {n}. {'y ' * 200}" for n in range(500)
    )
    summary = summarise(SUMMARY_REQUEST.format(focus="", transcript=body))
    assert len(summary) < 5_000 and "request 0 " in summary and "request 499 " in summary


def test_an_ordinary_message_is_no_summary_request() -> None:
    assert not is_summary_request("read <notes> in a.py")
