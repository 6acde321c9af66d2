"""What is sent, byte for byte."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.messages import Message, Role, ToolCall, assistant, tool_result, user
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.llm.request import payload
from tests.support.server import refusal_of

SPEC = ToolSpec("read_file", "Reads.", {"type": "object", "properties": {"path": {"type": "string"}}})


def sent(*messages: Message, **more: Any) -> dict[str, Any]:
    body: dict[str, Any] = payload("m", ChatRequest("S", messages, **more))
    return body


def test_p_14_the_system_message_is_first_and_alone() -> None:
    body = sent(user("a"), assistant("b"), user("c"))
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]


def test_p_07_empty_assistant_messages_stay_behind_and_two_user_messages_are_kept() -> None:
    history = (user("a"), assistant(""), assistant(" \n", reasoning="hm"), user("b"))
    assert [message["content"] for message in sent(*history)["messages"]] == ["S", "a", "b"]


def test_p_05_reasoning_is_not_sent_back() -> None:
    call = ToolCall("c", "read_file", "{}")
    body = sent(user("a"), assistant("x", call, reasoning="secret"), tool_result("c", "r"))
    assert "secret" not in json.dumps(body)
    assert body["messages"][2] == {
        "role": "assistant",
        "content": "x",
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}],
    }


def test_an_assistant_message_of_calls_only_has_no_empty_text() -> None:
    body = sent(user("a"), assistant("", ToolCall("c", "f", "{}")), tool_result("c", "r"))
    assert body["messages"][2]["content"] is None


def test_p_04_broken_arguments_and_odd_names_of_an_old_session_are_mended() -> None:
    odd = assistant("", ToolCall("c", "functions.read file", '{"a": NaN}'), ToolCall("d", "读", "oops"))
    body = sent(user("a"), odd, tool_result("c", "r"), tool_result("d", "r"))
    first, second = (call["function"] for call in body["messages"][2]["tool_calls"])
    assert (first["name"], second["name"]) == ("functions_read_file", "_")
    assert isinstance(json.loads(first["arguments"]), dict) and "NaN" in json.loads(first["arguments"]).popitem()[1]
    assert refusal_of(body) == ""


def test_tools_and_the_limit_are_sent_when_there_are_any() -> None:
    assert "tools" not in sent(user("a")) and "max_tokens" not in sent(user("a"))
    body = sent(user("a"), tools=(SPEC,), max_output_tokens=9)
    assert body["max_tokens"] == 9
    assert body["tools"][0]["function"]["name"] == "read_file"
    assert payload("m", ChatRequest("S", (user("a"),)), 7)["max_tokens"] == 7


TEXT = st.text(max_size=20)
CALLS = st.builds(ToolCall, id=st.text(max_size=8), name=TEXT, arguments=TEXT)
MESSAGES = st.builds(
    Message, st.sampled_from(Role), TEXT, tool_calls=st.lists(CALLS, max_size=2).map(tuple), tool_call_id=TEXT
)
ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=20)


@given(st.lists(MESSAGES, max_size=5), ANY_TEXT)
def test_s_03_any_request_can_be_written_and_is_the_same_each_time(messages: list[Message], odd: str) -> None:
    call = ToolCall(odd, odd, odd)
    request = ChatRequest(odd, (*messages, user(odd), assistant(odd, call), tool_result(odd, odd)), (SPEC,))
    one, two = (json.dumps(payload("m", request), ensure_ascii=False).encode() for _ in range(2))
    assert one == two
