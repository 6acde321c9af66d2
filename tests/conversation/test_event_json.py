"""Events as JSON: every one of them, and nothing that only lives inside the process."""

import asyncio
import json
from dataclasses import MISSING, fields
from typing import get_args

from codeagent_tui.conversation.event_json import event_to_json
from codeagent_tui.conversation.events import (
    AgentEvent,
    ApprovalAsked,
    ApprovalRequest,
    ContextMeasured,
    ContextPart,
    ContextReading,
    EndReason,
    TextDelta,
    ToolFinished,
    ToolKind,
    TurnEnded,
)
from codeagent_tui.conversation.messages import tool_result


def test_an_event_has_its_name_and_its_fields() -> None:
    result = tool_result("c1", "text", failed=True)
    data = event_to_json(ToolFinished("c1", "read_file", result, ok=False, summary="no such file"))
    assert data["type"] == "tool_finished"
    assert (data["name"], data["ok"], data["refused"]) == ("read_file", False, False)
    held = data["result"]
    assert isinstance(held, dict) and (held["role"], held["content"], held["failed"]) == ("tool", "text", True)


def test_the_names_are_different_and_plain() -> None:
    names = {event_to_json(_bare(kind))["type"] for kind in get_args(AgentEvent)}
    assert len(names) == len(get_args(AgentEvent))
    assert {"text_delta", "tool_started", "turn_ended", "context_measured"} <= names


def test_every_event_can_be_written_as_json() -> None:
    for kind in get_args(AgentEvent):
        json.dumps(event_to_json(_bare(kind)), allow_nan=False).encode("ascii")


def test_nested_data_and_words_come_through() -> None:
    reading = ContextReading(200, 100, 150, 7, parts=(ContextPart("user", 7),))
    assert event_to_json(ContextMeasured(reading))["reading"]["parts"] == [{"name": "user", "tokens": 7}]  # type: ignore[index]
    assert event_to_json(TurnEnded(EndReason.STEP_LIMIT))["reason"] == "step_limit"


def test_half_a_surrogate_pair_becomes_a_mark() -> None:
    assert event_to_json(TextDelta("a\ud83c"))["text"] == "a\ufffd"


async def test_the_reply_slot_of_an_approval_is_left_out() -> None:
    request = ApprovalRequest("c1", "run_command", ToolKind.EXECUTE, "$ ls", "ls", "command", warnings=("w",))
    data = event_to_json(ApprovalAsked(request, asyncio.get_running_loop().create_future()))
    assert set(data) == {"type", "request"}
    assert data["request"]["warnings"] == ["w"]  # type: ignore[index]


def _bare(kind: type) -> AgentEvent:
    """Return an event of `kind` with None for whatever has no default."""
    return kind(**{field.name: None for field in fields(kind) if field.default is MISSING})
