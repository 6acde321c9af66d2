"""What the next request holds: one measure for the gauge, the trigger and the check afterwards."""

import gc
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.calibration import Observation
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.messages import (
    Message,
    MessageKind,
    Role,
    ToolCall,
    Usage,
    assistant,
    tool_result,
    user,
)
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.tokens import estimate_tokens

TOOLS = (ToolSpec("read_file", "Read a file. " * 50, {"type": "object", "properties": {"path": {"type": "string"}}}),)


def budget(window: int = 200_000) -> ContextBudget:
    return ContextBudget(ContextProfile.for_window(window))


def test_a_message_costs_its_content_and_its_calls() -> None:
    call = ToolCall("c1", "read_file", '{"path": "src/a.py"}')
    assert budget().message_tokens(user("x" * 400)) == 100
    assert budget().message_tokens(assistant("", call)) == estimate_tokens("read_file" + '{"path": "src/a.py"}')
    assert budget().message_tokens(tool_result("c1", "记忆" * 30)) == 40


def test_c_11_the_whole_request_is_counted_also_with_an_empty_history() -> None:
    reading = budget().measure([("identity", "x" * 4_000), ("empty", "")], (), TOOLS)
    parts = {part.name: part.tokens for part in reading.parts}
    assert parts["identity"] == 1_000
    assert parts["tool schemas"] > 150
    assert set(parts) == {"identity", "tool schemas"}
    assert reading.total == sum(parts.values())


def test_the_parts_say_who_spoke_and_what_is_a_summary() -> None:
    messages = (
        Message(Role.USER, "s" * 40, kind=MessageKind.SUMMARY),
        Message(Role.ASSISTANT, "a" * 40, kind=MessageKind.ACKNOWLEDGEMENT),
        user("u" * 80),
        assistant("a" * 120, ToolCall("c", "", "")),
        tool_result("c", "r" * 160),
        Message(Role.USER, "f" * 200, kind=MessageKind.RECALLED),
    )
    parts = {part.name: part.tokens for part in budget().measure([], messages, ()).parts}
    assert parts == {"summary": 20, "user": 20, "assistant": 30, "tool results": 40, "recalled": 50}


def test_the_reading_holds_the_lines_of_the_gauge() -> None:
    reading = budget(32_768).measure([], (), ())
    assert (reading.window, reading.trigger, reading.ceiling) == (32_768, 20_480, 24_576)
    assert (reading.total, reading.short_term_budget, reading.measured) == (0, 14_745, False)


def test_c_05_cached_tokens_and_sums_do_not_inflate_the_gauge_and_a_compaction_shows_at_once() -> None:
    measured = budget()
    long = (user("x" * 120_000),)
    plain = measured.messages_tokens(long)
    for step in range(5):
        measured.calibration.observe(plain, 30_000 + step)
    assert 0.14 < measured.measure([], long, ()).total / 200_000 < 0.16
    longer = (*long, user("x" * 560_000))
    measured.calibration.observe(measured.messages_tokens(longer), 170_000)
    assert 0.84 < measured.measure([], longer, ()).total / 200_000 < 0.86
    # The same function measures what a compaction leaves: nothing of the provider's last report sticks to it.
    assert 0.05 < measured.measure([], (user("s" * 48_000),), ()).total / 200_000 < 0.07


def test_c_05_after_a_compaction_the_gauge_is_marked_as_an_estimate_again() -> None:
    measured = budget()
    long = (user("x" * 640_000),)
    assert not measured.measure([], long, ()).measured
    measured.learn(ChatRequest("", long), Usage(170_000, 900, cached_tokens=168_000))
    reading = measured.measure([], long, ())
    assert (reading.total, reading.measured) == (170_000, True)
    assert not measured.measure([], (user("s" * 45_000),), ()).measured


def test_c_05_a_request_without_usage_changes_nothing() -> None:
    measured = budget()
    request = ChatRequest("s" * 4_000, (user("x" * 40_000),), TOOLS)
    assert measured.learn(request, Usage(12_000, 10)) is Observation.LEARNED
    before = measured.measure([("system", request.system)], request.messages, TOOLS)
    assert measured.learn(request, Usage()) is Observation.IGNORED
    assert measured.measure([("system", request.system)], request.messages, TOOLS) == before


def test_the_measure_of_a_session_counts_what_the_formula_passes_over() -> None:
    profile = ContextProfile.for_window(200_000)
    safe = ContextBudget.of_settings(profile, calibrate=True)
    plain = ContextBudget.of_settings(profile, calibrate=False)
    digits = user("0123456789" * 100)
    assert (plain.message_tokens(digits), safe.message_tokens(digits) > 1_000) == (250, True)
    assert safe.message_tokens(user("")) == 4


def test_with_calibration_off_the_numbers_are_exactly_the_formulas() -> None:
    measured = ContextBudget.of_settings(ContextProfile.for_window(200_000), calibrate=False)
    messages = (user("\u8bb0\u5fc6" * 700), assistant("x" * 2_001))
    measured.learn(ChatRequest("rules" * 99, messages, TOOLS), Usage(9_999, 1))
    reading = measured.measure([("identity", "rules" * 99)], messages, ())
    assert reading.total == sum(map(estimate_tokens, ("rules" * 99, "\u8bb0\u5fc6" * 700, "x" * 2_001)))
    assert not reading.measured


def test_the_parts_add_up_to_the_total_also_when_calibrated() -> None:
    measured = budget()
    sections, messages = [("rules", "x" * 999)], (user("y" * 777), assistant("z" * 555))
    measured.learn(ChatRequest("x" * 999, messages, TOOLS), Usage(1_337, 1))
    reading = measured.measure(sections, messages, TOOLS)
    assert reading.measured
    assert abs(reading.total - 1_337) <= len(reading.parts)
    assert reading.total == sum(part.tokens for part in reading.parts)


def test_a_changed_message_of_the_same_id_is_measured_anew() -> None:
    measured, message = budget(), user("x" * 40)
    assert measured.message_tokens(message) == 10
    assert measured.message_tokens(replace(message, content="x" * 80)) == 20


@given(st.lists(st.text(max_size=200), max_size=20), st.text(max_size=200))
def test_more_text_never_costs_less(texts: list[str], more: str) -> None:
    measured = budget()
    messages = [user(text) for text in texts]
    assert 0 <= measured.messages_tokens(messages) <= measured.messages_tokens([*messages, user(more)])


def test_messages_that_left_the_conversation_are_not_kept_in_memory() -> None:
    budget = ContextBudget(ContextProfile.for_window(32_768))
    gone = user("what is compacted away")
    watched = len(gc.get_referrers(gone))
    budget.measure((), [gone], ())
    assert len(gc.get_referrers(gone)) > watched
    budget.measure((), [user(f"question {number}") for number in range(2_000)], ())
    budget.measure((), [user("the only one that is left")], ())
    assert len(gc.get_referrers(gone)) == watched
