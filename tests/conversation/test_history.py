"""The history keeps tool calls and results paired, whatever happens."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.history import History, PairError
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall, assistant, tool_result, user
from codeagent_tui.conversation.pairing import pair_faults, repair


def call(call_id: str, arguments: str = "{}") -> ToolCall:
    return ToolCall(call_id, "read_file", arguments)


def test_a_call_has_a_result_from_the_moment_it_is_there() -> None:
    history = History([user("look")])
    history.append(assistant("", call("a"), call("b")))
    assert history.check_pairs() == []
    assert [c.id for c in history.open_calls()] == ["a", "b"]


def test_results_stand_in_the_order_of_the_calls_however_they_arrive() -> None:
    history = History([user("look")])
    history.append(assistant("", call("a"), call("b"), call("c")))
    for call_id in "cab":
        history.append(tool_result(call_id, f"result {call_id}"))
    assert [m.content for m in history.messages[2:]] == ["result a", "result b", "result c"]
    assert history.open_calls() == ()


def test_a_result_without_its_call_is_refused() -> None:
    history = History([user("hi"), assistant("hello")])
    with pytest.raises(PairError):
        history.append(tool_result("nowhere", "x"))
    assert len(history) == 2


@pytest.mark.parametrize("content", ["", "  \n\t", "\n\n"])
def test_p_07_an_assistant_message_without_text_and_calls_is_never_stored(content: str) -> None:
    history = History([user("hi")])
    history.append(Message(Role.ASSISTANT, content, reasoning="thinking"))
    assert [m.role for m in history.messages] == [Role.USER]
    assert [m.role for m in History([user("hi"), Message(Role.ASSISTANT, content)]).messages] == [Role.USER]


def test_a_call_id_that_is_taken_is_replaced() -> None:
    history = History([user("hi")])
    history.append(assistant("", call("same")))
    history.append(tool_result("same", "one"))
    stored = history.append(assistant("", call("same"), call("")))
    ids = [c.id for c in stored.tool_calls]
    assert len({"same", *ids}) == 3 and all(ids)
    assert history.check_pairs() == []


@pytest.mark.parametrize(
    "arguments",
    ['{"command": "git commit -m "x}', "", "[]", '"ls"', "null", '{"a":1}{"b":2}', "{'path': 'x'}", '{"a":' * 600_000],
)
def test_p_04_broken_arguments_in_an_old_session_heal_on_load(arguments: str) -> None:
    loaded = History([user("do it"), assistant("", call("k", arguments)), tool_result("k", "error"), user("next")])
    healed = loaded.messages[1].tool_calls[0].arguments
    assert isinstance(json.loads(healed), dict)
    assert len(healed) < 2_000
    assert loaded.messages[0].content == "do it"
    assert loaded.check_pairs() == []


def test_s_04_results_are_used_wherever_they_stand_and_missing_ones_say_the_outcome_is_unknown() -> None:
    loaded = History(
        [
            user("go"),
            assistant("", call("1"), call("2"), call("3")),
            tool_result("3", "three"),
            user("and now?"),
            tool_result("1", "one"),
        ]
    )
    assert [m.content for m in loaded.messages[2:5]][::2] == ["one", "three"]
    assert "check" in loaded.messages[3].content and loaded.messages[3].kind is MessageKind.REPAIR
    assert loaded.messages[5].content == "and now?"


MESSAGES = st.lists(
    st.one_of(
        st.builds(user, st.sampled_from(["hi", "", "go on"])),
        st.builds(
            lambda text, ids, args: Message(Role.ASSISTANT, text, tuple(call(i, args) for i in ids)),
            st.sampled_from(["", " ", "text"]),
            st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=3),
            st.sampled_from(["{}", "", "[1]", '{"x":']),
        ),
        st.builds(tool_result, st.sampled_from(["a", "b", "c", "d", ""]), st.just("result")),
    ),
    max_size=14,
)


@given(MESSAGES)
def test_repair_always_gives_valid_pairs_and_is_idempotent(messages: list[Message]) -> None:
    repaired = repair(messages)
    assert pair_faults(repaired) == []
    assert repair(repaired) == repaired
    said = [m for m in messages if m.role is Role.USER]
    assert [m for m in repaired if m.role is Role.USER] == said


@given(MESSAGES, MESSAGES)
def test_pairs_hold_after_every_append(start: list[Message], more: list[Message]) -> None:
    history = History(start)
    for message in more:
        try:
            history.append(message)
        except PairError:
            continue
        faults = [fault for fault in history.check_pairs() if "no JSON object" not in fault]
        assert faults == []


def test_a_prefix_is_replaced_only_while_it_is_still_what_it_was() -> None:
    history = History([user("one"), assistant("1"), user("two"), assistant("2")])
    prefix = history.messages[:2]
    history.append(user("three"))
    assert history.replace_prefix(prefix, [user("summary"), assistant("ok")])
    assert [m.content for m in history.messages] == ["summary", "ok", "two", "2", "three"]
    assert not history.replace_prefix(prefix, [])


def test_a_replacement_that_would_break_pairs_changes_nothing() -> None:
    history = History([user("one"), assistant("", call("a")), tool_result("a", "x"), user("two")])
    before = history.messages
    assert not history.replace_prefix(before[:2], [user("summary")])
    assert history.messages == before
