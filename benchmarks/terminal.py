"""CodeAgent in a pseudo-terminal, driven and watched from outside: what a user feels, not what a profiler says."""

from __future__ import annotations

import os
import re
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil
import pyte
from ptyprocess import PtyProcess

ROWS, COLUMNS = 40, 120
_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=?][0-9;]*u|\x1b\[>[0-9;]*m|\x1b\[\?[0-9;]*\$p|\x1bP[^\x1b]*\x1b\\")


class Terminal:
    """One running CodeAgent; `text()` is what its screen shows."""

    def __init__(self, base_url: str = "", *arguments: str, home: Path | None = None) -> None:
        home = home or Path(tempfile.mkdtemp(prefix="codeagent-bench-"))
        work = home / "work"
        work.mkdir(exist_ok=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI", "CODEAGENT"))}
        environment |= {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "CODEAGENT_HOME": str(home / "data"),
        }
        if base_url:
            environment |= {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "k", "CODEAGENT_MODEL": "bench"}
            environment |= {"CODEAGENT_WINDOW": "2000000"}
        command = [str(Path(sys.executable).with_name("codeagent")), *arguments]
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._feed = pyte.ByteStream(self._screen)
        self.spawned, self.spawned_wall = time.perf_counter(), time.time()
        self._process = PtyProcess.spawn(command, cwd=str(work), env=environment, dimensions=(ROWS, COLUMNS))
        self.process = psutil.Process(self._process.pid)

    def pump(self, seconds: float) -> bool:
        """Read what there is, waiting at most `seconds` for the first of it."""
        if not select.select([self._process.fd], [], [], seconds)[0]:
            return False
        data = os.read(self._process.fd, 1 << 16)
        self._feed.feed(_UNKNOWN_TO_PYTE.sub(b"", data))
        return True

    def text(self) -> str:
        """Return the screen as text."""
        rows = self._screen.buffer
        return "\n".join("".join(rows[y][x].data for x in range(COLUMNS)) for y in range(ROWS))

    def until(self, test: Callable[[], bool], timeout: float) -> float:
        """Wait until `test()` and return the time; raise TimeoutError with the screen otherwise."""
        end = time.perf_counter() + timeout
        while not test():
            left = end - time.perf_counter()
            if left <= 0:
                raise TimeoutError(self.text())
            self.pump(min(left, 0.05))
        return time.perf_counter()

    def settle(self, seconds: float) -> None:
        """Keep reading for `seconds`."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.pump(min(left, 0.1))

    def type(self, keys: str) -> None:
        """Send keys."""
        os.write(self._process.fd, keys.encode())

    def send(self, text: str) -> float:
        """Type `text`, wait as a person would, press enter; return when enter was pressed."""
        self.type(text)
        self.settle(0.4)
        self.type("\r")
        return time.perf_counter()

    def echo(self, seconds: float) -> list[float]:
        """Type a key every 150 ms for `seconds`; return how many ms each took to show."""
        waits: list[float] = []
        typed = ""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            typed += "qxj"[len(typed) % 3]
            pressed = time.perf_counter()
            self.type(typed[-1])
            wanted = typed
            waits.append((self.until(lambda wanted=wanted: wanted in self.text(), 5) - pressed) * 1000)
            self.settle(max(0.0, 0.15 - (time.perf_counter() - pressed)))
            if len(typed) >= 30:
                self.type("\x7f" * len(typed))
                self.settle(0.3)
                typed = ""
        self.type("\x7f" * len(typed))
        return waits

    def memory(self) -> float:
        """Return the proportional memory of the process tree in MB."""
        total = 0
        for process in (self.process, *self.process.children(recursive=True)):
            found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process.pid}/smaps_rollup").read_text(), re.M)
            total += int(found[1]) if found else 0
        return total / 1024

    def cpu(self) -> float:
        """Return the CPU seconds of the process tree so far."""
        times = [p.cpu_times() for p in (self.process, *self.process.children(recursive=True))]
        return sum(t.user + t.system for t in times)

    def close(self) -> None:
        """End it."""
        for process in (*self.process.children(recursive=True), self.process):
            process.kill()
        self._process.close(force=True)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of `values` lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def report(name: str, values: Sequence[float], unit: str) -> None:
    """Print the median and the range of `values`."""
    print(f"{name:<28} {statistics.median(values):8.2f} {unit}  [{min(values):.2f} - {max(values):.2f}]", flush=True)
