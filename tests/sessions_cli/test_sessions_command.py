"""`codeagent sessions`, as a process: what it lists, shows, writes, and what it needs a yes for."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from codeagent_tui import cli
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions_cli.parser import seconds_of
from tests.support.logged_sessions import KEY, logged_session, small_session
from tests.support.program import Program

DAY = 86_400


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scratch home; the tests stand in `tmp_path/work`."""
    monkeypatch.setenv("CODEAGENT_HOME", str(tmp_path / "home"))
    for name in ("work", "other"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "home"


def aged(log: SessionLog, days: float) -> SessionLog:
    """Let a log be of so many days ago."""
    then = log.path.stat().st_mtime - days * DAY
    os.utime(log.path, (then, then))
    return log


def sessions(*words: str) -> int:
    """Run `codeagent sessions` in this process."""
    try:
        return cli.main(["sessions", *words])
    except SystemExit as left:
        assert isinstance(left.code, int)
        return left.code


async def test_it_lists_the_sessions_of_this_folder_and_names_the_others(tmp_path: Path) -> None:
    program = Program.in_scratch(tmp_path)
    log = logged_session(program.home, program.folder)
    aged(small_session(program.home, program.folder, "\u4fee\u590d\u89e3\u6790\u5668"), 3)
    small_session(program.home, tmp_path, "elsewhere")
    ran = await program.run("sessions", "list")
    assert ran.code == ExitCode.OK and ran.err == ""
    first, second, last = ran.out.splitlines()
    assert first.startswith(log.session_id[:8])
    assert all(part in first for part in ("just now", "2 turns", "41.9k tokens", "KB", "Tokenizer"))
    assert "3 days ago" in second and "\u4fee\u590d\u89e3\u6790\u5668" in second
    assert last.startswith("2 sessions,") and "1 session of other folders: --all." in last


async def test_the_list_as_json_is_one_object(tmp_path: Path) -> None:
    program = Program.in_scratch(tmp_path)
    log = logged_session(program.home, program.folder)
    small_session(program.home, tmp_path, "elsewhere")
    ran = await program.run("sessions", "list", "--all", "--json")
    found = {entry["id"]: entry for entry in json.loads(ran.out)["sessions"]}
    mine = found[log.session_id]
    assert len(found) == 2
    assert (mine["title"], mine["turns"], mine["tokens"], mine["ended"]) == ("Tokenizer", 2, 41_900, True)
    assert mine["size"] == log.path.stat().st_size and mine["folder"] == str(program.folder)


def test_without_a_word_it_lists_and_says_when_there_is_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sessions() == ExitCode.OK
    assert capsys.readouterr().out.startswith("This folder has no sessions yet.")


def test_show_tells_what_a_session_is_turn_by_turn(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = logged_session(home, Path.cwd())
    assert sessions("show", log.session_id[:6]) == ExitCode.OK
    told = capsys.readouterr().out
    assert all(
        part in told for part in ("Tokenizer", log.session_id, "41,900", "   1  Fix the tokenizer.", "   2  Now")
    )
    assert f"codeagent --resume {log.session_id[:8]}" in told
    assert sessions("show", "last", "--json") == ExitCode.OK
    data = json.loads(capsys.readouterr().out)
    assert [turn["compacted"] for turn in data["said"]] == [True, False]


def test_show_says_that_a_session_was_cut_off(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = small_session(home, Path.cwd(), "cut off", close=False)
    sessions("show", "last")
    assert "cut off by a crash" in capsys.readouterr().out
    log.close()


@pytest.mark.parametrize("wanted", ["zzz", "", "last"])
def test_a_session_that_is_not_there_is_named(home: Path, capsys: pytest.CaptureFixture[str], wanted: str) -> None:
    assert sessions("show", wanted) == ExitCode.USAGE
    printed = capsys.readouterr()
    assert printed.out == "" and "ession" in printed.err


async def test_a_session_of_any_folder_is_exported_and_secrets_are_masked(tmp_path: Path) -> None:
    program = Program.in_scratch(tmp_path)
    log = logged_session(program.home, tmp_path)
    ran = await program.run("sessions", "export", log.session_id[:8], "out.html")
    page = (program.folder / "out.html").read_text(encoding="utf-8")
    assert ran.code == ExitCode.OK and ran.out == ""
    assert "Written: out.html" in ran.err and "masked in 2 places" in ran.err
    assert page.startswith("<!doctype html>") and KEY not in page
    again = await program.run("sessions", "export", log.session_id[:8], "out.html", "--with-secrets")
    assert again.code == ExitCode.FAILED and "--force" in again.err
    assert (program.folder / "out.html").read_text(encoding="utf-8") == page
    forced = await program.run("sessions", "export", log.session_id[:8], "out.html", "--with-secrets", "--force")
    assert forced.code == ExitCode.OK and KEY in (program.folder / "out.html").read_text(encoding="utf-8")


async def test_an_export_can_be_piped(tmp_path: Path) -> None:
    program = Program.in_scratch(tmp_path)
    logged_session(program.home, program.folder)
    ran = await program.run("sessions", "export", "last", "-", "--format", "json")
    assert json.loads(ran.out)["title"] == "Tokenizer" and "masked" in ran.err


def test_an_export_finds_its_own_name(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged_session(home, Path.cwd())
    assert sessions("export", "last") == ExitCode.OK
    [made] = Path.cwd().iterdir()
    assert made.name.startswith("tokenizer-") and made.suffix == ".md" and made.name in capsys.readouterr().err


@pytest.mark.parametrize("name", ["out.txt", "out"])
def test_an_ending_that_is_no_format_is_asked_about(home: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    logged_session(home, Path.cwd())
    assert sessions("export", "last", name) == ExitCode.USAGE
    assert "--format" in capsys.readouterr().err and not Path(name).exists()
    assert sessions("export", "last", name, "--format", "md") == ExitCode.OK


def test_an_export_that_cannot_be_written_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged_session(home, Path.cwd())
    assert sessions("export", "last", "no/such/folder/a.md") == ExitCode.FAILED
    assert "Nothing was written" in capsys.readouterr().err


async def test_nothing_is_deleted_where_nobody_can_be_asked_unless_yes_is_said(tmp_path: Path) -> None:
    program = Program.in_scratch(tmp_path)
    log = logged_session(program.home, program.folder)
    ran = await program.run("sessions", "delete", log.session_id)
    assert ran.code == ExitCode.USAGE and "--yes" in ran.err and log.path.exists()
    ran = await program.run("sessions", "prune", "--older-than", "0h")
    assert ran.code == ExitCode.USAGE and log.path.exists()
    ran = await program.run("sessions", "delete", log.session_id, "--yes")
    assert ran.code == ExitCode.OK and "Deleted: 1 session," in ran.out and not log.path.exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("answer", "left"), [("y", 0), ("n", 1), ("", 1)])
def test_on_a_terminal_it_asks_first(tmp_path: Path, answer: str, left: int) -> None:
    from ptyprocess import PtyProcess  # type: ignore[import-untyped]  # ships no types

    program = Program.in_scratch(tmp_path)
    log = logged_session(program.home, program.folder)
    terminal = PtyProcess.spawn(
        [sys.executable, "-m", "codeagent_tui", "sessions", "delete", log.session_id[:8]],
        cwd=str(program.folder),
        env=program.environment(),
    )
    said = b""
    while b"[y/N]" not in said:
        said += terminal.read()
    assert b"Tokenizer" in said
    terminal.write(f"{answer}\n".encode())
    assert terminal.wait() == (ExitCode.FAILED if left else ExitCode.OK)
    assert log.path.exists() == bool(left)


def test_prune_takes_only_what_is_old_enough_and_of_this_folder(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = small_session(home, Path.cwd(), "new")
    old = aged(small_session(home, Path.cwd(), "old"), 40)
    other = aged(small_session(home, Path.cwd().parent / "other", "other"), 40)
    assert sessions("prune", "--older-than", "30d", "--dry-run") == ExitCode.OK
    told = capsys.readouterr().out
    assert "old" in told and "1 session," in told and "would be deleted" in told and old.path.exists()
    assert sessions("prune", "--older-than", "30d", "--yes", "--json") == ExitCode.OK
    assert json.loads(capsys.readouterr().out)["deleted"] == [old.session_id]
    assert (new.path.exists(), old.path.exists(), other.path.exists()) == (True, False, True)
    assert sessions("prune", "--older-than", "30d", "--yes", "--all") == ExitCode.OK
    assert not other.path.exists() and new.path.exists()
    capsys.readouterr()
    assert sessions("prune", "--older-than", "30d", "--yes") == ExitCode.OK
    assert "nothing was deleted" in capsys.readouterr().out


async def test_a_session_that_is_open_in_a_window_is_not_deleted(tmp_path: Path) -> None:
    program = Program.in_scratch(tmp_path)
    log = small_session(program.home, program.folder, "open", close=False)
    ran = await program.run("sessions", "delete", "last", "--yes")
    assert ran.code == ExitCode.FAILED and "is open" in ran.err and log.path.exists()
    log.close()


@pytest.mark.parametrize(("text", "seconds"), [("12h", 43_200), ("30d", 30 * DAY), ("8W", 56 * DAY), ("1y", 365 * DAY)])
def test_ages(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["30", "d", "-1d", "5m", "1.5d"])
def test_what_is_no_age_is_refused(home: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert sessions("prune", f"--older-than={text}", "--yes") == ExitCode.USAGE
    assert "30d" in capsys.readouterr().err


def test_the_help_names_every_word(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sessions("--help") == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("list", "show", "export", "delete", "prune", "exit codes"))


def test_no_word_loads_the_screen(home: Path) -> None:
    import subprocess

    code = "import sys; from codeagent_tui import cli; cli.main(['sessions', 'list']); print('textual' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False"
