"""One call with retries: how often, how long, what is shown (P-10, P-11)."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from codeagent_tui.conversation.events import AttemptDiscarded, RetryScheduled, TextDelta
from codeagent_tui.conversation.messages import user
from codeagent_tui.llm.provider import (
    AuthFailed,
    BadReply,
    CallPiece,
    ChatRequest,
    ContextOverflow,
    FinishPiece,
    ModelError,
    NetworkFailed,
    RateLimited,
    Reply,
    RequestRefused,
    ServerFailed,
    StreamEvent,
    TextPiece,
)
from codeagent_tui.llm.reply import ReplyEvent, RetryPolicy, stream_reply
from tests.support.models import ScriptedModel, says

REQUEST = ChatRequest("S", (user("hi"),))


class Pauses:
    """Keeps the waits of a retry instead of waiting."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def policy(attempts: int = 4, longest_wait: float = 60.0, jitter: float = 1.0) -> tuple[RetryPolicy, Pauses]:
    pauses = Pauses()
    return RetryPolicy(attempts, longest_wait, sleep=pauses, jitter=lambda: jitter), pauses


async def collected(model: ScriptedModel, policy: RetryPolicy) -> list[ReplyEvent]:
    return [event async for event in stream_reply(model, REQUEST, policy)]


@pytest.mark.parametrize("attempts", [1, 2, 4, 7])
async def test_p_11_the_number_of_requests_is_exactly_the_settings(attempts: int) -> None:
    model = ScriptedModel([ServerFailed("busy")])
    retry, pauses = policy(attempts)
    with pytest.raises(ServerFailed):
        await collected(model, retry)
    assert len(model.requests) == attempts
    assert len(pauses.seconds) == attempts - 1


async def test_p_11_the_pauses_double_and_stay_bounded() -> None:
    model = ScriptedModel([ServerFailed("busy")])
    retry, pauses = policy(12)
    with pytest.raises(ServerFailed):
        await collected(model, retry)
    assert pauses.seconds[:4] == [0.5, 1.0, 2.0, 4.0]
    assert max(pauses.seconds) == 30.0


async def test_p_11_503_twice_then_an_answer() -> None:
    model = ScriptedModel([ServerFailed("busy")], [ServerFailed("busy")], says("ok"))
    retry, pauses = policy()
    events = await collected(model, retry)
    scheduled = [event for event in events if isinstance(event, RetryScheduled)]
    assert [(event.attempt, event.attempts, event.delay) for event in scheduled] == [(1, 4, 0.5), (2, 4, 1.0)]
    assert pauses.seconds == [0.5, 1.0]
    assert isinstance(events[-1], Reply) and events[-1].message.content == "ok"


async def test_p_11_the_servers_wish_is_a_lower_bound() -> None:
    model = ScriptedModel([RateLimited("slow", retry_after=3.0)], [RateLimited("slow", retry_after=0.1)], says("ok"))
    retry, pauses = policy()
    await collected(model, retry)
    assert pauses.seconds == [3.0, 1.0]


async def test_p_11_a_longer_wish_than_the_limit_is_told_at_once() -> None:
    model = ScriptedModel([TextPiece("half"), RateLimited("slow", retry_after=1800.0)])
    retry, pauses = policy()
    with pytest.raises(RateLimited, match=r"1,800 s.*60 s.*/retry") as caught:
        await collected(model, retry)
    assert pauses.seconds == [] and len(model.requests) == 1
    assert caught.value.partial is not None and caught.value.partial.content == "half"


async def test_p_11_our_own_pause_never_passes_the_limit_and_is_not_told_as_the_servers() -> None:
    model = ScriptedModel([ServerFailed("busy")])
    retry, pauses = policy(8, longest_wait=2.0)
    with pytest.raises(ServerFailed, match=r"^busy$"):
        await collected(model, retry)
    assert max(pauses.seconds) == 2.0


@pytest.mark.parametrize("kind", [AuthFailed, RequestRefused, ContextOverflow])
async def test_what_cannot_succeed_later_is_not_tried_again(kind: type[ModelError]) -> None:
    model = ScriptedModel([kind("no")])
    retry, _ = policy()
    with pytest.raises(kind):
        await collected(model, retry)
    assert len(model.requests) == 1


async def test_p_10_each_attempt_starts_from_nothing() -> None:
    model = ScriptedModel(
        [TextPiece("I will edit "), CallPiece(0, "e1", "edit_file", '{"path":"a.p'), NetworkFailed("reset")],
        [TextPiece("I will edit a.py"), CallPiece(0, "e2", "edit_file", '{"path":"a.py"}'), FinishPiece("tool_calls")],
    )
    retry, _ = policy()
    events = await collected(model, retry)
    assert [type(event) for event in events] == [TextDelta, AttemptDiscarded, RetryScheduled, TextDelta, Reply]
    reply = events[-1]
    assert isinstance(reply, Reply)
    assert reply.message.content == "I will edit a.py"
    assert [call.id for call in reply.message.tool_calls] == ["e2"]
    assert not reply.cut_calls and not reply.faults


async def test_p_10_nothing_is_discarded_where_nothing_was_shown() -> None:
    model = ScriptedModel([NetworkFailed("reset")], says("ok"))
    retry, _ = policy()
    assert not any(isinstance(event, AttemptDiscarded) for event in await collected(model, retry))


async def test_p_10_after_the_last_attempt_the_partial_text_is_kept_and_not_discarded() -> None:
    model = ScriptedModel([TextPiece("half"), NetworkFailed("reset")])
    retry, _ = policy(2)
    events: list[ReplyEvent] = []
    with pytest.raises(NetworkFailed) as caught:
        async for event in stream_reply(model, REQUEST, retry):
            events.append(event)
    assert isinstance(events[-1], TextDelta)
    assert caught.value.partial is not None
    assert (caught.value.partial.content, caught.value.partial.interrupted) == ("half", True)


async def test_p_10_a_cancel_ends_the_waiting_at_once() -> None:
    waiting, ended = asyncio.Event(), asyncio.Event()

    async def forever(_: float) -> None:
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    model = ScriptedModel([ServerFailed("busy")])
    task = asyncio.create_task(collected(model, RetryPolicy(sleep=forever)))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set() and len(model.requests) == 1


async def test_an_answer_that_breaks_off_without_a_word_is_tried_again() -> None:
    model = ScriptedModel([TextPiece("half")], says("whole"))
    retry, _ = policy()
    events = await collected(model, retry)
    assert isinstance(events[-1], Reply) and events[-1].message.content == "whole"
    with pytest.raises(BadReply):
        await collected(ScriptedModel([TextPiece("half")]), policy(1)[0])


async def test_leaving_early_closes_the_models_stream() -> None:
    closed = asyncio.Event()

    class Model(ScriptedModel):
        async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
            try:
                while True:
                    yield TextPiece("x")
            finally:
                closed.set()

    stream = stream_reply(Model(), REQUEST, RetryPolicy())
    await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert closed.is_set()


async def test_a_burst_of_pieces_lets_others_work_in_between() -> None:
    class Burst(ScriptedModel):
        async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
            while not others_worked:
                yield TextPiece("x")
            yield FinishPiece("stop")

    others_worked: list[bool] = []
    asyncio.get_running_loop().call_soon(others_worked.append, True)
    reply = (await collected(Burst(), RetryPolicy()))[-1]
    assert isinstance(reply, Reply) and reply.message.content
