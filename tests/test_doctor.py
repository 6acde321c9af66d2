"""`codeagent doctor`: it looks at everything, whatever is broken, and says how to mend it."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from codeagent_tui import cli
from codeagent_tui.credentials import store_key
from codeagent_tui.doctor.connection import check_connection
from codeagent_tui.doctor.report import run_doctor
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.paths import Paths
from codeagent_tui.settings import Settings
from codeagent_tui.standard_streams import OutputStream
from tests.support.server import WAIT, ChatServer, says, status

Examined = Callable[..., tuple[ExitCode, str]]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "home")


@pytest.fixture
def examine(tmp_path: Path, paths: Paths) -> Examined:
    """Return a function that runs the doctor and returns its exit code and its report."""
    (tmp_path / "work").mkdir()

    def run(environ: Mapping[str, str] | None = None, **flags: object) -> tuple[ExitCode, str]:
        out = io.StringIO()
        quiet = {"TERM": "xterm-256color", **(environ or {})}
        code = run_doctor(paths, tmp_path / "work", quiet, flags, out=OutputStream(out))
        return code, out.getvalue()

    return run


NO_SUCH_MODEL = status(404, {"error": {"message": "no such model"}})


def put(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    path.chmod(0o600)


def wrong_lines(report: str) -> list[str]:
    """Return each wrong line with its advice; every one must have some."""
    lines = report.splitlines()
    found = []
    for line, following in itertools.pairwise(lines):
        if "  WRONG  " in line:
            assert following.strip().startswith("→") and len(following.strip()) > 10, line
            found.append(f"{line} {following.strip()}")
    return found


def test_a_fresh_machine_is_well(examine: Examined, paths: Paths) -> None:
    put(paths.settings, {"discover": False})
    code, report = examine()
    assert code is ExitCode.OK and wrong_lines(report) == [] and "All is well." in report
    for name in ("codeagent", "python", "libraries", "styles", "git", "terminal", "settings", "data folder", "window"):
        assert any(line.startswith(f"{name} ") for line in report.splitlines()), name
    assert "offline: no language model connected" in report and "32,768 tokens" in report


@pytest.mark.parametrize(
    ("file", "data", "said"),
    [
        ("settings.json", "{", "no valid JSON"),
        ("settings.json", {"modle": "x"}, "modle"),
        ("credentials.json", "{", "cannot be read"),
        ("memory/long_term_memory.json", '{"entries": [{"content": "a"}, {"cont', "1 facts can be read"),
        ("permissions.json", "[]", "asks again"),
    ],
)
def test_a_damaged_file_is_named_and_the_rest_is_still_looked_at(
    examine: Examined, paths: Paths, file: str, data: object, said: str
) -> None:
    put(paths.settings, {"discover": False})
    put(paths.home / file, data)
    code, report = examine()
    assert code is ExitCode.FAILED
    [wrong, *_] = wrong_lines(report)
    assert file in wrong and said in wrong
    assert "data folder" in report and "to mend" in report


def test_files_that_others_can_read_are_wrong(examine: Examined, paths: Paths) -> None:
    put(paths.settings, {"discover": False})
    store_key(paths, "http://one", "secret")
    paths.credentials.chmod(0o644)
    code, report = examine()
    assert code is ExitCode.FAILED and f"chmod 600 '{paths.credentials}'" in report and "secret" not in report


def test_a_file_in_the_place_of_the_data_folder_is_wrong(examine: Examined, paths: Paths) -> None:
    paths.home.write_text("")
    code, report = examine({"CODEAGENT_MODEL": "offline"})
    assert code is ExitCode.FAILED and "Move it away" in report


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system that holds no files of ours")
def test_a_data_folder_that_cannot_be_written_is_wrong(tmp_path: Path) -> None:
    out = io.StringIO()
    environ = {"CODEAGENT_MODEL": "offline", "TERM": "xterm"}
    assert run_doctor(Paths(Path("/proc/nope")), tmp_path, environ, out=OutputStream(out)) is ExitCode.FAILED
    [wrong] = wrong_lines(out.getvalue())
    assert "/proc cannot be written" in wrong and "CODEAGENT_HOME" in wrong


def test_project_memory_and_its_faults_are_shown(examine: Examined, paths: Paths, tmp_path: Path) -> None:
    put(paths.settings, {"discover": False})
    (tmp_path / "work" / "CODEAGENT.md").write_text("Use tabs.\n@./gone.md\n")
    code, report = examine()
    assert code is ExitCode.OK
    assert f"{tmp_path / 'work' / 'CODEAGENT.md'} (" in report and "gone.md" in report


async def test_a_connection_that_works_is_well(examine: Examined) -> None:
    async with ChatServer(says("ok"), key="k") as server:
        environ = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k", "CODEAGENT_MODEL": "test-model"}
        code, report = await asyncio.to_thread(examine, environ, window=50_000)
    assert code is ExitCode.OK
    assert f"test-model at {environ['OPENAI_BASE_URL']}" in report and "50,000 tokens" in report
    assert "the environment's OPENAI_BASE_URL" in report and "the command line" in report


@pytest.mark.parametrize(
    ("key", "model", "said"),
    [("wrong", "test-model", "Incorrect API key"), ("k", "other-model", "The server offers: test-model")],
    ids=["wrong key", "missing model"],
)
async def test_what_is_wrong_with_a_connection_is_said(examine: Examined, key: str, model: str, said: str) -> None:
    async with ChatServer(NO_SUCH_MODEL, key="k") as server:
        environ = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": key, "CODEAGENT_MODEL": model}
        code, report = await asyncio.to_thread(examine, environ)
    assert code is ExitCode.FAILED
    [wrong] = wrong_lines(report)
    assert said in wrong
    # Its window is another matter: a note.
    assert "128,000 tokens" in report


def test_a_server_that_is_not_there_is_wrong(examine: Examined) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        code, report = examine({"OPENAI_BASE_URL": url, "CODEAGENT_MODEL": "m"})
    assert code is ExitCode.FAILED
    [wrong] = wrong_lines(report)
    assert url in wrong and "nothing listens there" in wrong


async def test_a_server_that_never_answers_is_not_waited_for(tmp_path: Path) -> None:
    async with ChatServer([WAIT]) as server:
        settings = Settings(model="m", base_url=server.base_url)
        checks = [check async for check in check_connection(settings, patience=0.2)]
    assert "No answer within" in checks[0].mend


def test_the_command_line_finds_the_doctor(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CODEAGENT_HOME", str(paths.home))
    monkeypatch.delenv("CODEAGENT_MODEL", raising=False)
    put(paths.settings, {"discover": False, "window": "large"})
    assert cli.main(["doctor", "-C", str(tmp_path)]) == ExitCode.FAILED
    assert "settings.json" in capsys.readouterr().out
    put(paths.settings, {"discover": False})
    assert cli.main(["-C", str(tmp_path), "doctor"]) == ExitCode.OK
