"""Sessions on disk: resuming, listing, appending, memory: `python -m benchmarks.sessions [RUNS]`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.server import Server
from benchmarks.terminal import Terminal, report
from codeagent_tui.conversation.messages import ToolCall, assistant, tool_result, user
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.store import SessionStore

MESSAGES = 5_000
BYTES = 11_500_000
CODE = "def parse(text: str) -> list[Token]:\n    return [Token(word) for word in text.split()]\n"
LOADED_MEMORY = """
import gc, re, sys, time
from pathlib import Path
from codeagent_tui.conversation.history import History
from codeagent_tui.sessions.store import SessionStore
def pss():
    gc.collect()
    return int(re.search(r"^Pss:\\s+(\\d+)", Path("/proc/self/smaps_rollup").read_text(), re.M)[1]) / 1024
store = SessionStore(Path(sys.argv[1]), Path(sys.argv[2]))
before, started, cpu = pss(), time.perf_counter(), time.process_time()
loaded = store.load(store.find(""))
history = History(loaded.messages)
took, cpu = time.perf_counter() - started, time.process_time() - cpu
print(len(history), took, cpu, before, pss())
"""


def write_long_session(home: Path) -> SessionLog:
    """Write a session of 5,000 messages and 10 MB into the data folder of a benchmark's terminal."""
    (home / "work").mkdir(exist_ok=True)
    log = SessionStore(home / "data" / "history", home / "work").create()
    filler = CODE * (BYTES // MESSAGES // len(CODE))
    for number in range(MESSAGES // 4):
        log.append_message(user(f"Question {number}: what does this do?\n{CODE}"))
        log.append_message(assistant("", ToolCall(f"call_{number}", "read_file", json.dumps({"path": "a.py"}))))
        log.append_message(tool_result(f"call_{number}", filler * 2))
        log.append_message(assistant(f"It parses.\n\n```python\n{filler}{CODE * 2}```\n"))
    log.append_message(user("Is that all?"))
    log.append_message(assistant("That is all of it."))
    log.close()
    return log


def wait_for(terminal: Terminal, text: str) -> float:
    """Wait until the screen shows `text`; return the seconds since the program was started."""
    return terminal.until(lambda: text in terminal.text(), 60) - terminal.spawned


def resume(runs: int) -> None:
    """From the start of the program to the first key that is echoed, with the long session resumed; then memory."""
    server = Server()
    keys, plain, shown, echoed, memory = [], [], [], [], []
    for _ in range(runs):
        terminal = Terminal(server.base_url)
        wait_for(terminal, "\u203a")
        terminal.type("zqx")
        plain.append(wait_for(terminal, "zqx"))
        terminal.close()
        home = Path(tempfile.mkdtemp(prefix="codeagent-bench-"))
        write_long_session(home)
        terminal = Terminal(server.base_url, "--continue", home=home)
        wait_for(terminal, "\u203a")
        terminal.type("zqx")
        keys.append(wait_for(terminal, "zqx"))
        shown.append(wait_for(terminal, "That is all of it."))
        pressed = time.perf_counter() - terminal.spawned
        terminal.type("jw")
        echoed.append((wait_for(terminal, "zqxjw") - pressed) * 1_000)
        terminal.settle(2)
        memory.append(terminal.memory())
        terminal.close()
    server.close()
    report("first usable key", keys, "s")
    report("... with nothing resumed", plain, "s")
    report("resumed text on the screen", shown, "s")
    report("a key after that", echoed, "ms")
    report("memory after it", memory, "MB")


def load(runs: int) -> None:
    """Reading the long session back, without a screen."""
    home = Path(tempfile.mkdtemp(prefix="codeagent-bench-"))
    log = write_long_session(home)
    took, busy, grown = [], [], []
    for _ in range(runs):
        command = [sys.executable, "-c", LOADED_MEMORY, str(home / "data" / "history"), str(home / "work")]
        _, seconds, cpu, before, after = subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.split()
        took.append(float(seconds) * 1_000)
        busy.append(float(cpu) * 1_000)
        grown.append(float(after) - float(before))
    print(f"{'size of the log':<28} {log.path.stat().st_size / 1e6:8.2f} MB, {MESSAGES:,} messages")
    report("read and paired", took, "ms")
    report("... its CPU time", busy, "ms")
    report("memory it takes", grown, "MB")


def listing(runs: int, sessions: int = 1_000) -> None:
    """The list of 1,000 sessions of 200 KB."""
    home = Path(tempfile.mkdtemp(prefix="codeagent-bench-"))
    store = SessionStore(home / "history", home)
    for number in range(sessions):
        log = store.create()
        for turn in range(10):
            log.append_message(user(f"Request {number}.{turn}"))
            log.append_message(tool_result("c", CODE * 200))
            log.append_message(assistant(f"Done with {number}.{turn}"))
        log.close()
    took, busy = [], []
    for _ in range(runs):
        started, cpu = time.perf_counter(), time.process_time()
        found = store.summaries()
        took.append((time.perf_counter() - started) * 1_000)
        busy.append((time.process_time() - cpu) * 1_000)
        assert len(found) == sessions and found[0].turns == 10
    report(f"list of {sessions:,} sessions", took, "ms")
    report("... its CPU time", busy, "ms")


def appending(appends: int = 500) -> None:
    """Appends to a log of 20 MB: bytes written, and the time of each without fsync."""
    home = Path(tempfile.mkdtemp(prefix="codeagent-bench-"))
    log = SessionStore(home / "history", home).create()
    for _ in range(20):
        log.append_message(tool_result("c", "x" * 1_000_000))
    before, took = log.path.stat().st_size, []
    for number in range(appends):
        message = assistant(f"Answer {number}. " + CODE * 10)
        started = time.perf_counter()
        log.append_message(message)
        took.append((time.perf_counter() - started) * 1_000)
    written = log.path.stat().st_size - before
    log.close()
    print(f"{appends} appends to {before / 1e6:.0f} MB wrote {written / 1e6:.2f} MB")
    print(f"one append, p50 / p99 / most {statistics.median(took):11.3f} / {sorted(took)[-5]:.3f} / {max(took):.3f} ms")


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    appending()
    listing(count)
    load(count)
    resume(count)
