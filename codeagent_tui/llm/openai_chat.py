"""Any OpenAI-compatible server, through the openai SDK.

The SDK makes the connection and the request; the stream is decoded here. Its own decoder costs several times as much
a chunk, ends a turn over an empty keep-alive frame, and hands an `event: error` frame on as a frame without choices.
The SDK takes about 0.4 s to import: `preload` does it ahead of time, in whatever thread calls it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.errors import error_from_frame, error_from_status, not_an_answer
from codeagent_tui.llm.provider import (
    BadReply,
    CallPiece,
    ChatRequest,
    FinishPiece,
    JsonValue,
    NetworkFailed,
    ReasoningPiece,
    RequestRefused,
    StreamEvent,
    TextPiece,
    UsagePiece,
)
from codeagent_tui.llm.request import payload
from codeagent_tui.llm.sse import EventDecoder, ServerEvent
from codeagent_tui.text import one_line

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai._response import AsyncAPIResponse
    from openai.types.chat import ChatCompletionChunk

_CONNECT_SECONDS = 15.0
_LARGEST_BODY = 2_000_000
_NO_KEY = "no-key-needed"


def preload() -> None:
    """Import the SDK, so that the first request does not have to."""
    import openai  # noqa: F401  only for its effect


class OpenAIChatModel:
    """A model behind an OpenAI-compatible endpoint; one HTTP request a `stream`, no retries."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str = "",
        api_key: str = "",
        window: int | None = None,
        timeout: float = 120.0,
        max_output_tokens: int | None = None,
    ) -> None:
        """`timeout` is the longest silence in seconds; an empty `base_url` means the SDK's default endpoint."""
        self.name = name
        self.window = window
        self.base_url = base_url
        self._api_key = api_key or _NO_KEY
        self._timeout = timeout
        self._max_output_tokens = max_output_tokens
        self._usage_wanted = True
        self._client: AsyncOpenAI | None = None

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer `request`; see `ChatModel`."""
        client = await self._connected()
        import openai

        body = payload(self.name, request, self._max_output_tokens)
        try:
            async for piece in self._stream(client, body):
                yield piece
        except openai.APIStatusError as error:
            failure = error_from_status(error.status_code, error.response.headers, await _body_of(error))
            if not (self._usage_wanted and isinstance(failure, RequestRefused) and "stream_options" in str(failure)):
                raise failure from error
            self._usage_wanted = False
        except openai.APITimeoutError as error:
            raise NetworkFailed(f"The server did not answer within {self._timeout:.0f} s.") from error
        except openai.APIConnectionError as error:
            raise NetworkFailed(f"No connection to {self.base_url or 'the server'}{_cause(error)}.") from error
        else:
            return
        async for piece in self.stream(request):
            yield piece

    async def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            await asyncio.to_thread(preload)
            from openai import AsyncOpenAI, DefaultAsyncHttpx2Client, Timeout

            timeout = Timeout(self._timeout, connect=_CONNECT_SECONDS)
            self._client = AsyncOpenAI(
                api_key=self._api_key,
                base_url=self.base_url or None,
                max_retries=0,
                timeout=timeout,
                http_client=DefaultAsyncHttpx2Client(timeout=timeout),
            )
        return self._client

    async def _stream(self, client: AsyncOpenAI, body: dict[str, JsonValue]) -> AsyncIterator[StreamEvent]:
        import httpx2

        if self._usage_wanted:
            body = {**body, "stream_options": {"include_usage": True}}
        # The body is JSON already. It travels as `extra_body`, because the typed arguments are walked and copied in
        # Python, message by message, before each request.
        response_of = client.chat.completions.with_streaming_response.create(
            model=self.name, messages=[], stream=True, extra_body=body
        )
        async with response_of as response:
            try:
                async for piece in _pieces(response):
                    yield piece
            except httpx2.TimeoutException as error:
                raise NetworkFailed(f"The server fell silent for {self._timeout:.0f} s.") from error
            except httpx2.HTTPError as error:
                raise NetworkFailed(f"The connection broke{_cause(error)}.") from error

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


async def _body_of(error: object) -> str:
    response = getattr(error, "response", None)
    if response is None:
        return ""
    with suppress(Exception):
        await response.aread()
    with suppress(Exception):
        return str(response.text)[:_LARGEST_BODY]
    return ""


def _cause(error: BaseException) -> str:
    deepest = error
    while deepest.__cause__ is not None or deepest.__context__ is not None:
        deepest = deepest.__cause__ or deepest.__context__ or deepest
    said = one_line(str(deepest), 200)
    return f" ({said or type(deepest).__name__})"


async def _pieces(response: AsyncAPIResponse[AsyncStream[ChatCompletionChunk]]) -> AsyncIterator[StreamEvent]:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ("application/json", "text/html", "text/plain"):
        for piece in _whole_answer(await _read(response)):
            yield piece
        return
    decoder = EventDecoder()
    start = b""
    understood = False
    async for data in response.iter_bytes():
        if not understood and len(start) < 4096:
            start += data
        for event in decoder.feed(data):
            understood = True
            for piece in _pieces_of(event):
                yield piece
    for event in decoder.end():
        understood = True
        for piece in _pieces_of(event):
            yield piece
    if not understood:
        raise not_an_answer(start.decode("utf-8", "replace"))


async def _read(response: AsyncAPIResponse[AsyncStream[ChatCompletionChunk]]) -> str:
    body = b""
    async for data in response.iter_bytes():
        body += data
        if len(body) > _LARGEST_BODY:
            break
    return body.decode("utf-8", "replace")


def _whole_answer(body: str) -> Iterator[StreamEvent]:
    """Read a server that does not stream: one JSON object, with a `message` where a frame has a `delta`."""
    if body.lstrip().startswith("data:"):
        decoder = EventDecoder()
        for event in (*decoder.feed(body.encode()), *decoder.end()):
            yield from _pieces_of(event)
        return
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise not_an_answer(body) from None
    if not isinstance(data, dict) or not (data.get("choices") or data.get("error")):
        raise not_an_answer(body)
    yield from _pieces_of_frame(data)


def _pieces_of(event: ServerEvent) -> Iterator[StreamEvent]:
    if event.data.strip() == "[DONE]":
        yield FinishPiece("")
        return
    try:
        frame = json.loads(event.data)
    except (ValueError, RecursionError):
        if event.name == "error":
            raise error_from_frame(event.data) from None
        raise BadReply(f"The server sent a frame that is no JSON: {one_line(event.data, 200)}") from None
    if event.name == "error":
        raise error_from_frame(frame)
    if isinstance(frame, dict):
        yield from _pieces_of_frame(frame)


def _pieces_of_frame(frame: dict[str, object]) -> Iterator[StreamEvent]:
    if frame.get("error"):
        raise error_from_frame(frame["error"])
    choices = frame.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        choice = choices[0]
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from _pieces_of_delta(delta)
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish:
            yield FinishPiece(finish)
    usage = frame.get("usage")
    if isinstance(usage, dict):
        yield UsagePiece(_usage(usage))


def _pieces_of_delta(delta: dict[str, object]) -> Iterator[StreamEvent]:
    reasoning = delta.get("reasoning_content") or delta.get("reasoning")
    if isinstance(reasoning, str) and reasoning:
        yield ReasoningPiece(reasoning)
    content = delta.get("content")
    if isinstance(content, str) and content:
        yield TextPiece(content)
    calls = delta.get("tool_calls")
    if isinstance(calls, list):
        for call in calls:
            if isinstance(call, dict):
                yield _call_piece(call)


def _call_piece(call: dict[str, object]) -> CallPiece:
    function = call.get("function")
    named = cast("dict[str, object]", function) if isinstance(function, dict) else {}
    index, call_id, name, arguments = call.get("index"), call.get("id"), named.get("name"), named.get("arguments")
    return CallPiece(
        index=index if isinstance(index, int) else None,
        id=call_id if isinstance(call_id, str) and call_id else None,
        name=name if isinstance(name, str) and name else None,
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else None,
    )


def _usage(data: dict[str, object]) -> Usage:
    def number(source: object, key: str) -> int:
        value = source.get(key) if isinstance(source, dict) else None
        return value if isinstance(value, int) and value >= 0 else 0

    return Usage(
        prompt_tokens=number(data, "prompt_tokens"),
        completion_tokens=number(data, "completion_tokens"),
        cached_tokens=number(data.get("prompt_tokens_details"), "cached_tokens"),
        reasoning_tokens=number(data.get("completion_tokens_details"), "reasoning_tokens"),
    )
