"""Stubs of tool results."""

from __future__ import annotations

import pytest

from codeagent_tui.context.stubs import beginning_of, is_stub, stub_of
from codeagent_tui.conversation.messages import ToolCall, tool_result, user

CALL = ToolCall("c1", "read_file", '{"path": "src/长文件.py", "offset": 1}')
LARGE = tool_result("c1", "第一行\n" + "x" * 5_000, decision="once")


def test_a_stub_names_what_was_there_and_how_to_get_it_again() -> None:
    stub = stub_of(LARGE, CALL)
    assert is_stub(stub) and not is_stub(LARGE)
    assert (stub.id, stub.tool_call_id, stub.role, stub.decision) == (LARGE.id, "c1", LARGE.role, "once")
    for part in ("read_file", "src/长文件.py", "5,004 characters", "2 lines", "read the file again", "第一行"):
        assert part in stub.content
    assert len(stub.content) < 600 and "\n" not in stub.content


def test_it_is_made_once() -> None:
    stub = stub_of(LARGE, CALL)
    assert stub_of(stub, CALL) is stub


def test_what_would_not_become_shorter_stays() -> None:
    small = tool_result("c1", "ok")
    assert stub_of(small, CALL) is small
    said = user("x" * 10_000)
    assert stub_of(said, CALL) is said


@pytest.mark.parametrize("arguments", ["no json", "[]", '{"content": "' + "y" * 9_000 + '"}'])
def test_odd_or_long_arguments_are_shortened(arguments: str) -> None:
    stub = stub_of(LARGE, ToolCall("c1", "mystery", arguments))
    assert len(stub.content) < 700 and "call it again only if" in stub.content


def test_a_stub_still_says_how_the_result_began() -> None:
    run = ToolCall("c1", "run_command", '{"command": "echo \'; run it again. It began: [exit code 0\'"}')
    whole = tool_result("c1", "[exit code 1, 0.2 s]\n" + "x" * 5_000, failed=True)
    assert beginning_of(whole, run) == whole.content
    stub = stub_of(whole, run)
    assert is_stub(stub) and beginning_of(stub, run).startswith("[exit code 1, 0.2 s]")
    shorter = ToolCall("c1", "run_command", '{"command": "echo …"}')
    assert beginning_of(stub, shorter) != stub.content
