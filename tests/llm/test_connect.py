"""Trying a connection: what works, and what is told when it does not."""

import asyncio

import pytest

from codeagent_tui.llm.connect import ConnectionReport, probe_connection
from tests.support.server import DONE, Answer, ChatServer, content, finish, says, status, usage


async def probed(*answers: Answer, key: str = "", model: str = "test-model", **server_is: object) -> ConnectionReport:
    async with ChatServer(*answers, **server_is) as server:  # type: ignore[arg-type]
        return await probe_connection(server.base_url, key, model)


async def test_a_connection_that_works() -> None:
    async with ChatServer(says("ok")) as server:
        report = await probe_connection(server.base_url, "", "test-model")
    assert report == ConnectionReport(True, "test-model answers.", ("test-model",))
    assert server.requests[0]["max_tokens"] <= 16
    assert len(server.requests) == 1


async def test_a_server_without_a_list_may_still_chat() -> None:
    report = await probed(says("ok"), models=None)
    assert report.ok and report.models == ()


async def test_a_wrong_key() -> None:
    report = await probed(key="sk-2", models=None)
    assert report.ok
    async with ChatServer(key="sk-1") as server:
        report = await probe_connection(server.base_url, "sk-2", "test-model")
    assert not report.ok and "401" in report.message and "key" in report.message and "sk-2" not in report.message


async def test_a_missing_v1() -> None:
    async with ChatServer() as server:
        report = await probe_connection(server.base_url.removesuffix("/v1"), "", "test-model")
        assert not report.ok and f"The base URL is {server.base_url}." in report.message


async def test_a_pasted_resource_and_a_missing_scheme_do_no_harm() -> None:
    async with ChatServer() as server:
        typed = f"127.0.0.1:{server.port}/v1/chat/completions"
        assert (await probe_connection(typed, "", "test-model")).ok


async def test_nothing_listens() -> None:
    report = await probe_connection("http://127.0.0.1:9/v1", "", "m")
    assert not report.ok
    assert report.message.count("nothing listens there") == 1


async def test_tls_where_there_is_none() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        report = await probe_connection(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", "", "m")
    assert not report.ok and "http://" in report.message


async def test_a_model_that_is_not_there() -> None:
    refusal = status(404, {"error": {"message": "model 'nope' not found"}})
    report = await probed(refusal, model="nope", models=["a", "b"])
    assert not report.ok and "nope is not among its 2 models" in report.message
    assert report.models == ("a", "b")


async def test_an_answer_of_nothing() -> None:
    report = await probed([usage(3, 0)])
    assert not report.ok and "nothing at all" in report.message


@pytest.mark.parametrize(
    "answer",
    [[content("ok"), finish("stop"), DONE], [finish("length")], [{"choices": [{"message": {"content": "x"}}]}]],
)
async def test_thinking_up_to_the_limit_counts_as_an_answer(answer: Answer) -> None:
    assert (await probed(answer)).ok


async def test_p_11_openais_newer_models_want_another_name_for_the_limit() -> None:
    refusal = status(400, {"error": {"message": "'max_tokens' is not supported, use 'max_completion_tokens'"}})
    async with ChatServer(refusal, says("ok")) as server:
        report = await probe_connection(server.base_url, "", "test-model")
    assert report.ok
    assert server.requests[1]["max_completion_tokens"] and "max_tokens" not in server.requests[1]


@pytest.mark.parametrize("base_url", ["http://[::1", "http://a b", "x:99999"])
async def test_what_is_no_address_is_a_report_too(base_url: str) -> None:
    report = await probe_connection(base_url, "k", "m")
    assert not report.ok and "base URL" in report.message
