"""CPU and memory at rest, before and after a first answer: `python -m benchmarks.idle [SECONDS]`."""

from __future__ import annotations

import sys
import time

from benchmarks.server import Server
from benchmarks.terminal import Terminal, report


def main(seconds: float) -> None:
    """Measure one session at rest for `seconds`."""
    server = Server()
    terminal = Terminal(server.base_url)
    terminal.settle(4)
    for moment in ("at start", "after an answer"):
        cpu, start = terminal.cpu(), time.perf_counter()
        terminal.settle(seconds)
        report(f"CPU {moment}", [100 * (terminal.cpu() - cpu) / (time.perf_counter() - start)], "% of a core")
        report(f"memory {moment}", [terminal.memory()], "MB")
        terminal.send("hello")
        terminal.settle(3)
    terminal.close()
    server.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
