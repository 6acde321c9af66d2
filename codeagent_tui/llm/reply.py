"""One model call with our own retries: what is shown meanwhile, and in the end the whole reply."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from codeagent_tui.conversation.events import AttemptDiscarded, ReasoningDelta, RetryScheduled, TextDelta
from codeagent_tui.llm.assembly import Assembler
from codeagent_tui.llm.provider import BadReply, ChatModel, ChatRequest, ModelError, Reply, StreamEvent

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_LONGEST_STRETCH = 0.008

ReplyEvent = TextDelta | ReasoningDelta | AttemptDiscarded | RetryScheduled | Reply


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently. `max_attempts` counts HTTP requests, the first included; `longest_wait` seconds
    is the longest pause that is waited out when a server asks for one."""

    max_attempts: int = 4
    longest_wait: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    def pause(self, attempt: int, error: ModelError) -> float:
        """Return the seconds to wait after the failed attempt `attempt` (from 1): doubling, with jitter, and never
        less than the server asked for."""
        doubled = _FIRST_PAUSE * 2.0 ** min(attempt - 1, 10)
        backoff = min(doubled, _LONGEST_PAUSE, self.longest_wait) * (0.75 + 0.25 * self.jitter())
        return max(backoff, error.retry_after or 0.0)


async def stream_reply(model: ChatModel, request: ChatRequest, policy: RetryPolicy) -> AsyncIterator[ReplyEvent]:
    """Ask `model` and yield what is to be shown; the last item is the `Reply`.

    An attempt that breaks leaves nothing behind: `AttemptDiscarded` takes what it showed off the screen again.

    Raises:
        ModelError: after the last attempt; `partial` holds what that attempt had streamed.
    """
    attempt = 0
    while True:
        attempt += 1
        assembler = Assembler()
        try:
            # `aclosing` ends the HTTP stream at once when whoever iterates goes away.
            async with aclosing(_attempt(model, request, assembler)) as events:
                async for event in events:
                    yield event
            return
        except ModelError as error:
            if assembler.started:
                error.partial = assembler.partial()
            if not error.retryable or attempt >= policy.max_attempts:
                raise
            if error.retry_after is not None and error.retry_after > policy.longest_wait:
                error.args = (
                    f"{error} It asks to wait {error.retry_after:,.0f} s, longer than the {policy.longest_wait:,.0f} s "
                    "that are waited out by themselves. Everything is kept; try again later with /retry.",
                )
                raise
            pause = policy.pause(attempt, error)
            if assembler.started:
                yield AttemptDiscarded(str(error))
            yield RetryScheduled(attempt, policy.max_attempts, pause, str(error))
            await policy.sleep(pause)


async def end_stream(pieces: AsyncIterator[StreamEvent]) -> None:
    """End a call that `ChatModel.stream` began, whether its answer was read to the end or not."""
    # Every `stream` is an async generator in fact; the protocol only promises an iterator.
    close = cast("Callable[[], Awaitable[None]] | None", getattr(pieces, "aclose", None))
    if close is not None:
        await close()


async def _attempt(
    model: ChatModel, request: ChatRequest, assembler: Assembler
) -> AsyncGenerator[TextDelta | ReasoningDelta | AttemptDiscarded | Reply, None]:
    pieces = model.stream(request)
    clock = asyncio.get_running_loop().time
    gave_way = clock()
    try:
        async for piece in pieces:
            for shown in assembler.feed(piece):
                yield shown
            # What is in the socket's buffer arrives without any wait: hundreds of pieces would hold up the screen.
            if clock() - gave_way > _LONGEST_STRETCH:
                await asyncio.sleep(0)
                gave_way = clock()
    finally:
        await end_stream(pieces)
    for shown in assembler.end():
        yield shown
    if not assembler.finished and not assembler.has_calls:
        raise BadReply("The answer broke off before it was finished.")
    yield assembler.reply()
