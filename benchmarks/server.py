"""A chat server for the benchmarks, in a process of its own: streams as many chunks as the user's text asks for.

`STREAM n rate` in the newest user message gives n markdown chunks at `rate` a second (0: as fast as they are read),
the last of which is ENDMARK. Anything else is answered `ok`. Arrival times of requests are printed, one a line.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

WORDS = [
    "the",
    "history",
    "holds",
    "what",
    "was",
    "said",
    "and",
    "`append()`",
    "keeps",
    "**pairs**",
    "whole",
    "记忆",
    "stays",
]


def chunks(count: int) -> list[str]:
    """Return `count` small pieces of markdown: headings, prose, lists, tables, fences; the last is ENDMARK."""
    words = itertools.cycle(WORDS)
    pieces: list[str] = []
    for block in itertools.count(1):
        if len(pieces) >= count - 1:
            break
        kind = block % 5
        if kind == 0:
            pieces += [
                "\n\n```python\n",
                *(f"def f_{block}_{i}(x):\n    return x * {i}\n" for i in range(6)),
                "```\n\n",
            ]
        elif kind == 1:
            pieces += [f"\n\n## Part {block}\n\n", *(next(words) + " " for _ in range(30))]
        elif kind == 2:
            pieces += ["\n\n", *(f"- {next(words)} {next(words)} {i}\n" for i in range(8))]
        elif kind == 3:
            pieces += ["\n\n| key | value |\n|---|---|\n", *(f"| k{i} | {block * i} |\n" for i in range(6))]
        else:
            pieces += ["\n\n", *(next(words) + " " for _ in range(60))]
    return [*pieces[: count - 1], "\n\nENDMARK"]


class Server:
    """The server process and the arrival times of its chat requests (`time.time()`)."""

    def __init__(self) -> None:
        self.arrivals: list[float] = []
        self._process = subprocess.Popen([sys.executable, "-m", "benchmarks.server"], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base_url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"
        threading.Thread(target=self._listen, name="benchmark server output", daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.arrivals.append(float(line))

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()


async def _serve() -> None:
    server = await asyncio.start_server(_handle, "127.0.0.1", 0, limit=64 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


async def _handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"(?i)content-length: *(\d+)", head)
            body = await reader.readexactly(int(length[1])) if length else b""
            if head.startswith("POST"):
                print(time.time(), flush=True)
                await _stream(writer, json.loads(body))
            else:
                data = json.dumps({"object": "list", "data": [{"id": "bench", "object": "model"}]}).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                writer.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
                await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _asked(body: dict[str, list[dict[str, str]]]) -> tuple[list[str], int]:
    text = next((m["content"] for m in reversed(body["messages"]) if m["role"] == "user"), "")
    hit = re.search(r"STREAM (\d+) (\d+)", text)
    return (chunks(int(hit[1])), int(hit[2])) if hit else (["ok"], 0)


async def _stream(writer: asyncio.StreamWriter, body: dict[str, list[dict[str, str]]]) -> None:
    pieces, rate = _asked(body)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    start = time.perf_counter()
    for index, frame in enumerate(_frames(pieces)):
        if rate:
            await asyncio.sleep(max(0.0, start + index / rate - time.perf_counter()))
        writer.write(f"{len(frame):x}\r\n".encode() + frame + b"\r\n")
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def _frames(pieces: list[str]) -> Iterator[bytes]:
    base = {"id": "b", "object": "chat.completion.chunk", "created": 0, "model": "bench"}
    for piece in pieces:
        choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
        yield b"data: " + json.dumps({**base, "choices": [choice]}).encode() + b"\n\n"
    yield (
        b"data: "
        + json.dumps({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).encode()
        + b"\n\n"
    )
    usage = {"prompt_tokens": 4_000, "completion_tokens": len(pieces), "total_tokens": 4_000 + len(pieces)}
    yield b"data: " + json.dumps({**base, "choices": [], "usage": usage}).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


if __name__ == "__main__":
    asyncio.run(_serve())
