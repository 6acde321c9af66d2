"""The command line: what it starts, what it refuses, and how it says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeagent_tui import __version__, cli
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.headless import stdin
from codeagent_tui.sessions.store import SessionStore
from tests.support.program import Program


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with a home of its own and nothing of the developer's environment."""
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "CODEAGENT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CODEAGENT_HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


@contextmanager
def standard_input(data: bytes | None) -> Iterator[None]:
    """Let descriptor 0 be a pipe that holds `data`, or one that stays open and silent."""
    kept = os.dup(0)
    read, write = os.pipe()
    os.dup2(read, 0)
    if data is not None:
        os.write(write, data)
        os.close(write)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        for descriptor in (kept, read, *([write] if data is None else [])):
            os.close(descriptor)


def refused(*words: str) -> int:
    """Run the command line and return its exit code, whether argparse or the program says no."""
    try:
        return cli.main(words)
    except SystemExit as left:
        assert isinstance(left.code, int)
        return left.code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-p"], "nothing to do"),
        (["-p", "  "], "nothing to do"),
        (["-p", "one", "two"], "two requests"),
        (["--output", "json", "hi"], "goes with -p"),
        (["-c", "-r", "abc", "-p", "hi"], "not allowed with"),
        (["-r", "", "-p", "hi"], "--continue"),
        (["-C", "no/such/folder", "-p", "hi"], "no/such/folder"),
        (["--mode", "yolo", "-p", "hi"], "accept-edits"),
        (["--window", "-5", "-p", "hi"], "window"),
        (["--max-steps", "0", "-p", "hi"], "max_steps"),
        (["--no-such-option"], "no-such-option"),
        (["-c", "-p", "hi"], "no sessions yet"),
        (["hello"], "needs a terminal"),
        ([], "needs a terminal"),
    ],
)
def test_wrong_usage_is_said_on_standard_error(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert refused(*words) == ExitCode.USAGE
    printed = capsys.readouterr()
    assert printed.out == "" and said in printed.err and "Traceback" not in printed.err


def test_settings_that_cannot_be_used_are_named(scratch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (scratch / "home").mkdir()
    (scratch / "home" / "settings.json").write_text('{"modle": "x"}')
    assert cli.main(["-p", "hi"]) == ExitCode.USAGE
    told = capsys.readouterr().err
    assert "settings.json" in told and "modle" in told and "doctor" in told


def test_the_folder_may_be_gone(scratch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = scratch / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    assert cli.main(["-p", "hi"]) == ExitCode.USAGE
    assert "cannot be used" in capsys.readouterr().err


def test_help_names_every_exit_code_and_the_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("--help") == 0
    told = capsys.readouterr().out
    assert "codeagent doctor" in told
    for code in ExitCode:
        assert f"\n  {code.value:>3}  " in told


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("--version") == 0
    assert capsys.readouterr().out == f"codeagent {__version__}\n"


def test_a_request_without_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["-p", "你能做什么"]) == ExitCode.OK
    assert "搜索 TEXT" in capsys.readouterr().out


def test_options_may_stand_between_p_and_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["-p", "--output", "text", "help"]) == ExitCode.OK
    assert "search for TEXT" in capsys.readouterr().out


def test_standard_input_is_the_request_when_there_is_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    with standard_input(b"help\n"):
        assert cli.main(["-p"]) == ExitCode.OK
    assert "search for TEXT" in capsys.readouterr().out


def test_what_is_piped_in_is_added_to_the_request(scratch: Path) -> None:
    with standard_input("diff 变更\r\n\x1b[1mbold\x1b[0m\n".encode()):
        cli.main(["-p", "review this"])
    store = SessionStore(scratch / "home" / "history", scratch / "work")
    [asked, _] = store.load(store.find("")).messages
    assert asked.content == "review this\n\n<stdin>\ndiff 变更\nbold\n\n</stdin>"


def test_a_silent_pipe_is_given_up_and_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stdin, "PATIENCE", 0.01)
    with standard_input(None):
        assert cli.main(["-p", "help"]) == ExitCode.OK
    printed = capsys.readouterr()
    assert "search for TEXT" in printed.out and "Nothing came on standard input" in printed.err


def test_a_dash_waits_for_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[float | None] = []

    def read_piped(descriptor: int, *, patience: float | None) -> stdin.Piped:
        asked.append(patience)
        return stdin.Piped()

    monkeypatch.setattr(stdin, "read_piped", read_piped)
    assert [cli.main(["-p", "help", "-"]), cli.main(["-p", "help"])] == [ExitCode.OK, ExitCode.OK]
    assert asked == [None, stdin.PATIENCE]
    assert cli.main(["-p", "-"]) == ExitCode.USAGE


def test_binary_input_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with standard_input(b"\x00\x01\x02\x03"):
        assert cli.main(["-p", "what is this"]) == ExitCode.USAGE
    assert "no text" in capsys.readouterr().err


def test_nothing_heavy_is_imported_before_it_is_known_what_to_run(tmp_path: Path) -> None:
    heavy = ["httpx2", "jieba", "watchfiles", "pydantic", "tree_sitter", "markdown_it", "textual", "rich", "asyncio"]
    code = f"import sys, codeagent_tui.cli; print([name for name in {heavy} if name in sys.modules])"
    program = Program(tmp_path, tmp_path)
    ran = subprocess.run([sys.executable, "-c", code], env=program.environment(), capture_output=True, text=True)
    assert ran.stdout == "[]\n"


def test_an_internal_error_is_one_line_and_a_log(
    scratch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise KeyError("[/] odd")

    monkeypatch.setattr("codeagent_tui.headless.run.open_session", broken)
    assert cli.main(["-p", "help"]) == ExitCode.INTERNAL
    told = capsys.readouterr().err
    [log] = (scratch / "home" / "logs").glob("crash-*.log")
    assert told == f"codeagent: internal error (KeyError). What was said is kept; details: {log}\n"
    assert "[/] odd" in log.read_text()
