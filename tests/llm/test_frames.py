"""Frames with the habits of many servers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.frames import pieces_of_event, pieces_of_frame
from codeagent_tui.llm.provider import (
    BadReply,
    CallPiece,
    FinishPiece,
    ModelError,
    ReasoningPiece,
    ServerFailed,
    TextPiece,
    UsagePiece,
)
from codeagent_tui.llm.sse import ServerEvent


def of_delta(**delta: object) -> list[object]:
    return list(pieces_of_frame({"choices": [{"index": 0, "delta": delta}]}))


def test_p_01_content_in_its_forms() -> None:
    assert of_delta(content="x") == [TextPiece("x")]
    assert of_delta(content=[{"type": "text", "text": "x"}]) == [TextPiece("x")]
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "x"}, 7]
    assert of_delta(content=parts) == [ReasoningPiece("hm"), TextPiece("x")]
    assert of_delta(content=None, refusal="I will not.") == [TextPiece("I will not.")]
    assert of_delta(reasoning_content="", reasoning="hm") == [ReasoningPiece("hm")]
    assert of_delta(content="", reasoning={"odd": 1}) == []


def test_p_01_calls_in_their_forms() -> None:
    assert of_delta(function_call={"name": "f", "arguments": "{}"}) == [CallPiece(0, None, "f", "{}")]
    assert of_delta(tool_calls=[{"index": None, "id": "", "function": {"name": "f", "arguments": {"a": 1}}}]) == [
        CallPiece(None, None, "f", '{"a": 1}')
    ]
    assert of_delta(tool_calls=[None, {"function": None}]) == [CallPiece()]


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_p_03_every_word_for_the_output_limit_is_the_same(reason: str) -> None:
    assert list(pieces_of_frame({"choices": [{"finish_reason": reason}]})) == [FinishPiece("length")]


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource"])
def test_p_09_a_finish_that_is_a_fault_is_an_error(reason: str) -> None:
    with pytest.raises(ServerFailed, match=reason):
        list(pieces_of_frame({"choices": [{"delta": {}, "finish_reason": reason}]}))


@pytest.mark.parametrize(
    "frame",
    [
        {"error": "boom"},
        {"object": "error", "message": "boom", "code": 40303},
        {"choices": [{"error": {"message": "boom", "code": 502}, "delta": {}}]},
        {"choices": [], "error": {"message": "boom"}},
    ],
)
def test_p_09_errors_wherever_they_stand_in_a_frame(frame: dict[str, object]) -> None:
    with pytest.raises(ServerFailed, match="boom"):
        list(pieces_of_frame(frame))


def test_usage_in_its_places() -> None:
    def usage(**frame: object) -> object:
        return list(pieces_of_frame(frame))

    whole = {
        "prompt_tokens": 9,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    assert usage(choices=[], usage=whole) == [UsagePiece(Usage(9, 5, 4, 3))]
    assert usage(usage={"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}) == [UsagePiece(Usage(9, 0, 4))]
    assert usage(choices=[{"usage": {"prompt_tokens": 9, "cached_tokens": 4}}]) == [UsagePiece(Usage(9, 0, 4))]
    # What reports nothing must not wipe out what was reported.
    for nothing in ({}, None, {"prompt_tokens": None}, {"prompt_tokens": -1}, {"prompt_tokens": float("nan")}):
        assert usage(choices=[], usage=nothing) == []


FIELDS = (
    *("choices", "delta", "message", "content", "tool_calls", "function", "name", "arguments", "index", "id"),
    *("usage", "error", "code", "finish_reason", "reasoning", "prompt_tokens", "prompt_tokens_details", "text"),
    *("thinking", "function_call", "object"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["x", "", "stop", "error"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(FIELDS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=14,
)


@given(JSON, st.sampled_from(["", "error"]))
def test_p_01_no_frame_is_too_odd(frame: object, name: str) -> None:
    try:
        for piece in pieces_of_event(ServerEvent(name, json.dumps(frame))):
            assert type(piece) in (TextPiece, ReasoningPiece, CallPiece, UsagePiece, FinishPiece)
    except ModelError as error:
        assert str(error)


def test_p_09_no_json_is_a_bad_reply_with_the_text() -> None:
    with pytest.raises(BadReply, match="busy now"):
        list(pieces_of_event(ServerEvent("", "busy now")))
    with pytest.raises(ServerFailed, match="busy now"):
        list(pieces_of_event(ServerEvent("error", "busy now")))
