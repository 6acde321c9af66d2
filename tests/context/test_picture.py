"""The picture that /context shows: groups, the largest messages, growth and when a compaction is due."""

from __future__ import annotations

from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.picture import LARGEST, ContextPicture, picture_of
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall, assistant, tool_result, user

SECTIONS = [("identity", "You are. " * 20), ("rules", "Do. " * 30), ("project memory", "Use uv. " * 40)]


def picture(messages: list[Message], window: int = 32_768) -> ContextPicture:
    budget = ContextBudget(ContextProfile.for_window(window))
    held = History(messages).messages
    return picture_of(budget.measure(SECTIONS, held, ()), held, budget)


def turn(number: int, tokens: int) -> list[Message]:
    call = ToolCall(f"c{number}", "read_file", f'{{"path": "f{number}.py"}}')
    return [user(f"q{number}"), assistant("", call), tool_result(f"c{number}", "word " * tokens), assistant("done")]


def test_parts_are_grouped_in_the_order_of_the_request_and_add_up() -> None:
    found = picture(turn(1, 400))
    assert [part.name for part in found.parts] == ["system prompt", "project memory", "you", "answers", "tool results"]
    assert sum(part.tokens for part in found.parts) == found.reading.total


def test_the_largest_come_first_with_their_names_and_turns() -> None:
    summary = Message(Role.USER, "old things " * 300, kind=MessageKind.SUMMARY)
    ok = Message(Role.ASSISTANT, "ok", kind=MessageKind.ACKNOWLEDGEMENT)
    found = picture([summary, ok, *turn(1, 100), *turn(2, 3_000), *turn(3, 20)])
    first, second, *_ = found.largest
    assert (first.name, first.turn, first.can_shorten, first.can_leave_out) == (
        "result of read_file f2.py",
        2,
        True,
        True,
    )
    assert (second.name, second.turn, second.can_leave_out) == ("summary of earlier turns", 0, False)
    assert [item.tokens for item in found.largest] == sorted((item.tokens for item in found.largest), reverse=True)
    assert len(found.largest) == LARGEST
    newest = next(item for item in picture(turn(3, 20)).largest if item.name == "you")
    assert not newest.can_leave_out


def test_the_pace_is_the_median_of_the_last_turns_and_foretells_the_compaction() -> None:
    steady = [message for number in range(9) for message in turn(number, 800)]
    found = picture([*steady, *turn(9, 6_000)])
    assert len(found.growth) == 10
    assert found.pace == found.growth[4]  # not the giant last one
    left = found.reading.trigger - found.reading.total
    assert found.turns_left is not None
    assert (found.turns_left - 1) * found.pace < left <= found.turns_left * found.pace


def test_beyond_the_trigger_it_is_due_and_without_turns_nothing_is_foretold() -> None:
    assert picture(turn(1, 30_000)).turns_left == 0
    empty = picture([])
    assert (empty.turns_left, empty.pace, empty.largest, empty.growth) == (None, 0, (), ())
