"""Runs one shell command in a session of its own: nothing to read from, nothing left behind.

The command gets no terminal (a new session has none, so that even `/dev/tty` fails at once), no standard input, and
one pipe for both outputs. It is over when the shell is; what it left running in the background is named and left
alone, unless the command was cancelled or timed out: then its whole group is ended, first gently, then for good.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.tools.command_output import OutputCollector
from codeagent_tui.tools.process_group import end_group, living_members

_READ_SIZE = 1 << 16
_AFTER_SHELL = 0.4
"""How long output is still read after the shell has ended while something in the background holds the pipe."""
_running: set[int] = set()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended. `exit_code` is None when it was ended for taking too long; `left` are the ids of
    processes that it left running."""

    exit_code: int | None
    seconds: float
    output: str
    total_bytes: int
    left_out: int
    left: tuple[int, ...] = ()

    @property
    def timed_out(self) -> bool:
        """Whether it was ended for taking too long."""
        return self.exit_code is None


async def run_shell(
    command: str,
    *,
    cwd: Path,
    environment: Mapping[str, str],
    timeout: float,
    keep_bytes: int,
    on_output: Callable[[bytes], None] = lambda _: None,
) -> CommandResult:
    """Run `command` and return what came of it. Cancelling ends the command and all its children first.

    Raises:
        OSError: when the shell cannot be started.
    """
    started = time.monotonic()
    collector = OutputCollector(keep_bytes)
    process, read_end = _spawn(command, cwd, environment)
    group = process.pid
    _running.add(group)
    reader = asyncio.create_task(_drain(read_end, collector, on_output), name="command output")
    exit_code: int | None = None
    try:
        try:
            async with asyncio.timeout(timeout):
                exit_code = await _wait(process)
                await asyncio.wait({reader}, timeout=_AFTER_SHELL)
        except TimeoutError:
            await _end(process, group)
            await asyncio.wait({reader}, timeout=_AFTER_SHELL)
        left = await asyncio.to_thread(living_members, group)
    except BaseException:
        await asyncio.shield(_end(process, group))
        raise
    finally:
        _running.discard(group)
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
        os.close(read_end)
    return CommandResult(
        exit_code, time.monotonic() - started, collector.text(), collector.total, collector.left_out, tuple(left)
    )


def _spawn(command: str, cwd: Path, environment: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    read_end, write_end = os.pipe()
    try:
        process = subprocess.Popen(
            [shutil.which("bash") or "/bin/sh", "-c", command],
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=write_end,
            stderr=write_end,
            start_new_session=True,
        )
    except BaseException:
        os.close(read_end)
        raise
    finally:
        os.close(write_end)
    os.set_blocking(read_end, False)
    return process, read_end


async def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for the shell without a thread where the system can, polling ever more slowly where it cannot."""
    if not hasattr(os, "pidfd_open"):
        pause = 0.005
        while (code := process.poll()) is None:
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 0.1)
        return code
    handle = os.pidfd_open(process.pid)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    try:
        loop.add_reader(handle, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(handle)
    finally:
        os.close(handle)
    return process.wait()


async def _drain(read_end: int, collector: OutputCollector, on_output: Callable[[bytes], None]) -> None:
    """Read until the last writer is gone. Between two reads the loop has its turn."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(read_end, ready.set)
    try:
        while True:
            try:
                data = os.read(read_end, _READ_SIZE)
            except BlockingIOError:
                ready.clear()
                await ready.wait()
                continue
            if not data:
                return
            collector.add(data)
            on_output(data)
            await asyncio.sleep(0)
    finally:
        loop.remove_reader(read_end)


async def _end(process: subprocess.Popen[bytes], group: int) -> None:
    """End the whole group and reap the shell."""
    await asyncio.to_thread(end_group, group, process.poll)
    process.wait()


def kill_all() -> None:
    """Kill every running command at once: the last act when the program itself must end."""
    for group in tuple(_running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
