"""A scripted OpenAI-compatible server on loopback: real sockets, every byte under the test's control.

    async with ChatServer([content("hi"), finish("stop")], [status(429, "slow down", {"Retry-After": "3"})]) as server:
        ...  # server.base_url, server.requests

Each positional argument answers one chat request, in turn; the last one answers all that follow. An answer is a list
of frames: JSON objects, raw text lines, or one of the marks `DONE`, `EOF` (clean close), `DROP` (reset), `WAIT`
(until `server.go.set()`). `strict=True` refuses what the strictest provider would refuse; `key` is the only one
that is let in when it is given; `models` are what GET /v1/models lists (None: there is no such list). Other paths than
those below /v1 are answered 404.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

DONE, EOF, DROP, WAIT = "<done>", "<eof>", "<drop>", "<wait>"


@dataclass(frozen=True)
class Plain:
    """An answer that is no stream: a status, headers, a body."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)


Frame = dict[str, Any] | str | bytes
Answer = Sequence[Frame] | Plain


def content(text: str | None) -> Frame:
    """Return a frame with a piece of the answer."""
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}


def reasoning(text: str, name: str = "reasoning_content") -> Frame:
    """Return a frame with a piece of thinking, in a vendor's field."""
    return {"choices": [{"index": 0, "delta": {name: text}, "finish_reason": None}]}


def tool(index: int | None, call_id: str | None, name: str | None, arguments: str | None) -> Frame:
    """Return a frame with a piece of a tool call; None leaves the field out."""
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}
    call: dict[str, Any] = {"type": "function", "function": function}
    if index is not None:
        call["index"] = index
    if call_id is not None:
        call["id"] = call_id
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}


def finish(reason: str) -> Frame:
    """Return a frame that ends the answer."""
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def usage(prompt: int, completion: int) -> Frame:
    """Return a frame that reports tokens."""
    total = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {"choices": [], "usage": total}


def status(code: int, body: str | dict[str, Any], headers: dict[str, str] | None = None) -> Plain:
    """Return an answer with an HTTP status."""
    text = body if isinstance(body, str) else json.dumps(body)
    return Plain(code, text, headers or {})


def says(text: str) -> list[Frame]:
    """Return a whole plain answer."""
    return [content(text), finish("stop"), usage(10, 5), DONE]


def calls(*wanted: tuple[str, dict[str, Any]]) -> list[Frame]:
    """Return a whole answer that asks for tools."""
    frames = [tool(i, f"c{i}", name, json.dumps(arguments)) for i, (name, arguments) in enumerate(wanted)]
    return [*frames, finish("tool_calls"), usage(10, 5), DONE]


class ChatServer:
    """The server; an async context manager."""

    def __init__(
        self,
        *answers: Answer,
        strict: bool = False,
        models: Sequence[str] | None = ("test-model",),
        key: str | None = None,
    ) -> None:
        self._answers: list[Answer] = list(answers) or [says("ok")]
        self._strict = strict
        self._models = models
        self._key = key
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        """The path of every request, also of those that are no chat."""
        self.connections = 0
        self.refusals: list[str] = []
        self.closed = asyncio.Event()
        """Set when a client went away before its answer was whole."""
        self.go = asyncio.Event()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def base_url(self) -> str:
        """The endpoint to hand to a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> ChatServer:
        self._server = await asyncio.start_server(self._handle, "127.0.0.1", 0, limit=64 << 20)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self.go.set()
        self._server.close()
        if hasattr(self._server, "close_clients"):
            self._server.close_clients()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            # A cancel here is the end of the test's loop; there is nobody to tell.
            self.closed.set()
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = {
            name.lower(): value
            for name, value in re.findall(r"(?m)^([^:\r\n]+): *([^\r\n]*)", head.partition("\r\n")[2])
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.paths.append(head.split(" ", 2)[1])
        plain = self._without_chat(head, headers)
        if plain is not None:
            _plain(writer, plain)
            await writer.drain()
            return True
        request = json.loads(body)
        self.requests.append(request)
        self.headers.append(headers)
        refusal = refusal_of(request) if self._strict else ""
        if refusal:
            self.refusals.append(refusal)
            _plain(writer, status(400, {"error": {"message": refusal, "type": "invalid_request_error"}}))
            await writer.drain()
            return True
        answer = self.answer_to(request)
        if isinstance(answer, Plain):
            _plain(writer, answer)
            await writer.drain()
            return True
        return await self._stream(reader, writer, answer)

    def answer_to(self, request: dict[str, Any]) -> Answer:
        """Return the answer to `request`, which was just added to `requests`."""
        return self._answers[min(len(self.requests), len(self._answers)) - 1]

    def _without_chat(self, head: str, headers: dict[str, str]) -> Plain | None:
        """Return the answer to what is no chat request, or to one with the wrong key."""
        path = self.paths[-1]
        if self._key is not None and headers.get("authorization") != f"Bearer {self._key}":
            return status(401, {"error": {"message": "Incorrect API key provided"}})
        if head.startswith("POST") and path == "/v1/chat/completions":
            return None
        if path == "/v1/models" and self._models is not None:
            return status(200, {"object": "list", "data": [{"id": model, "object": "model"} for model in self._models]})
        return status(404, {"error": {"message": f"no such path: {path}"}})

    async def _stream(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frames: Sequence[Frame]
    ) -> bool:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for frame in frames:
            await asyncio.sleep(0)
            if frame == DROP:
                await writer.drain()
                raw = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return False
            if frame == EOF:
                break
            if frame == WAIT:
                await writer.drain()
                await self._wait(reader)
                continue
            _chunk(writer, "data: [DONE]\n\n" if frame == DONE else frame)
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _wait(self, reader: asyncio.StreamReader) -> None:
        """Wait for `go`, or for the client to go away."""
        gone = asyncio.create_task(reader.read(1))
        released = asyncio.create_task(self.go.wait())
        done, pending = await asyncio.wait({gone, released}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        if gone in done and not gone.result():
            raise ConnectionResetError


def _chunk(writer: asyncio.StreamWriter, frame: Frame) -> None:
    data = (
        frame
        if isinstance(frame, bytes)
        else (frame if isinstance(frame, str) else f"data: {json.dumps(frame)}\n\n").encode()
    )
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _plain(writer: asyncio.StreamWriter, answer: Plain) -> None:
    data = answer.body.encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **answer.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {answer.status} X\r\n{lines}\r\n".encode() + data)


def refusal_of(request: dict[str, Any]) -> str:
    """Return why the strictest provider would refuse `request`, or ""."""
    messages = request.get("messages") or []
    if not messages or messages[0]["role"] != "system" or any(m["role"] == "system" for m in messages[1:]):
        return "exactly one system message, first"
    awaited: list[str] = []
    seen: set[str] = set()
    for number, message in enumerate(messages):
        role = message["role"]
        if role == "tool":
            if message.get("tool_call_id") not in awaited:
                return f"message {number} answers no call"
            awaited.remove(message["tool_call_id"])
            continue
        if awaited:
            return f"calls {awaited} have no result before message {number}"
        if role not in ("system", "user", "assistant"):
            return f"unknown role {role}"
        if role == "assistant":
            if not (message.get("content") or "").strip() and not message.get("tool_calls"):
                return f"message {number} is empty"
            for call in message.get("tool_calls", ()):
                try:
                    good = isinstance(json.loads(call["function"]["arguments"]), dict)
                except ValueError:
                    good = False
                if not good or call["id"] in seen:
                    return f"call {call['id']} is malformed or repeated"
                seen.add(call["id"])
                awaited.append(call["id"])
    return f"calls {awaited} have no result" if awaited else ""
