"""The strict server itself: what it refuses, so that a session that it never refuses proves something."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.overflow_bodies import WORDINGS
from tests.support.strict_count import count_request, count_text
from tests.support.strict_rules import fault_of


def call(call_id: str, arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "read_file", "arguments": arguments}}


def calling(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(call_id: str, text: str = "r") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


SYSTEM = {"role": "system", "content": "S"}
USER = {"role": "user", "content": "U"}
ANSWER = {"role": "assistant", "content": "A"}


@pytest.mark.parametrize(
    "messages",
    [
        [SYSTEM, USER],
        [SYSTEM, USER, ANSWER, USER],
        [SYSTEM, USER, USER],
        [SYSTEM, USER, calling(call("a"), call("b")), result("b"), result("a")],
        [SYSTEM, USER, calling(call("a")), result("a"), calling(call("b")), result("b"), ANSWER, USER],
    ],
)
def test_what_is_right_passes(messages: list[dict[str, Any]]) -> None:
    assert fault_of({"model": "m", "messages": messages}) == ""


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([], "non-empty array"),
        ([USER], "exactly one system message"),
        ([SYSTEM, USER, SYSTEM, USER], "exactly one system message"),
        ([SYSTEM, ANSWER, USER], "must be from the user"),
        ([SYSTEM, USER, ANSWER], "last message"),
        ([SYSTEM, USER, ANSWER, ANSWER, USER], "two assistant messages"),
        ([SYSTEM, {"role": "user", "content": " "}], "non-empty string"),
        ([SYSTEM, USER, {"role": "assistant", "content": ""}, USER], "non-empty string"),
        ([SYSTEM, {"role": "user", "content": "\udc80"}], "Unicode"),
        ([SYSTEM, USER, calling(call("a")), USER], "no results"),
        ([SYSTEM, USER, calling(call("a"), call("b")), result("a"), USER], "no results"),
        ([SYSTEM, USER, calling(call("a")), result("a"), result("a")], "answers no call"),
        ([SYSTEM, USER, result("a")], "answers no call"),
        ([SYSTEM, USER, calling(call("a")), USER, result("a")], "no results"),
        ([SYSTEM, USER, calling(call("a")), result("a"), calling(call("a")), result("a")], "used twice"),
        ([SYSTEM, USER, calling(call("a", "[]")), result("a")], "no JSON object"),
        ([SYSTEM, USER, calling(call("a", '{"b":')), result("a")], "no JSON object"),
        ([SYSTEM, USER, calling(call("a")), result("a", "")], "non-empty string"),
        ([SYSTEM, USER, calling(), USER], "non-empty array of an assistant"),
    ],
)
def test_what_is_wrong_is_refused(messages: list[dict[str, Any]], why: str) -> None:
    assert why in fault_of({"model": "m", "messages": messages})


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": "object"},
        {"type": "object", "properties": {}, "required": ["path"]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}},
    ],
)
def test_a_tool_with_a_broken_schema_is_refused(schema: dict[str, Any]) -> None:
    function = {"name": "read_file", "description": "Read.", "parameters": schema}
    request = {"model": "m", "messages": [SYSTEM, USER], "tools": [{"type": "function", "function": function}]}
    assert fault_of(request).startswith("schema of read_file")


def test_the_count_is_another_one_than_the_programs() -> None:
    assert count_text("The parser reads tokens.") == 5
    assert count_text("记忆系统") == 4 and count_text("0123456789") == 4 and count_text("🎉") == 3
    small = {"messages": [SYSTEM, USER]}
    large = {"messages": [SYSTEM, USER, calling(call("a", json.dumps({"path": "src/a.py"}))), result("a", "x y z")]}
    assert count_request(large) > count_request(small) > 8


@pytest.mark.parametrize("wording", WORDINGS)
def test_p_12_each_wording_is_understood(wording: Any) -> None:
    from codeagent_tui.llm.errors import error_from_status
    from codeagent_tui.llm.provider import ContextOverflow

    code, body = wording(32_768, 40_000)
    error = error_from_status(code, {}, json.dumps(body))
    assert isinstance(error, ContextOverflow) and error.limit in (32_768, None)
