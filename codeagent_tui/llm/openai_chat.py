"""Any OpenAI-compatible server, through the openai SDK.

The SDK makes the connection and the request; the stream is decoded here. Its own decoder costs several times as much
a chunk, ends a turn over an empty keep-alive frame, and hands an `event: error` frame on as a frame without choices.
The SDK takes about 0.4 s to import: `preload` does it ahead of time, in whatever thread calls it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from codeagent_tui.llm.answer_stream import pieces_of_body
from codeagent_tui.llm.endpoint import endpoint_of, is_near, key_of
from codeagent_tui.llm.errors import error_from_status
from codeagent_tui.llm.habits import Habits
from codeagent_tui.llm.network import network_failure
from codeagent_tui.llm.provider import (
    ChatRequest,
    FinishPiece,
    JsonValue,
    ModelError,
    NetworkFailed,
    RequestRefused,
    StreamEvent,
)
from codeagent_tui.llm.request import payload
from codeagent_tui.text import one_line

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_CONNECT_SECONDS = 15.0
_NO_KEY = "no-key-needed"


def preload() -> None:
    """Import the SDK, so that the first request does not have to."""
    # The package imports its parts on first use only: this is the one that is used.
    import openai.resources.chat.completions.completions  # noqa: F401  only for its effect


class OpenAIChatModel:
    """A model behind an OpenAI-compatible endpoint; one HTTP request a `stream`, no retries.

    (The first request may be two: a server that refuses a field of ours is asked again without it, and remembered.)
    """

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
        """`timeout` is the longest silence in seconds; an empty `base_url` means OpenAI's endpoint."""
        self.name = name
        self.window = window
        self.base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._max_output_tokens = max_output_tokens
        self._habits = Habits()
        self._client: AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    async def prepare(self) -> None:
        """Load the SDK and make the client now, in a thread, so that the first request need not wait for it.

        Wrong settings are told by the first request, not here.
        """
        with suppress(ModelError):
            await self._connected()

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer `request`; see `ChatModel`."""
        client = await self._connected()
        import openai

        body = payload(self.name, request, self._max_output_tokens)
        habits: Habits | None = self._habits
        while habits is not None:
            try:
                async with aclosing(self._attempt(client, body, habits)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except openai.APIStatusError as error:
                habits = self._after(error, body, habits)
            except openai.APIConnectionError as error:
                raise network_failure(error, self.base_url, self._timeout, _CONNECT_SECONDS) from error
            except openai.OpenAIError as error:
                raise RequestRefused(f"The request could not be made: {one_line(str(error), 300)}") from error

    def _after(self, error: APIStatusError, body: dict[str, JsonValue], habits: Habits) -> Habits:
        """Return what to try instead after a refusal; raise it in our terms when there is nothing."""
        # The SDK has read the body of a refusal before it raises.
        said = error.response.text
        failure = error_from_status(error.status_code, error.response.headers, said)
        other = habits.after(said, body) if error.status_code in (400, 422) else None
        if other is None:
            raise failure from error
        return other

    async def _connected(self) -> AsyncOpenAI:
        async with self._connecting:
            if self._client is None:
                # Loading certificates and the SDK takes a tenth of a second and more: not on the loop.
                self._client = await asyncio.to_thread(self._connect, endpoint_of(self.base_url), key_of(self._api_key))
        return self._client

    def _connect(self, endpoint: str, key: str) -> AsyncOpenAI:
        import httpx2
        from openai import AsyncOpenAI, DefaultAsyncHttpx2Client, Timeout

        timeout = Timeout(self._timeout, connect=_CONNECT_SECONDS)
        try:
            client = AsyncOpenAI(
                api_key=key or _NO_KEY,
                base_url=endpoint,
                max_retries=0,
                timeout=timeout,
                # A proxy of the environment is for the world outside; it cannot reach a server on this machine.
                http_client=DefaultAsyncHttpx2Client(timeout=timeout, trust_env=not is_near(endpoint)),
            )
        except ImportError as error:
            raise RequestRefused(
                "The environment names a SOCKS proxy, which needs the package socksio (pip install socksio)."
            ) from error
        except (httpx2.InvalidURL, ValueError) as error:
            # A host that cannot be one, or a proxy of the environment that is no address.
            raise RequestRefused(f"No connection can be made to {endpoint}: {one_line(str(error), 200)}") from error
        preload()
        return client

    async def _attempt(
        self, client: AsyncOpenAI, body: dict[str, JsonValue], habits: Habits
    ) -> AsyncGenerator[StreamEvent, None]:
        import httpx2

        # The body is JSON already. It travels as `extra_body`, because the typed arguments are walked and copied in
        # Python, message by message, before each request.
        response_of = client.chat.completions.with_streaming_response.create(
            model=self.name, messages=[], stream=True, extra_body=habits.applied(body)
        )
        async with response_of as response:
            self._habits = habits
            finished = False
            try:
                async with aclosing(pieces_of_body(response.iter_bytes())) as pieces:
                    async for piece in pieces:
                        finished = finished or isinstance(piece, FinishPiece)
                        yield piece
            except (httpx2.HTTPError, httpx2.StreamError) as error:
                # Once the answer is whole, nothing that is missed breaks it.
                if not finished:
                    raise _broken(error, self._timeout) from error

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _broken(error: Exception, timeout: float) -> NetworkFailed:
    import httpx2

    if isinstance(error, httpx2.TimeoutException):
        return NetworkFailed(f"The server fell silent for {timeout:.0f} s.")
    return NetworkFailed(f"The connection broke ({one_line(str(error), 200) or type(error).__name__}).")
