"""U-10: however it ends, the terminal is as it was, the draft is kept, the process is gone within three seconds."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_tui.paths import Paths
from codeagent_tui.tui.drafts import DraftStore

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")

PROGRAM = """
import os, sys
from pathlib import Path
from codeagent_tui.paths import Paths
from codeagent_tui.settings import Settings
from codeagent_tui.tui.app import CodeAgentApp
from codeagent_tui.tui.terminal_run import run_in_terminal

class Broken(CodeAgentApp):
    def on_mount(self):
        super().on_mount()
        self.as_ever, self.intents.submit = self.intents.submit, self.fall

    def fall(self, text):
        match text:
            case "handler":
                raise RuntimeError("secret [/] in a handler")
            case "worker":
                async def fail(): raise RuntimeError("in a worker")
                self.run_worker(fail())
            case "render":
                self.status.render_line = lambda y: 1 / 0
                self.status.refresh()
            case "block":
                import time; time.sleep(60)
            case _:
                self.as_ever(text)

root = Path(sys.argv[1])
sys.exit(run_in_terminal(Broken(Settings(discover=False), Paths(root / "home"), root)))
"""
MODES_OFF = (b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?1006l", b"\x1b[?2004l", b"\x1b[?1004l", b"\x1b[<u", b"\x1b[?1049l")
GONE_SECONDS = 3.0


class Terminal:
    """A program on the other side of a pseudo-terminal."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ |= {"TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
            os.execv(sys.executable, [sys.executable, "-c", PROGRAM, str(root)])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.fd)
        self.output = b""
        self.status: int | None = None

    def read_until(self, wanted: bytes, seconds: float = 20.0) -> None:
        """Read until the program has written `wanted` from here on."""
        start = len(self.output)
        end = time.monotonic() + seconds
        while wanted not in self.output[start:]:
            assert time.monotonic() < end, f"{wanted!r} never came: {self.output[-800:]!r}"
            if not self._read(0.2):
                return

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65_536)
        except OSError:
            return False
        self.output += data
        return bool(data)

    def type(self, text: str) -> None:
        """Press keys and wait until the last of them is on the screen."""
        os.write(self.fd, text.encode())
        self.read_until(text[-1].encode())

    def enter(self) -> None:
        """Press enter after a pause: right behind other keys it would count as a line of a paste."""
        time.sleep(0.15)
        os.write(self.fd, b"\r")

    def wait(self) -> int:
        """Wait for the end, reading on; return the exit status."""
        end = time.monotonic() + GONE_SECONDS + 2
        while self.status is None:
            assert time.monotonic() < end, f"it is still alive: {self.output[-400:]!r}"
            if self.fd >= 0:
                self._read(0.05)
            else:
                time.sleep(0.02)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.status = os.waitstatus_to_exitcode(status)
        while self.fd >= 0 and select.select([self.fd], [], [], 0)[0] and self._read(0):
            pass
        return self.status

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self.fd)
        self.fd = -1

    def close(self) -> None:
        """Leave nothing behind, whatever the test has found."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.fd >= 0:
            os.close(self.fd)

    def assert_restored(self) -> None:
        """Check the line discipline and the terminal's modes."""
        assert termios.tcgetattr(self.fd) == self.before
        assert not [mode for mode in MODES_OFF if mode not in self.output]
        assert self.output.rindex(b"\x1b[?1049l") > self.output.rindex(b"\x1b[?1049h")

    @property
    def draft(self) -> str:
        """The draft that was kept."""
        return DraftStore(Paths(self.root / "home"), self.root).take()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    held = Terminal(tmp_path)
    held.read_until(b"help")
    yield held
    held.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_order(terminal: Terminal, number: signal.Signals) -> None:
    terminal.type("half a thoughz")
    os.kill(terminal.pid, number)
    assert terminal.wait() == 128 + number
    terminal.assert_restored()
    assert terminal.draft == "half a thoughz"


def test_a_closed_window_ends_it(terminal: Terminal) -> None:
    terminal.type("half a thoughz")
    terminal.hang_up()
    assert terminal.wait() == 128 + signal.SIGHUP
    assert terminal.draft == "half a thoughz"


@pytest.mark.parametrize("where", ["handler", "worker", "render"])
def test_a_crash_leaves_one_line_and_a_log(terminal: Terminal, where: str) -> None:
    terminal.type(where)
    terminal.enter()
    assert terminal.wait() == 70
    terminal.assert_restored()
    said = terminal.output.rsplit(b"\x1b", 1)[-1]
    assert said.count(b"\n") == 1
    assert b"internal error" in said
    assert b"secret" not in said
    logs = list((terminal.root / "home" / "logs").glob("crash-*.log"))
    assert len(logs) == 1
    assert "Traceback" in logs[0].read_text()


def test_a_blocked_program_ends_all_the_same(terminal: Terminal) -> None:
    terminal.type("block")
    terminal.enter()
    time.sleep(0.3)
    started = time.monotonic()
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.wait() == 128 + signal.SIGTERM
    assert time.monotonic() - started < GONE_SECONDS + 0.5
    terminal.assert_restored()


def test_what_runs_ends_with_it(terminal: Terminal) -> None:
    terminal.read_until(b"offline")
    marker = f"sleep {31_000 + os.getpid() % 1000}.5"
    terminal.type(f"!{marker}; echo z")
    terminal.enter()
    end = time.monotonic() + 10
    while not running(marker):
        assert time.monotonic() < end, "the shell line never started"
        terminal._read(0.05)
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.wait() == 128 + signal.SIGTERM
    terminal.assert_restored()
    assert not running(marker)


def running(command: str) -> bool:
    """Whether a process of that command line is there."""
    wanted = command.replace(" ", "\0").encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False


def test_it_is_suspended_and_comes_back(terminal: Terminal) -> None:
    os.write(terminal.fd, b"\x1a")
    terminal.read_until(b"\x1b[?1049l")
    assert os.waitpid(terminal.pid, os.WUNTRACED)[1] & 0xFF == 0x7F
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.read_until(b"help")
    terminal.type("z")
    os.write(terminal.fd, b"\x11")
    assert terminal.wait() == 0
    terminal.assert_restored()
