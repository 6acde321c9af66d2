"""Event streams, however the bytes are cut."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm.provider import BadReply
from codeagent_tui.llm.sse import EventDecoder, ServerEvent

STREAM = (
    ': ping\n\ndata: {"a": "中文 🙂"}\n\nevent: error\r\ndata: boom\r\n\r\nretry: 3\nid: 7\n\n'
    "data:one\ndata: two\n\ndata:\n\nevent: lonely\n\ndata: last"
)
EVENTS = [
    ServerEvent("", '{"a": "中文 🙂"}'),
    ServerEvent("error", "boom"),
    ServerEvent("", "one\ntwo"),
    ServerEvent("", "last"),
]


def decoded(pieces: list[bytes]) -> list[ServerEvent]:
    decoder = EventDecoder()
    return [event for piece in pieces for event in decoder.feed(piece)] + decoder.end()


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
def test_the_events_do_not_depend_on_where_the_bytes_are_cut(cuts: list[int]) -> None:
    data = STREAM.encode()
    edges = [0, *sorted(cuts), len(data)]
    assert decoded([data[a:b] for a, b in itertools.pairwise(edges)]) == EVENTS


def test_byte_by_byte() -> None:
    assert decoded([bytes([byte]) for byte in STREAM.encode()]) == EVENTS


def test_broken_utf_8_is_replaced_and_ends_nothing() -> None:
    assert decoded([b"data: a\xff\n\ndata: b\n\n"]) == [ServerEvent("", "a\ufffd"), ServerEvent("", "b")]


def test_a_line_that_never_ends_is_given_up() -> None:
    decoder = EventDecoder()
    with pytest.raises(BadReply):
        for _ in range(20):
            decoder.feed(b"x" * 1_000_000)


@pytest.mark.parametrize(("text", "recognised"), [(b": ping\n\n", True), (b"hello\nworld\n", False)])
def test_it_is_known_whether_this_was_an_event_stream_at_all(text: bytes, recognised: bool) -> None:
    decoder = EventDecoder()
    decoder.feed(text)
    assert decoder.recognised is recognised
