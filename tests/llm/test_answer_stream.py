"""The body of a 200 answer: what it is, and when it is over."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from codeagent_tui.llm.answer_stream import Grace, pieces_of_body
from codeagent_tui.llm.provider import BadReply, FinishPiece, ServerFailed, StreamEvent, TextPiece, UsagePiece

AT_ONCE = Grace(0, 0)
X = b'data: {"choices":[{"delta":{"content":"x"}}]}\n\n'
STOP = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
USED = b'data: {"choices":[],"usage":{"prompt_tokens":3}}\n\n'
DONE = b"data: [DONE]\n\n"


async def read(*chunks: bytes, hangs: bool = False, grace: Grace = AT_ONCE) -> list[StreamEvent]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk
        if hangs:
            await asyncio.Event().wait()

    async with asyncio.timeout(5):
        return [piece async for piece in pieces_of_body(body(), grace)]


async def test_a_stream() -> None:
    pieces = await read(X, STOP, USED, DONE, grace=Grace())
    assert [type(piece) for piece in pieces] == [TextPiece, FinishPiece, UsagePiece, FinishPiece]


async def test_one_character_in_two_chunks() -> None:
    data = 'data: {"choices":[{"delta":{"content":"中"}}]}\n\n'.encode()
    at = data.index("中".encode()) + 1
    assert await read(data[:at], data[at:]) == [TextPiece("中")]


@pytest.mark.parametrize("last", [STOP, DONE])
async def test_a_server_that_never_closes_is_not_waited_for(last: bytes) -> None:
    pieces = await read(X, last, hangs=True)
    assert pieces[0] == TextPiece("x") and isinstance(pieces[-1], FinishPiece)


async def test_what_comes_after_the_finish_in_time_still_counts() -> None:
    pieces = await read(X + STOP, USED, grace=Grace(60, 60))
    assert any(isinstance(piece, UsagePiece) for piece in pieces)


async def test_nothing_after_done_counts() -> None:
    assert await read(X + DONE + X) == [TextPiece("x"), FinishPiece("")]


@pytest.mark.parametrize("start", [b"\n\n", b"\xef\xbb\xbf", b": hello\n\n"])
async def test_white_space_a_mark_and_a_comment_before_the_stream(start: bytes) -> None:
    assert (await read(start, X))[0] == TextPiece("x")
    assert (await read(start + X))[0] == TextPiece("x")


async def test_a_whole_completion_is_an_answer_and_is_whole() -> None:
    body = b'\n {"choices":[{"message":{"role":"assistant","content":"all"}}]}'
    assert await read(body[:20], body[20:]) == [TextPiece("all"), FinishPiece("")]


@pytest.mark.parametrize(
    "body",
    [b"<html><body>Welcome</body></html>", b"hello", b"", b"  \n", b'{"status":"ok"}', b"[1]", b"{", b'{"choices":[]}'],
)
async def test_p_09_what_is_no_answer_is_a_bad_reply_of_one_line(body: bytes) -> None:
    with pytest.raises(BadReply, match="base URL") as caught:
        await read(body)
    assert "\n" not in str(caught.value)


async def test_p_09_an_error_as_the_whole_body() -> None:
    with pytest.raises(ServerFailed, match="busy"):
        await read(b'{"error":{"message":"busy"}}')


async def test_a_stream_of_comments_only_is_no_finished_answer() -> None:
    assert await read(b": ping\n\n") == []
