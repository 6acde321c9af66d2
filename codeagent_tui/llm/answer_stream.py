"""The body of a 200 answer → stream events: an event stream, one whole JSON completion, or no answer at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass

from codeagent_tui.llm.errors import not_an_answer
from codeagent_tui.llm.frames import is_done, pieces_of_event, pieces_of_frame
from codeagent_tui.llm.provider import FinishPiece, StreamEvent
from codeagent_tui.llm.sse import EventDecoder

_LARGEST_BODY = 8_000_000
_KEPT_START = 4_096


@dataclass(frozen=True, slots=True)
class Grace:
    """How many seconds a server that has finished may stay silent before it is not listened to any more.

    After the finish reason only the usage can come, after `[DONE]` only the end of the body; that is waited for so
    that the connection can be used again. Some servers leave it open and never end.
    """

    after_finish: float = 5.0
    after_done: float = 0.25


async def pieces_of_body(chunks: AsyncIterator[bytes], grace: Grace = Grace()) -> AsyncGenerator[StreamEvent, None]:
    """Yield what `chunks`, the body of an answer, holds. Its own first character says what it is: servers get the
    content type wrong.

    Raises:
        BadReply: when it is no chat answer.
        ModelError: when the body reports an error.
    """
    start = b""
    while not start.lstrip(b"\xef\xbb\xbf \t\r\n"):
        chunk = await anext(chunks, None)
        if chunk is None:
            raise not_an_answer("")
        start += chunk
    start = start.removeprefix(b"\xef\xbb\xbf")
    if start.lstrip()[:1] in (b"{", b"[", b"<"):
        for piece in _whole_answer(await _rest(start, chunks)):
            yield piece
        return
    decoder = EventDecoder()
    clock = asyncio.get_running_loop().time
    deadline: float | None = None
    chunk = start
    while chunk is not None:
        for event in decoder.feed(chunk):
            for piece in pieces_of_event(event):
                if deadline is not None or isinstance(piece, FinishPiece):
                    deadline = clock() + grace.after_finish
                yield piece
            if is_done(event):
                await _next(chunks, clock() + grace.after_done)
                return
        chunk = await _next(chunks, deadline)
    for event in decoder.end():
        for piece in pieces_of_event(event):
            yield piece
    if not decoder.recognised:
        raise not_an_answer(start[:_KEPT_START].decode("utf-8", "replace"))


async def _next(chunks: AsyncIterator[bytes], deadline: float | None) -> bytes | None:
    """Return the next chunk; None at the end, or when `deadline` (the loop's time) has passed."""
    if deadline is None:
        return await anext(chunks, None)
    try:
        async with asyncio.timeout_at(deadline):
            return await anext(chunks, None)
    except TimeoutError:
        return None


async def _rest(start: bytes, chunks: AsyncIterator[bytes]) -> str:
    parts, size = [start], len(start)
    async for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > _LARGEST_BODY:
            break
    return b"".join(parts).decode("utf-8", "replace")


def _whole_answer(body: str) -> Iterator[StreamEvent]:
    """Read the answer of a server that does not stream."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise not_an_answer(body) from None
    if not isinstance(data, dict) or not (data.get("choices") or data.get("error") or data.get("object") == "error"):
        raise not_an_answer(body)
    yield from pieces_of_frame(data)
    yield FinishPiece("")
