"""Records of a session log: every message comes back equal, and what is no record is refused."""

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall
from codeagent_tui.sessions.records import BadRecord, decode, encode, message_from_json, message_to_json

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
CALLS = st.lists(st.builds(ToolCall, TEXT, TEXT, TEXT), max_size=3).map(tuple)
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(Role),
    content=TEXT,
    tool_calls=CALLS,
    tool_call_id=TEXT,
    reasoning=TEXT,
    kind=st.sampled_from(MessageKind),
    failed=st.booleans(),
    interrupted=st.booleans(),
    id=TEXT,
    created=st.floats(0, 2e9),
)


@given(MESSAGES)
def test_every_message_comes_back_equal(message: Message) -> None:
    line = encode({"message": message_to_json(message)})
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert message_from_json(decode(line)["message"]) == message


def test_what_has_its_default_is_left_out() -> None:
    data = message_to_json(Message(Role.USER, "hi", id="m", created=1.0))
    assert data == {"role": "user", "content": "hi", "id": "m", "created": 1.0}
    assert {field.name for field in fields(Message)} >= set(data)


def test_fields_of_later_versions_are_ignored() -> None:
    data = {"role": "assistant", "content": "x", "id": "m", "created": 1, "mood": "fine"}
    assert message_from_json(data).content == "x"


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "text",
        {},
        {"role": "system", "id": "m", "created": 1},
        {"role": "user", "id": "m"},
        {"role": "user", "id": "m", "created": "yesterday"},
        {"role": "assistant", "id": "m", "created": 1, "tool_calls": [{"id": "c"}]},
        {"role": "assistant", "id": "m", "created": 1, "tool_calls": "none"},
        {"role": "user", "id": "m", "created": 1, "kind": "odd"},
    ],
)
def test_what_is_no_message_is_refused(data: object) -> None:
    with pytest.raises(BadRecord):
        message_from_json(data)


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b'"text"', b"\xff\xfe", b"[" * 100_000, b"null"])
def test_what_is_no_record_is_refused(line: bytes) -> None:
    with pytest.raises(BadRecord):
        decode(line)


def test_s_03_half_a_surrogate_pair_is_written_as_a_mark() -> None:
    message = Message(Role.ASSISTANT, "", tool_calls=(ToolCall("c", "read_file", '{"path":"caf\ud83c.txt"}'),))
    line = encode(message_to_json(message))
    assert "caf\ufffd.txt" in json.loads(line)["tool_calls"][0]["arguments"]
