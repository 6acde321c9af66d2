"""Tool calls whose frames lack this or that (P-01)."""

import pytest

from codeagent_tui.llm.call_pieces import CallCollector
from codeagent_tui.llm.provider import CallPiece

P = CallPiece
BOTH = [("read_file", '{"p":1}'), ("list_dir", '{"p":2}')]

CASES = {
    "as OpenAI does": [
        P(0, "a", "read_file", ""),
        P(0, None, None, '{"p":'),
        P(0, None, None, "1}"),
        P(1, "b", "list_dir", ""),
        P(1, None, None, '{"p":2}'),
    ],
    "interleaved": [
        P(0, "a", "read_file"),
        P(1, "b", "list_dir"),
        P(1, None, None, '{"p":2}'),
        P(0, None, None, '{"p":1}'),
    ],
    "no index": [
        P(None, "a", "read_file"),
        P(None, None, None, '{"p":1}'),
        P(None, "b", "list_dir", '{"p":2}'),
    ],
    "neither index nor id": [P(name="read_file"), P(arguments='{"p":1}'), P(name="list_dir", arguments='{"p":2}')],
    "all with index 0 and ids": [P(0, "a", "read_file", '{"p":1}'), P(0, "b", "list_dir", '{"p":2}')],
    "all with index 0, no ids": [P(0, None, "read_file", '{"p":1}'), P(0, None, "list_dir", '{"p":2}')],
    "the name comes after the id": [
        P(0, "a"),
        P(0, None, "read_file"),
        P(0, None, None, '{"p":1}'),
        P(1, "b"),
        P(1, None, "list_dir"),
        P(1, None, None, '{"p":2}'),
    ],
    "the name comes after the id, no index": [
        P(None, "a"),
        P(None, None, "read_file", '{"p":1}'),
        P(None, None, "list_dir", '{"p":2}'),
    ],
    "name and id in every frame": [
        P(0, "a", "read_file", '{"p"'),
        P(0, "a", "read_file", ":1}"),
        P(1, "b", "list_dir", '{"p"'),
        P(1, "b", "list_dir", ":2}"),
    ],
    "name in every frame, no id": [
        P(0, None, "read_file", '{"p"'),
        P(0, None, "read_file", ":1}"),
        P(1, None, "list_dir", '{"p":2}'),
    ],
    "another id in every frame": [
        P(0, "a", "read_file", '{"p"'),
        P(0, "a2", None, ":1}"),
        P(1, "b", "list_dir", '{"p":2}'),
    ],
    "the index comes late": [
        P(None, "a", "read_file"),
        P(0, None, None, '{"p":1}'),
        P(1, "b", "list_dir", '{"p":2}'),
    ],
    "empty pieces in between": [
        P(0),
        P(0, "a", "read_file", '{"p":1}'),
        P(),
        P(1, "b", "list_dir", '{"p":2}'),
        P(1, None, None, ""),
    ],
    "indexes from 1": [P(1, "a", "read_file", '{"p":1}'), P(2, "b", "list_dir", '{"p":2}')],
}


@pytest.mark.parametrize("name", CASES)
def test_p_01_the_same_two_calls(name: str) -> None:
    collector = CallCollector()
    for piece in CASES[name]:
        collector.take(piece)
    assert [(call.name, call.arguments) for call in collector.calls] == BOTH


def test_p_01_two_calls_of_the_same_tool_stay_two() -> None:
    collector = CallCollector()
    for _ in range(2):
        collector.take(P(0, None, "read_file", '{"p":1}'))
    assert [call.name for call in collector.calls] == ["read_file", "read_file"]


def test_p_04_what_is_collected_is_bounded() -> None:
    collector = CallCollector()
    collector.take(P(0, "a", "read_file"))
    for _ in range(10):
        collector.take(P(0, None, None, "x" * 1_000_000))
    assert len(collector.calls[0].arguments) < 5_000_000
