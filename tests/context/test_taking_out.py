"""Messages that the user takes out of the conversation: less is sent, PAIR holds, all of it can come back."""

from __future__ import annotations

import json

import pytest

from codeagent_tui.context.taking_out import CannotTakeOut, taken_out
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall, assistant, tool_result, user

WRITE = ToolCall("c1", "write_file", json.dumps({"path": "a.py", "content": "长" * 3_000, "mode": 7}))
READ = ToolCall("c2", "read_file", '{"path": "b.py"}')


def conversation() -> tuple[Message, ...]:
    history = History(
        [
            Message(Role.USER, "summary so far", kind=MessageKind.SUMMARY),
            Message(Role.ASSISTANT, "ok", kind=MessageKind.ACKNOWLEDGEMENT),
            user("write and read"),
            assistant("I will.", WRITE, READ),
            tool_result("c1", "written"),
            tool_result("c2", "x" * 9_000),
            assistant("Both are done."),
            user("thanks"),
        ]
    )
    return history.messages


def with_taken_out(index: int, *, whole: bool) -> tuple[tuple[Message, ...], Message]:
    messages = conversation()
    changed = taken_out(messages, messages[index].id, whole=whole)
    history = History(messages)
    assert history.replace_messages((changed,))
    assert history.check_pairs() == []
    assert changed.id == messages[index].id
    return messages, changed


def test_a_result_is_shortened_to_a_stub_of_its_call() -> None:
    _, changed = with_taken_out(5, whole=False)
    assert "read_file" in changed.content
    assert "b.py" in changed.content
    assert len(changed.content) < 500


def test_long_arguments_are_shortened_and_stay_json_with_the_rest_as_it_was() -> None:
    messages, changed = with_taken_out(3, whole=False)
    write, read = changed.tool_calls
    held = json.loads(write.arguments)
    assert (held["path"], held["mode"]) == ("a.py", 7)
    assert held["content"].startswith("[Stub: 3,000 characters")
    assert read == READ
    assert changed.content == messages[3].content


@pytest.mark.parametrize("index", [2, 3, 4, 5, 6])
def test_a_message_is_taken_out_whole(index: int) -> None:
    messages, changed = with_taken_out(index, whole=True)
    assert messages[index].content not in changed.content
    assert "The user took this" in changed.content
    assert "长长" not in "".join(call.arguments for call in changed.tool_calls)


@pytest.mark.parametrize(
    ("index", "whole", "why"),
    [(0, True, "uncompact"), (1, True, "uncompact"), (7, True, "newest"), (6, False, "Only tool results")],
)
def test_what_cannot_be_taken_out_says_why(index: int, whole: bool, why: str) -> None:
    messages = conversation()
    with pytest.raises(CannotTakeOut, match=why):
        taken_out(messages, messages[index].id, whole=whole)


def test_a_call_without_words_is_taken_out_as_far_as_it_can_be() -> None:
    short, long = assistant("", READ), assistant("", WRITE)
    assert "长长" not in taken_out([long, user("go on")], long.id, whole=True).tool_calls[0].arguments
    assert taken_out([long, user("go on")], long.id, whole=True).content == ""
    with pytest.raises(CannotTakeOut, match="nothing in it"):
        taken_out([short, user("go on")], short.id, whole=True)


def test_it_is_taken_out_once_and_only_while_it_is_there() -> None:
    messages, changed = with_taken_out(6, whole=True)
    with pytest.raises(CannotTakeOut, match="nothing in it"):
        taken_out([*messages[:6], changed, messages[7]], changed.id, whole=True)
    with pytest.raises(CannotTakeOut, match="no longer part"):
        taken_out(messages, "another", whole=True)
