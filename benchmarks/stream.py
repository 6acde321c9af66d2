"""2,000 markdown chunks, and the echo of keys while 200 a second arrive: `python -m benchmarks.stream [RUNS]`."""

from __future__ import annotations

import sys

from benchmarks.server import Server
from benchmarks.terminal import Terminal, percentile, report


def main(runs: int) -> None:
    """Measure `runs` sessions."""
    server = Server()
    shown, spent, echoes = [], [], []
    for _ in range(runs):
        terminal = Terminal(server.base_url)
        terminal.settle(3)
        cpu = terminal.cpu()
        pressed = terminal.send("STREAM 2000 0")
        shown.append(terminal.until(lambda t=terminal: "ENDMARK" in t.text(), 60) - pressed)
        spent.append(terminal.cpu() - cpu)
        terminal.settle(2)
        terminal.send("STREAM 2400 200")
        terminal.settle(1.5)
        echoes += terminal.echo(8)
        terminal.close()
    server.close()
    report("2,000 chunks shown", shown, "s")
    report("  CPU spent on them", spent, "s")
    report("echo while streaming p50", [percentile(echoes, 0.5)], "ms")
    report("echo while streaming p95", [percentile(echoes, 0.95)], "ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
