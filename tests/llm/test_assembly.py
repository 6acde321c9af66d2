"""Stream events made into one message."""

import json

import pytest

from codeagent_tui.conversation.events import AttemptDiscarded, ReasoningDelta, TextDelta
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.assembly import Assembler, Visible
from codeagent_tui.llm.provider import (
    CallPiece,
    FinishPiece,
    ReasoningPiece,
    Reply,
    StreamEvent,
    TextPiece,
    UsagePiece,
)


def assembled(*events: StreamEvent) -> tuple[Reply, list[Visible]]:
    assembler = Assembler()
    shown = [visible for event in events for visible in assembler.feed(event)] + assembler.end()
    return assembler.reply(), shown


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_p_03_the_last_call_of_an_answer_that_was_stopped_is_cut_even_when_it_parses(reason: str) -> None:
    reply, _ = assembled(CallPiece(0, "w1", "write_file", '{"path":"a"}'), FinishPiece(reason))
    assert reply.cut_calls == {"w1"}


def test_p_03_without_a_finish_the_last_call_is_cut() -> None:
    events = [CallPiece(0, "a", "read_file", '{"path":"x"}'), CallPiece(1, "b", "write_file", '{"path":"y"}')]
    reply, _ = assembled(*events)
    assert reply.cut_calls == {"b"}
    reply, _ = assembled(*events, FinishPiece(""))
    assert not reply.cut_calls


def test_p_03_arguments_that_stop_early_are_cut_whatever_the_reason_says() -> None:
    reply, _ = assembled(
        CallPiece(0, "a", "write_file", '{"path":"x","content":"half'),
        CallPiece(1, "b", "read_file", '{"path":"y"}'),
        FinishPiece("tool_calls"),
    )
    assert reply.cut_calls == {"a"}
    assert isinstance(json.loads(reply.message.tool_calls[0].arguments), dict)


def test_p_04_a_forgotten_quotation_mark_is_told_as_a_fault() -> None:
    written = '{"command": "git commit -m \\"feat: x}'
    reply, _ = assembled(CallPiece(0, "k", "run_command", written), FinishPiece("tool_calls"))
    assert not reply.cut_calls
    assert "JSON" in reply.faults["k"]


def test_p_01_ids_are_invented_where_missing_or_repeated() -> None:
    reply, _ = assembled(
        CallPiece(None, "a", "read_file", "{}"),
        CallPiece(None, None, "read_file", "{}"),
        CallPiece(None, None, "read_file", "{}"),
        FinishPiece("tool_calls"),
    )
    ids = [call.id for call in reply.message.tool_calls]
    assert ids[0] == "a" and len(set(ids)) == 3 and all(ids)


def test_p_01_the_last_usage_counts() -> None:
    reply, _ = assembled(UsagePiece(Usage(1, 1)), TextPiece("x"), UsagePiece(Usage(5, 2)), FinishPiece("stop"))
    assert reply.usage == Usage(5, 2)


def test_p_15_a_lone_closing_tag_takes_the_text_back_and_shows_it_as_thinking() -> None:
    reply, shown = assembled(TextPiece("internal"), TextPiece(" plan</think>answer"), FinishPiece("stop"))
    assert shown == [
        TextDelta("internal"),
        AttemptDiscarded("that was thinking, not the answer"),
        ReasoningDelta("internal plan"),
        TextDelta("answer"),
    ]
    assert (reply.message.content, reply.message.reasoning) == ("answer", "internal plan")


def test_p_15_where_thinking_comes_apart_an_answer_may_speak_of_the_tag() -> None:
    reply, shown = assembled(ReasoningPiece("hm"), TextPiece("End it with </think> always."), FinishPiece("stop"))
    assert reply.message.content == "End it with </think> always."
    assert not any(isinstance(visible, AttemptDiscarded) for visible in shown)


def test_s_03_halves_of_characters_are_joined_or_replaced_everywhere() -> None:
    reply, shown = assembled(
        ReasoningPiece("\ud83c"),
        ReasoningPiece("\udf0d"),
        TextPiece("a\ud83c"),
        TextPiece("\udf0d b\udc80 c\ud83c"),
        CallPiece(0, "id\ud800", "na\udc00me", '{"path":"caf\\ud83c.txt"}'),
        FinishPiece("stop"),
    )
    message = reply.message
    assert message.reasoning == "🌍"
    assert message.content == "a🌍 b\ufffd c\ufffd" == "".join(v.text for v in shown if isinstance(v, TextDelta))
    call = message.tool_calls[0]
    assert (call.id, call.name) == ("id\ufffd", "na\ufffdme")
    assert json.loads(call.arguments) == {"path": "caf\ufffd.txt"}


def test_p_07_only_blanks_or_only_thinking_is_an_empty_message() -> None:
    for event in (TextPiece("\n\n"), ReasoningPiece("hm"), TextPiece("<think>hm</think>"), TextPiece("")):
        reply, _ = assembled(event, FinishPiece("stop"))
        assert reply.message.is_empty


def test_p_07_the_partial_message_holds_no_calls_and_is_marked() -> None:
    assembler = Assembler()
    for event in (ReasoningPiece("hm"), TextPiece("half"), CallPiece(0, "a", "f", "{")):
        assembler.feed(event)
    partial = assembler.partial()
    assert (partial.content, partial.reasoning, partial.tool_calls) == ("half", "hm", ())
    assert partial.interrupted
