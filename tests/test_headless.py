"""`codeagent -p` as scripts run it: real processes, pipes and signals, the scripted server, the offline engine."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from codeagent_tui.conversation.pairing import pair_faults
from codeagent_tui.sessions.store import SessionStore
from codeagent_tui.tools.process_group import living_members
from tests.support.program import Program, ended
from tests.support.server import WAIT, ChatServer, calls, content, says

BUGGY = "def total(items):\n    result = 0\n    for item in items:\n        result -= item\n    return result\n"
TEST = "from calc import total\n\nassert total([1, 2, 3]) == 6\nprint('tests pass')\n"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program.in_scratch(tmp_path)


@pytest.fixture
def buggy(program: Program) -> Path:
    (program.folder / "calc.py").write_text(BUGGY)
    (program.folder / "test_calc.py").write_text(TEST)
    return program.folder / "calc.py"


def connected(server: ChatServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k", "CODEAGENT_MODEL": "test-model"}


async def test_offline_a_bug_is_found_mended_tested_and_shown(program: Program, buggy: Path) -> None:
    request = (
        "search for result -= in ., then read calc.py, then replace `result -=` with `result +=` in calc.py, "
        f"then run {sys.executable} test_calc.py"
    )
    refused = await program.run("-p", request)
    assert refused.code == 3 and "refused: edit_file calc.py" in refused.err
    assert buggy.read_text() == BUGGY
    ran = await program.run("-p", request, "--mode", "unattended", "--output", "stream-json")
    assert ran.code == 0
    assert "result += item" in buggy.read_text()
    records = [json.loads(line) for line in ran.out.splitlines()]
    tools = [record["name"] for record in records if record["type"] == "tool_finished"]
    assert tools == ["search_code", "read_file", "read_file", "edit_file", "run_command"]
    assert "tests pass" in records[-1]["answer"]
    assert "+        result += item" in records[-1]["tools"][3]["diff"]


async def test_with_a_server_a_bug_is_mended_and_the_next_run_continues(program: Program, buggy: Path) -> None:
    edit = {"path": "calc.py", "old_text": "result -= item", "new_text": "result += item"}
    async with ChatServer(
        calls(("search_code", {"pattern": "result -="}), ("read_file", {"path": "calc.py"})),
        calls(("edit_file", edit)),
        calls(("run_command", {"command": f"{sys.executable} test_calc.py"})),
        says("The sign was wrong; 修好了。"),
        says("Once."),
        strict=True,
    ) as server:
        first = await program.run("-p", "mend it", "--mode", "unattended", env=connected(server))
        assert (first.code, first.out) == (0, "The sign was wrong; 修好了。\n")
        assert "+        result += item" in first.err
        second = await program.run("-c", "-p", "how often?", env=connected(server))
        assert (second.code, second.out) == (0, "Once.\n")
        said = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "user"]
        assert said == ["mend it", "how often?"]
        assert any("tests pass" in str(m["content"]) for m in server.requests[-1]["messages"] if m["role"] == "tool")
        assert server.refusals == []


async def test_s_04_a_killed_run_is_continued(program: Program) -> None:
    async with ChatServer(
        calls(("list_directory", {"path": "."}), ("run_command", {"command": "echo $$ >started; exec sleep 600"})),
        says("It was cut off; I look again."),
        strict=True,
    ) as server:
        process = await program.start(
            "-p", "start", "--mode", "unattended", "--output", "stream-json", env=connected(server)
        )
        assert process.stdout is not None
        while b'"tool_started"' not in (line := await process.stdout.readline()) or b"run_command" not in line:
            assert line, await ended(process)
        process.kill()
        await process.wait()
        ran = await program.run("--continue", "-p", "and now?", env=connected(server))
        assert (ran.code, ran.out) == (0, "It was cut off; I look again.\n")
        assert server.refusals == []
        results = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
        assert len(results) == 2 and "may have run" in results[1]
    started = program.folder / "started"
    if started.exists() and started.read_text().strip():
        os.killpg(int(started.read_text()), signal.SIGKILL)


async def test_ctrl_c_ends_the_turn_in_order(program: Program) -> None:
    async with ChatServer([content("I am thinking about "), WAIT]) as server:
        process = await program.start("-p", "hard one", "--output", "stream-json", env=connected(server))
        assert process.stdout is not None
        while b'"text_delta"' not in (line := await process.stdout.readline()):
            assert line, await ended(process)
        process.send_signal(signal.SIGINT)
        ran = await ended(process)
    result = json.loads(ran.out.splitlines()[-1])
    assert ran.code == result["exit_code"] == 130
    assert (result["reason"], result["partial"]) == ("interrupted", "I am thinking about ")
    assert "Traceback" not in ran.err and "--continue" in ran.err
    store = SessionStore(program.home / "history", program.folder)
    messages = store.load(store.find("")).messages
    assert [(m.content, m.interrupted) for m in messages] == [("hard one", False), ("I am thinking about ", True)]
    assert pair_faults(messages) == []


async def test_t_03_a_signal_leaves_no_process_behind(program: Program) -> None:
    process = await program.start(
        "-p", "run `echo pid $$; sleep 600 & wait`", "--mode", "unattended", "--output", "stream-json"
    )
    assert process.stdout is not None
    while b'"tool_progress"' not in (line := await process.stdout.readline()):
        assert line, await ended(process)
    group = int(json.loads(line)["text"].split()[1])
    process.send_signal(signal.SIGTERM)
    assert (await ended(process)).code == 130
    assert living_members(group) == []


async def test_a_reader_that_leaves_ends_the_work_without_a_traceback(program: Program) -> None:
    read, write = os.pipe()
    async with ChatServer([content("a"), WAIT, *says("b")]) as server:
        process = await program.start("-p", "go", "--output", "stream-json", env=connected(server), stdout=write)
        os.close(write)
        with os.fdopen(read, "rb") as reader:
            assert b'"session"' in reader.readline()
        server.go.set()
        ran = await ended(process)
    assert ran.code in (0, 130) and "Traceback" not in ran.err and "BrokenPipe" not in ran.err


BARE = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.mark.parametrize(
    ("env", "output"), [(BARE, "text"), ({"PYTHONIOENCODING": "ascii"}, "json")], ids=["LANG=C", "ascii"]
)
async def test_no_locale_breaks_what_is_asked_and_answered(program: Program, env: dict[str, str], output: str) -> None:
    ran = await program.run("-p", "你能做什么", "--output", output, env=env)
    assert ran.code == 0 and "Traceback" not in ran.err
    answer = json.loads(ran.out)["answer"] if output == "json" else ran.out.encode().decode("unicode_escape")
    assert "读 FILE" in answer
