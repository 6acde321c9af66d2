"""Servers on this machine, and the models they list."""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from codeagent_tui.llm.discovery import KNOWN_SERVERS, LocalServer, discover
from codeagent_tui.llm.models_list import list_models, model_ids
from codeagent_tui.llm.plain_http import GetFailed
from tests.support.server import ChatServer

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def raw_server(answer: bytes) -> AsyncIterator[int]:
    """Give the port of a server that answers `answer` to everything."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def reply(body: str, status: str = "200 OK", headers: str = "") -> bytes:
    data = body.encode()
    return f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(data)}\r\n\r\n".encode() + data


async def test_what_answers_with_models_is_found_and_nothing_else() -> None:
    async with (
        ChatServer(models=["qwen3:8b", "llama3"]) as ollama,
        ChatServer(models=[]) as empty,
        ChatServer(models=None) as other,
        raw_server(reply("<html>a web app</html>")) as web,
        raw_server(b"SSH-2.0-nothing\r\n") as ssh,
    ):
        found = await discover(
            [
                ("Ollama", ollama.port),
                ("closed", 9),
                ("vLLM", empty.port),
                ("a web app", web),
                ("no list", other.port),
                ("ssh", ssh),
            ]
        )
        assert found == [
            LocalServer("Ollama", ollama.base_url, ("qwen3:8b", "llama3")),
            LocalServer("vLLM", empty.base_url, ()),
        ]


async def test_a_proxy_of_the_environment_does_not_stand_between(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with ChatServer() as server:
        assert await list_models(server.base_url) == ["test-model"]


def test_the_known_ports() -> None:
    assert dict(KNOWN_SERVERS) == {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}


def test_looking_around_does_not_import_the_sdk() -> None:
    code = (
        "import sys, codeagent_tui.llm.discovery, codeagent_tui.llm.connect;"
        "sys.exit(any(n in sys.modules for n in ('openai', 'httpx2', 'http.client', 'pydantic')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_the_key_goes_along() -> None:
    async with ChatServer(key="sk-1") as server:
        assert await list_models(server.base_url, "sk-1\n") == ["test-model"]
        with pytest.raises(GetFailed, match="key is wrong"):
            await list_models(server.base_url, "sk-2")
        with pytest.raises(GetFailed, match="wants a key"):
            await list_models(server.base_url)


async def test_a_missing_v1_is_found_out() -> None:
    async with ChatServer() as server:
        with pytest.raises(GetFailed, match=rf"The base URL is {server.base_url}\."):
            await list_models(server.base_url.removesuffix("/v1"))


async def test_a_redirect_is_told_and_not_followed() -> None:
    moved = reply("", "301 Moved", "Location: https://elsewhere.example/v1/models\r\n")
    async with raw_server(moved) as port:
        with pytest.raises(GetFailed, match=r"301 and points to https://elsewhere\.example"):
            await list_models(f"http://127.0.0.1:{port}/v1", "sk-1")


@pytest.mark.parametrize("base_url", ["http://127.0.0.1:9/v1", "localhost:9", "http://[::1", "https://127.0.0.1:9"])
async def test_what_cannot_be_reached_is_one_readable_line(base_url: str) -> None:
    with pytest.raises(GetFailed) as caught:
        await list_models(base_url, "sk-1")
    assert "\n" not in str(caught.value) and "sk-1" not in str(caught.value)


async def test_an_impossible_key_is_never_shown() -> None:
    async with ChatServer() as server:
        with pytest.raises(GetFailed) as caught:
            await list_models(server.base_url, "sk secret")
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "ids"),
    [
        ({"data": [{"id": "a"}, {"id": 3}, {}, None, {"id": "b"}]}, ["a", "b"]),
        ({"object": "list", "data": None}, []),
        ({"object": "list", "data": []}, []),
        ({"models": []}, None),
        ({"data": "x"}, None),
        ([], None),
        (None, None),
    ],
)
def test_lists_of_models_in_their_forms(data: object, ids: list[str] | None) -> None:
    assert model_ids(json.loads(json.dumps(data))) == ids
