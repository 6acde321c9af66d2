"""From start to the first frame, the first echoed key, and the first request: `python -m benchmarks.start [RUNS]`."""

from __future__ import annotations

import re
import sys

from benchmarks.server import Server
from benchmarks.terminal import Terminal, report


def main(runs: int) -> None:
    """Measure `runs` starts."""
    server = Server()
    frames, keys, requests = [], [], []
    for _ in range(runs):
        terminal = Terminal(server.base_url)
        before = len(server.arrivals)
        frames.append(terminal.until(lambda t=terminal: len(re.sub(r"\s", "", t.text())) >= 20, 30) - terminal.spawned)
        terminal.type("z")
        keys.append(terminal.until(lambda t=terminal: "z" in t.text(), 30) - terminal.spawned)
        terminal.type("ebra")
        terminal.until(lambda t=terminal: "zebra" in t.text(), 30)
        terminal.settle(0.15)
        terminal.type("\r")
        terminal.until(lambda n=before: len(server.arrivals) > n, 30)
        requests.append(server.arrivals[before] - terminal.spawned_wall)
        terminal.close()
    server.close()
    report("first frame", frames, "s")
    report("first key echoed", keys, "s")
    report("first request", requests, "s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
