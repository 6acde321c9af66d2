"""Where a history may be cut: at the user's words, or between whole groups of calls and results."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.cut import inner_cut, turn_cut
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import (
    Message,
    MessageKind,
    Role,
    ToolCall,
    assistant,
    tool_result,
    user,
)
from codeagent_tui.conversation.pairing import pair_faults


def turn(number: int, rounds: int = 0, calls: int = 1) -> list[Message]:
    """Return a user turn: the request, rounds of calls with their results, an answer."""
    messages = [user(f"q{number}")]
    for at in range(rounds):
        made = [ToolCall(f"t{number}.{at}.{call}", "read_file", "{}") for call in range(calls)]
        messages.append(assistant("", *made))
        messages += [tool_result(call.id, f"r{number}.{at}") for call in made]
    return [*messages, assistant(f"a{number}")]


def conversation(*turns: list[Message]) -> list[Message]:
    return [message for one in turns for message in one]


def one(message: Message) -> int:
    return 1


def test_the_last_turns_stay() -> None:
    messages = conversation(turn(1, 2), turn(2), turn(3, 1), turn(4), turn(5))
    cut = turn_cut(messages, 3)
    assert cut is not None and cut.restated is None
    assert messages[cut.index].content == "q3"


def test_too_few_turns_give_no_cut() -> None:
    messages = conversation(turn(1), turn(2), turn(3))
    assert turn_cut(messages, 3) is None
    assert turn_cut([], 3) is None


def test_a_summary_is_no_turn_and_can_be_cut_off_again() -> None:
    summary = [
        Message(Role.USER, "background", kind=MessageKind.SUMMARY),
        Message(Role.ASSISTANT, "understood", kind=MessageKind.ACKNOWLEDGEMENT),
    ]
    messages = [*summary, *conversation(turn(1), turn(2))]
    assert turn_cut(messages, 2) is None
    cut = turn_cut(messages, 1)
    assert cut is not None and messages[cut.index].content == "q2"


def test_inside_a_turn_the_cut_falls_before_an_assistant_message_and_the_request_is_restated() -> None:
    messages = conversation(turn(1), turn(2, rounds=10, calls=2))
    cut = inner_cut(messages, one, keep_tokens=7)
    assert cut is not None and cut.restated is not None
    assert cut.restated.content == "q2"
    assert messages[cut.index].role is Role.ASSISTANT
    # Two rounds of three messages, and the answer.
    assert len(messages) - cut.index == 7


def test_the_last_group_stays_however_large_it_is() -> None:
    messages = turn(1, rounds=3)
    cut = inner_cut(messages, lambda _: 1_000, keep_tokens=10)
    assert cut is not None and messages[cut.index].content == "a1"


def test_a_turn_without_two_groups_cannot_be_cut_inside() -> None:
    assert inner_cut(turn(1), one, 0) is None
    assert inner_cut([user("q")], one, 0) is None
    assert inner_cut([], one, 0) is None


def test_nothing_is_cut_off_when_everything_fits() -> None:
    assert inner_cut(turn(1, rounds=3), one, keep_tokens=100) is None


TURNS = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=6)


@given(TURNS, st.integers(1, 4), st.integers(0, 20), st.integers(0, 100))
def test_c_01_no_cut_parts_a_call_from_its_result(
    shapes: list[tuple[int, int]], keep_turns: int, keep_tokens: int, length: int
) -> None:
    whole = conversation(*(turn(number, rounds, calls) for number, (rounds, calls) in enumerate(shapes)))
    # Any prefix may be what is there when a turn broke off; the history makes it whole.
    messages = History(whole[: length % (len(whole) + 1)]).messages
    for cut in (turn_cut(messages, keep_turns), inner_cut(messages, one, keep_tokens)):
        if cut is None:
            continue
        assert 0 < cut.index < len(messages)
        head = [] if cut.restated is None else [cut.restated]
        assert pair_faults([*head, *messages[cut.index :]]) == []
        assert pair_faults(messages[: cut.index]) == []
