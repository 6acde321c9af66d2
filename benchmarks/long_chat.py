"""Echo and memory with 10,000 messages in the transcript: `python -m benchmarks.long_chat [MESSAGES]`."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.server import Server, chunks
from benchmarks.terminal import Terminal, percentile, report
from codeagent_tui.conversation.messages import assistant, user
from codeagent_tui.sessions.store import SessionStore


def main(messages: int) -> None:
    """Resume a session of `messages` messages and stream into it."""
    home = Path(tempfile.mkdtemp(prefix="codeagent-bench-"))
    (home / "work").mkdir()
    log = SessionStore(home / "data" / "history", home / "work").create()
    answer = "".join(chunks(60)[:-1])
    for number in range(messages // 2):
        log.append_message(user(f"question {number}"))
        log.append_message(assistant(f"answer {number}\n{answer}"))
    log.close()
    server = Server()
    started = time.perf_counter()
    terminal = Terminal(server.base_url, "--continue", home=home)
    report(
        "resumed and shown",
        [
            terminal.until(lambda: f"answer {messages // 2 - 1}" in terminal.text() or "x * 5" in terminal.text(), 60)
            - started
        ],
        "s",
    )
    terminal.settle(3)
    report("memory", [terminal.memory()], "MB")
    terminal.send("STREAM 2400 200")
    terminal.settle(1.5)
    echoes = terminal.echo(8)
    report(f"echo, {messages:,} above, p50", [percentile(echoes, 0.5)], "ms")
    report(f"echo, {messages:,} above, p95", [percentile(echoes, 0.95)], "ms")
    report("memory after streaming", [terminal.memory()], "MB")
    terminal.close()
    server.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
