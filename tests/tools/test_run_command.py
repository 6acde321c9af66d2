"""run_command: it always comes back, leaves nothing behind, and says what happened."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from codeagent_tui.tools.command_output import OutputCollector, output_text
from codeagent_tui.tools.process import run_shell
from codeagent_tui.tools.process_group import living_members
from codeagent_tui.tools.run_command import RunCommand
from codeagent_tui.tools.tool import ToolContext
from tests.support.tools import fails, scratch_context, use

RUN = RunCommand()


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return scratch_context(tmp_path)


async def run(context: ToolContext, command: str, **more: object) -> str:
    return (await use(RUN, context, command=command, **more)).text


async def test_exit_code_and_both_streams(context: ToolContext) -> None:
    output = await use(RUN, context, command="echo out; echo err >&2; exit 3")
    assert "exit code 3" in output.text and "out\nerr" in output.text
    assert not output.ok and output.summary.startswith("exit 3")


@pytest.mark.parametrize(
    "command",
    [
        "read x; echo got:$x",
        f"{sys.executable} -c 'input()'",
        "read x </dev/tty",
        "cat",
        "git clone https://127.0.0.1:9/private.git",
    ],
)
async def test_t_01_a_command_that_waits_for_input_ends_at_once(context: ToolContext, command: str) -> None:
    async with asyncio.timeout(20):
        text = await run(context, command, timeout_seconds=15)
    assert "took too long" not in text and "exit code" in text


async def test_t_01_the_timeout_says_what_to_do(context: ToolContext) -> None:
    text = await run(context, "echo before; sleep 30", timeout_seconds=0.3)
    assert "non-interactive" in text and "timeout_seconds" in text and "before" in text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("sleep 30 & echo started", "started"),
        ("(while :; do echo tick; sleep 0.1; done) & sleep 0.3; echo fg done", "fg done"),
        ("sleep 30 >/dev/null & echo quiet", "quiet"),
    ],
)
async def test_t_02_what_runs_in_the_background_does_not_hold_the_tool(
    context: ToolContext, command: str, said: str
) -> None:
    async with asyncio.timeout(20):
        text = await run(context, command, timeout_seconds=15)
    assert said in text and "still running" in text and "took too long" not in text
    for number in text.rpartition("process ")[2].split(";")[0].split(", "):
        os.kill(int(number), 9)


TREE = f"sh -c 'sleep 600 & {sys.executable} -c \"import time; time.sleep(600)\"; wait'"


@pytest.mark.parametrize("command", [TREE, 'trap "" TERM; sleep 600 & sleep 600; sleep 600'])
async def test_t_03_a_cancel_ends_every_descendant(tmp_path: Path, command: str) -> None:
    marker = tmp_path / "pid"
    task = asyncio.create_task(
        run_shell(
            f"echo $$ > {marker}.tmp; mv {marker}.tmp {marker}; {command}",
            cwd=tmp_path,
            environment=dict(os.environ),
            timeout=60,
            keep_bytes=1000,
        )
    )
    while not marker.exists():
        await asyncio.sleep(0.01)
    group = int(marker.read_text())
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert living_members(group) == []


async def test_t_03_a_timeout_ends_every_descendant(context: ToolContext, tmp_path: Path) -> None:
    text = await run(context, f"echo $$ > {tmp_path}/pid; {TREE}", timeout_seconds=0.5)
    assert "took too long" in text
    assert living_members(int((tmp_path / "pid").read_text())) == []


async def test_t_04_runaway_output_is_bounded_and_the_end_is_kept(context: ToolContext) -> None:
    command = "for i in $(seq 200000); do echo line $i; done; echo FINAL-ERROR >&2; exit 3"
    text = await run(context, command)
    assert "exit code 3" in text and "line 1\n" in text and "FINAL-ERROR" in text
    assert "[partial:" in text and len(text) < 9_500


async def test_t_04_an_endless_flood_ends_with_its_timeout(context: ToolContext) -> None:
    text = await run(context, "yes", timeout_seconds=0.5)
    assert "took too long" in text and len(text) < 9_500


def test_t_04_the_collector_keeps_constant_memory() -> None:
    collector = OutputCollector(8192)
    for _ in range(10_000):
        collector.add(b"y\n" * 5_000)
    assert collector.total == 100_000_000
    assert len(collector.text()) < 8_500
    kept = len(collector._head) + sum(map(len, collector._tail))
    assert kept < 30_000


def test_t_04_a_cut_never_breaks_a_character() -> None:
    for size in range(4090, 4102):
        collector = OutputCollector(8192)
        collector.add(b"x" * size + "中文".encode() * 3_000)
        assert "\ufffd" not in collector.text()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"p 10%\rp 20%\rp 100%\ndone\n", "p 100%\ndone\n"),
        (b"\033[2J\033[31mred\033[0m\a\b", "red"),
        (b"a\0b", "ab"),
        (b"bad \xff byte", "bad \ufffd byte"),
    ],
)
def test_t_05_only_what_a_terminal_would_end_up_showing(raw: bytes, shown: str) -> None:
    assert output_text(raw) == shown


def test_t_05_random_bytes_and_giant_lines_are_no_exception() -> None:
    text = output_text(os.urandom(5_000) + b"\n" + b"x" * 200_000)
    assert "200,000" in text
    assert not any(ord(char) < 32 and char not in "\n\t" for char in text)


async def test_t_05_a_character_in_two_writes_is_one(context: ToolContext) -> None:
    code = (
        "import sys,time;o=sys.stdout.buffer;b='中文'.encode();o.write(b[:2]);o.flush();time.sleep(.05);o.write(b[2:])"
    )
    assert "中文" in await run(context, f'{sys.executable} -c "{code}"')


async def test_progress_is_shown_while_it_runs(tmp_path: Path) -> None:
    context = scratch_context(tmp_path)
    shown: list[str] = []
    context.progress = shown.append
    await run(context, "printf '\\033[31mone\\n'; sleep 0.2; echo two")
    assert "one" in shown[0] and "\x1b" not in "".join(shown)


async def test_x_06_our_keys_are_not_in_the_childs_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-value")
    text = await run(scratch_context(tmp_path), "env")
    assert "sk-secret-value" not in text and "GIT_TERMINAL_PROMPT=0" in text


async def test_it_runs_in_the_workspace_or_a_folder_of_it(context: ToolContext) -> None:
    (context.workspace.root / "sub").mkdir()
    assert str(context.workspace.root) in await run(context, "pwd")
    assert str(context.workspace.root / "sub") in await run(context, "pwd", directory="sub")
    assert "no folder" in await fails(RUN, context, command="pwd", directory="nowhere")
