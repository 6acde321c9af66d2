"""Connecting for real: a server on loopback is listed, tested, used and remembered; its key lies in a private file."""

import json
import stat
from pathlib import Path

from codeagent_tui.credentials import store_key, stored_key
from codeagent_tui.paths import Paths
from codeagent_tui.tui.connecting import Connection
from codeagent_tui.tui.model_connections import CoreConnectionTools, remember_connection
from tests.support.server import ChatServer, says

NOWHERE = Connection("", "", "")


async def test_a_server_is_listed_then_chatted_with(tmp_path: Path) -> None:
    async with ChatServer(says("ok"), models=["qwen3:8b", "llama3:8b"]) as server:
        tools = CoreConnectionTools(Paths(tmp_path), NOWHERE)
        listed = await tools.test(Connection(server.base_url, "", ""))
        assert listed.ok
        assert listed.models == ("qwen3:8b", "llama3:8b")
        assert (await tools.test(Connection(server.base_url, "", "qwen3:8b"))).ok


async def test_a_server_that_is_not_there_is_told_in_words(tmp_path: Path) -> None:
    tools = CoreConnectionTools(Paths(tmp_path), NOWHERE)
    report = await tools.test(Connection("http://127.0.0.1:9/v1", "", ""))
    assert not report.ok
    assert "127.0.0.1:9" in report.message


async def test_the_choice_is_remembered_and_a_new_key_is_private(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    chosen = Connection("http://one.example/v1", "sk-one", "gpt-5", new_key=True)
    await remember_connection(paths, chosen)
    held = json.loads(paths.settings.read_text())
    assert (held["base_url"], held["model"]) == ("http://one.example/v1", "gpt-5")
    assert "sk-one" not in paths.settings.read_text()
    assert stored_key(paths, chosen.base_url) == "sk-one"
    assert stat.S_IMODE(paths.credentials.stat().st_mode) == 0o600


async def test_a_key_of_the_environment_is_not_written_to_disk(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    await remember_connection(paths, Connection("http://one.example/v1", "sk-env", "gpt-5"))
    assert not paths.credentials.exists()


def test_a_key_belongs_to_its_server(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    store_key(paths, "http://two.example/v1", "sk-two")
    tools = CoreConnectionTools(paths, Connection("http://one.example/v1/", "sk-one", "gpt-5"))
    assert tools.known_key("http://one.example/v1") == "sk-one"
    assert tools.known_key("http://two.example/v1") == "sk-two"
    assert tools.known_key("http://three.example/v1") == ""


async def test_a_connected_model_answers_the_next_message(started) -> None:
    answers = says("ok"), says("Hello from the server.")
    async with ChatServer(*answers, models=["qwen3:8b"]) as server, started(size=(100, 30)) as screen:
        await screen.pilot.press("f4")
        await screen.shows("Connect a model")
        url = screen.app.screen.query_one("#connect-url")
        url.value = server.base_url
        url.focus()
        await screen.pilot.press("enter")
        await screen.shows("lists 1 model:", "qwen3:8b")
        await screen.pilot.press("down", "enter")
        await screen.shows("Connected: qwen3:8b")
        await screen.send("hello")
        await screen.shows("Hello from the server.", "qwen3:8b · ask")
        assert server.requests[-1]["model"] == "qwen3:8b"
        assert server.base_url in screen.app.paths.settings.read_text()
