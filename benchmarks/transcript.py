"""The chat pane by itself: 10,000 messages, scrolling, 2,000 chunks: `python -m benchmarks.transcript [MESSAGES]`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable

from textual.app import App, ComposeResult

from benchmarks.server import chunks
from benchmarks.terminal import percentile, report
from codeagent_tui.conversation.messages import Message, assistant, user
from codeagent_tui.paths import styles_dir
from codeagent_tui.tui.themes import DARK, THEMES
from codeagent_tui.tui.transcript import Transcript

_IMPORT = """
import time, textual.app, textual.scroll_view, textual.worker
start = time.perf_counter()
import codeagent_tui.tui.transcript
print(time.perf_counter() - start)
"""


class _Screen(App[None]):
    CSS_PATH = styles_dir() / "transcript.tcss"

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK
        self.transcript = Transcript()

    def compose(self) -> ComposeResult:
        yield self.transcript


def _history(count: int) -> list[Message]:
    answer = "".join(chunks(60)[:-1])
    messages: list[Message] = []
    for number in range(count // 2):
        messages += [user(f"question {number}"), assistant(f"answer {number}\n{answer}")]
    return messages


def _timed(name: str, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    act()
    report(name, [(time.perf_counter() - start) * 1000], "ms")


async def _stream(app: _Screen, pieces: list[str], rate: float) -> tuple[float, list[float]]:
    """Stream `pieces` (`rate` a second; 0: a hundred at a time); return seconds, and how late the loop's turns were."""
    late: list[float] = []
    done = asyncio.Event()

    async def watch() -> None:
        while not done.is_set():
            start = time.perf_counter()
            await asyncio.sleep(0.002)
            late.append((time.perf_counter() - start - 0.002) * 1000)

    watcher = asyncio.create_task(watch())
    start = time.perf_counter()
    for number, piece in enumerate(pieces):
        app.transcript.append_answer(piece)
        if rate:
            await asyncio.sleep(max(0.0, start + number / rate - time.perf_counter()))
        elif number % 100 == 99:
            await asyncio.sleep(0)
    app.transcript.end_answer()
    while app.transcript.waits_for_frame:  # noqa: ASYNC110  the frame tells nobody when it is drawn
        await asyncio.sleep(0.001)
    spent = time.perf_counter() - start
    done.set()
    await watcher
    return spent, late


def _import_time() -> float:
    """Return how many ms the import takes beyond Textual's, in a process of its own."""
    command = [sys.executable, "-c", _IMPORT]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) * 1000


async def main(count: int) -> None:
    """Measure each act once."""
    app = _Screen()
    messages = _history(count)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        transcript = app.transcript
        _timed(f"load {count:,} messages", lambda: transcript.load(messages))
        await pilot.pause()
        _timed("a page up", lambda: transcript.scroll_by_key("page_up"))
        _timed("the next page up", lambda: transcript.scroll_by_key("page_up"))
        _timed("to the start", lambda: transcript.scroll_by_key("home"))
        _timed("to the end", lambda: transcript.scroll_by_key("end"))
        _timed("a notice", lambda: transcript.add_notice("info", "one line"))
        await pilot.pause()
        spent, late = await _stream(app, chunks(2_000), 0)
        report("2,000 chunks at once", [spent], "s")
        spent, late = await _stream(app, chunks(1_000), 200)
        report("1,000 chunks, 200 a second", [spent], "s")
        report("  loop late, p95", [percentile(late, 0.95)], "ms")
        report("  loop late, worst", [max(late)], "ms")


if __name__ == "__main__":
    report("import", [_import_time() for _ in range(3)], "ms")
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
