"""Connections: how they are made, shared, broken and closed, and what a server's refusals teach."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import pytest

from codeagent_tui.conversation.messages import user
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.llm.provider import (
    AuthFailed,
    ChatRequest,
    ModelError,
    NetworkFailed,
    RequestRefused,
    StreamEvent,
    TextPiece,
)
from tests.support.server import DROP, WAIT, ChatServer, content, finish, says, status

REQUEST = ChatRequest("S", (user("hi"),))
NO_USAGE = status(400, {"error": {"message": "Unrecognized request argument supplied: stream_options"}})


async def text_of(model: OpenAIChatModel, request: ChatRequest = REQUEST) -> str:
    return "".join([piece.text async for piece in model.stream(request) if isinstance(piece, TextPiece)])


async def test_one_connection_serves_many_requests() -> None:
    async with ChatServer(says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        for _ in range(3):
            assert await text_of(model) == "ok"
        await model.aclose()
        assert server.connections == 1


async def test_requests_at_once_share_one_client() -> None:
    async with ChatServer(says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        assert await asyncio.gather(*(text_of(model) for _ in range(5))) == ["ok"] * 5
        await model.aclose()
        # It can be used again after it was closed.
        assert await text_of(model) == "ok"
        await model.aclose()


async def test_it_can_be_prepared_and_says_nothing_of_wrong_settings_yet() -> None:
    async with ChatServer(says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        await asyncio.gather(model.prepare(), model.prepare())
        assert server.requests == []
        assert await text_of(model) == "ok"
        await model.aclose()
    await OpenAIChatModel("m", base_url="http://[::1").prepare()


async def test_once_the_answer_is_whole_a_reset_breaks_nothing() -> None:
    async with ChatServer([content("whole"), finish("stop"), DROP]) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        assert await text_of(model) == "whole"
        await model.aclose()


async def test_p_10_a_reset_in_mid_answer_is_a_network_failure() -> None:
    async with ChatServer([content("half"), DROP]) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        with pytest.raises(NetworkFailed, match="broke"):
            await text_of(model)
        await model.aclose()
        assert len(server.requests) == 1


async def test_silence_is_a_network_failure() -> None:
    async with ChatServer([content("half"), WAIT]) as server:
        model = OpenAIChatModel("m", base_url=server.base_url, timeout=0.2)
        with pytest.raises(NetworkFailed, match="fell silent"):
            await text_of(model)
        await model.aclose()


async def test_leaving_an_answer_early_closes_its_connection() -> None:
    async with ChatServer([content("x"), WAIT]) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        async with aclosing(cast("AsyncGenerator[StreamEvent, None]", model.stream(REQUEST))) as pieces:
            await anext(pieces)
        async with asyncio.timeout(5):
            await server.closed.wait()
        await model.aclose()


async def test_p_11_what_a_server_refuses_is_left_out_and_remembered() -> None:
    async with ChatServer(NO_USAGE, says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        assert [await text_of(model), await text_of(model)] == ["ok", "ok"]
        await model.aclose()
    assert ["stream_options" in request for request in server.requests] == [True, False, False]


async def test_p_11_requests_at_once_all_learn_it() -> None:
    async with ChatServer(NO_USAGE, NO_USAGE, NO_USAGE, says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        assert await asyncio.gather(*(text_of(model) for _ in range(3))) == ["ok"] * 3
        await model.aclose()
    assert len(server.requests) == 6


async def test_p_11_a_refusal_for_another_reason_teaches_nothing() -> None:
    body = {"detail": [{"msg": "bad message", "input": {"stream_options": {"include_usage": True}}}]}
    async with ChatServer(status(422, body), status(422, body), says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        with pytest.raises(RequestRefused, match="bad message"):
            await text_of(model)
        assert await text_of(model) == "ok"
        await model.aclose()
    assert ["stream_options" in request for request in server.requests] == [True, False, True]


async def test_both_habits_can_be_learned_in_one_request() -> None:
    limit = status(400, {"error": {"message": "Unsupported 'max_tokens': use 'max_completion_tokens'"}})
    async with ChatServer(limit, NO_USAGE, says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url, max_output_tokens=50)
        assert await text_of(model) == "ok"
        await model.aclose()
    last = server.requests[-1]
    assert last["max_completion_tokens"] == 50 and "max_tokens" not in last and "stream_options" not in last


@pytest.mark.parametrize(
    ("base_url", "key", "kind"),
    [
        ("http://[::1", "k", RequestRefused),
        ("http://127.0.0.1:99999/v1", "k", RequestRefused),
        ("https://" + "x" * 80 + ".example/v1", "k", ModelError),
        ("http://127.0.0.1:9/v1", "sk-密secret", AuthFailed),
        ("http://127.0.0.1:9/v1", "k", NetworkFailed),
    ],
)
async def test_every_wrong_setting_is_an_error_of_the_family(base_url: str, key: str, kind: type[ModelError]) -> None:
    model = OpenAIChatModel("m", base_url=base_url, api_key=key)
    with pytest.raises(kind) as caught:
        await text_of(model)
    await model.aclose()
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


async def test_a_local_server_is_reached_whatever_the_proxy_and_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "socks5://127.0.0.1:9")
    async with ChatServer(says("ok")) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        assert await text_of(model) == "ok"
        await model.aclose()
    assert server.headers[0]["authorization"].startswith("Bearer ")


async def test_a_socks_proxy_without_its_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    model = OpenAIChatModel("m", base_url="https://api.example.com/v1")
    with pytest.raises(ModelError):
        await text_of(model)
    await model.aclose()
