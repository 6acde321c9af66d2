"""Any OpenAI-compatible server, over httpx2, the HTTP client that the openai SDK itself speaks through.

The SDK is left out: of it we would use only the request itself, since the stream has to be decoded here (its decoder
costs several times as much a chunk, ends a turn over an empty keep-alive frame, and hands an `event: error` frame on
as one without choices), and for that it takes 40 MB and longer to import than everything else together.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from codeagent_tui.llm.answer_stream import pieces_of_body
from codeagent_tui.llm.endpoint import chat_url, endpoint_of, is_near, key_of
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
    from httpx2 import AsyncClient, Response

_CONNECT_SECONDS = 15.0
_NO_KEY = "no-key-needed"
_LONGEST_REFUSAL = 200_000
"""Bytes that are read of a refusal: some servers echo the whole request."""
_ACCOUNT_HEADERS = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
"""Which account is billed, by the environment variables that OpenAI documents for its SDKs."""


class _Refused(Exception):
    """The server answered with a status that is no success."""

    def __init__(self, status: int, headers: dict[str, str], said: str) -> None:
        super().__init__(status)
        self.status, self.headers, self.said = status, headers, said


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
        self._client: AsyncClient | None = None
        self._connecting = asyncio.Lock()

    async def prepare(self) -> None:
        """Load the HTTP client now, in a thread, so that the first request need not wait for it.

        Wrong settings are told by the first request, not here.
        """
        with suppress(ModelError):
            await self._connected()

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer `request`; see `ChatModel`."""
        client = await self._connected()
        import httpx2

        body = payload(self.name, request, self._max_output_tokens)
        habits: Habits | None = self._habits
        while habits is not None:
            try:
                async with aclosing(self._attempt(client, body, habits)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except _Refused as refused:
                habits = self._after(refused, body, habits)
            except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.TooManyRedirects) as error:
                raise RequestRefused(f"The request could not be made: {one_line(str(error), 300)}") from error
            except httpx2.HTTPError as error:
                raise network_failure(error, self.base_url, self._timeout, _CONNECT_SECONDS) from error

    def _after(self, refused: _Refused, body: dict[str, JsonValue], habits: Habits) -> Habits:
        """Return what to try instead after a refusal; raise it in our terms when there is nothing."""
        other = habits.after(refused.said, body) if refused.status in (400, 422) else None
        if other is None:
            raise error_from_status(refused.status, refused.headers, refused.said) from None
        return other

    async def _connected(self) -> AsyncClient:
        async with self._connecting:
            if self._client is None:
                # Loading certificates and the client takes a tenth of a second and more: not on the loop.
                self._client = await asyncio.to_thread(self._connect, endpoint_of(self.base_url), key_of(self._api_key))
        return self._client

    def _connect(self, endpoint: str, key: str) -> AsyncClient:
        import httpx2

        account = {header: os.environ[name] for name, header in _ACCOUNT_HEADERS.items() if os.environ.get(name)}
        try:
            return httpx2.AsyncClient(
                headers={
                    "Authorization": f"Bearer {key or _NO_KEY}",
                    "Accept": "text/event-stream, application/json",
                    "User-Agent": "codeagent",
                    **account,
                },
                timeout=httpx2.Timeout(self._timeout, connect=_CONNECT_SECONDS),
                # httpx2 takes the key off when a redirect leads to another host.
                follow_redirects=True,
                # A proxy of the environment is for the world outside; it cannot reach a server on this machine.
                trust_env=not is_near(endpoint),
            )
        except ImportError as error:
            raise RequestRefused(
                "The environment names a SOCKS proxy, which needs the package socksio (pip install socksio)."
            ) from error
        except (httpx2.InvalidURL, ValueError) as error:
            # A host that cannot be one, or a proxy of the environment that is no address.
            raise RequestRefused(f"No connection can be made to {endpoint}: {one_line(str(error), 200)}") from error

    async def _attempt(
        self, client: AsyncClient, body: dict[str, JsonValue], habits: Habits
    ) -> AsyncGenerator[StreamEvent, None]:
        import httpx2

        url = chat_url(endpoint_of(self.base_url))
        async with client.stream("POST", url, json=habits.applied(body)) as response:
            if not response.is_success:
                said = await _said(response)
                raise _Refused(response.status_code, dict(response.headers), said)
            self._habits = habits
            finished = False
            try:
                async with aclosing(pieces_of_body(response.aiter_bytes())) as pieces:
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
            await client.aclose()


async def _said(response: Response) -> str:
    """Return the body of a refusal, as much of it as may matter."""
    parts = bytearray()
    async with aclosing(response.aiter_bytes()) as chunks:
        async for chunk in chunks:
            parts += chunk
            if len(parts) > _LONGEST_REFUSAL:
                break
    return parts[:_LONGEST_REFUSAL].decode(response.encoding or "utf-8", "replace")


def _broken(error: Exception, timeout: float) -> NetworkFailed:
    import httpx2

    if isinstance(error, httpx2.TimeoutException):
        return NetworkFailed(f"The server fell silent for {timeout:.0f} s.")
    return NetworkFailed(f"The connection broke ({one_line(str(error), 200) or type(error).__name__}).")
