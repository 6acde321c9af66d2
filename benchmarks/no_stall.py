"""How long people wait because of compactions: `python -m benchmarks.no_stall [TURNS] [SUMMARY_SECONDS]`.

First a session of 200 turns with a summariser that takes 30 s, compacting beside the conversation and then instead of
it, on a clock that skips idle time (see `skipping_clock`). Then the real program in a terminal: the echo of keys, and a
message that is sent, while a summary is on its way, against the same without one.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks import skipping_clock
from benchmarks.terminal import Terminal, percentile
from codeagent_tui.agent.session import Session
from codeagent_tui.conversation.events import CompactionWaiting, EndReason, TurnEnded
from codeagent_tui.llm.provider import ChatRequest, StreamEvent
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.answers import Played
from tests.support.planted import user_script
from tests.support.scripted_agent import ScriptedAgent, make_workspace
from tests.support.sessions import of, scratch_session
from tests.support.strict_model import StrictModel
from tests.support.strict_server import StrictServer
from tests.support.summarisers import is_summary_request

WINDOW = 100_000
ANSWER_SECONDS = (2.0, 12.0)
THINKING_SECONDS = (5.0, 25.0)
"""Of the user, between two turns."""
SETTINGS = Settings(discover=False, mode=PermissionMode.UNATTENDED, max_attempts=1)


class PacedModel:
    """A model that takes its time: `summary_seconds` for a summary, some seconds for an answer."""

    def __init__(self, inner: StrictModel, summary_seconds: float) -> None:
        self.name, self.window = inner.name, inner.window
        self._inner = inner
        self._summary_seconds = summary_seconds
        self._chance = random.Random(1)

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Wait, then answer."""
        summary = is_summary_request(request.system, request.messages[-1].content, with_tools=bool(request.tools))
        await asyncio.sleep(self._summary_seconds if summary else self._chance.uniform(*ANSWER_SECONDS))
        async for event in self._inner.stream(request):
            yield event


@dataclass(slots=True)
class Waited:
    """What a session's compactions cost its user, in seconds; `work` is the part that was no waiting for a model."""

    by_turn: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    """Processor time before each request."""
    at_the_ceiling: int = 0
    compactions: int = 0
    lasted: float = 0.0


async def conversation(turns: int, summary_seconds: float, *, background: bool) -> Waited:
    """Play a session and time what comes before each of its requests."""
    model = StrictModel(ScriptedAgent(seed=1), window=WINDOW)
    waited, pause, loop = Waited(), random.Random(2), asyncio.get_running_loop()
    with tempfile.TemporaryDirectory(prefix="codeagent-stall-") as folder:
        make_workspace(Path(folder) / "work")
        settings = replace(SETTINGS, background_compaction=background)
        session = await scratch_session(Path(folder), PacedModel(model, summary_seconds), settings=settings)
        _time_requests(session, waited)
        began = loop.time()
        for said in user_script(turns, facts=turns // 8):
            waited.by_turn.append(0.0)
            events = [event async for event in session.agent.run(said.text)]
            assert of(TurnEnded, events)[-1].reason is EndReason.DONE, of(TurnEnded, events)[-1]
            waited.at_the_ceiling += len(of(CompactionWaiting, events))
            await asyncio.sleep(pause.uniform(*THINKING_SECONDS))
        waited.lasted = loop.time() - began
        waited.compactions = sum(record.way == "summary" for record in session.agent.compactions)
        await session.aclose()
    assert model.faults == [] and model.counts["overflow"] == 0
    return waited


def _time_requests(session: Session, waited: Waited) -> None:
    compaction, loop = session.agent.compaction, asyncio.get_running_loop()
    make_ready = compaction.before_request

    async def timed(*, refused: bool) -> bool:
        began, worked = loop.time(), time.thread_time()
        try:
            return await make_ready(refused=refused)
        finally:
            waited.by_turn[-1] += loop.time() - began
            waited.work.append(time.thread_time() - worked)

    compaction.before_request = timed  # type: ignore[method-assign]


class ServerThread:
    """The strict server in a thread of its own. Its answers are long; summaries wait until `let_go`."""

    def __init__(self, window: int) -> None:
        self._loop = asyncio.new_event_loop()
        self.server = StrictServer(self._answer, window=window)
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        threading.Thread(target=lambda: self._loop.run_until_complete(self._run()), daemon=True).start()
        self._ready.wait()

    def _answer(self, request: dict[str, Any]) -> Played:
        asked = str(request["messages"][-1]["content"])
        body = "" if asked.startswith("short") else "some words of an answer, line by line.\n" * 100
        return Played(f"{body}answer <{asked.split()[-1]}>")

    async def _run(self) -> None:
        async with self.server:
            self.server.summaries.clear()
            self._ready.set()
            await self._stop.wait()

    @property
    def summary_is_wanted(self) -> bool:
        """Whether a summary of the history was asked for."""
        return self.server.summary_asked.is_set()

    def let_go(self) -> None:
        """Answer the summaries."""
        self._loop.call_soon_threadsafe(self.server.summaries.set)


def echoes() -> dict[str, list[float]]:
    """Return in ms how long keys take to show and a short message to be answered, without a summary and during one."""
    thread = ServerThread(32_768)
    terminal = Terminal(thread.server.base_url, "--window", "32768")
    terminal.settle(3)
    measured: dict[str, list[float]] = {}
    for number in range(3):
        _say(terminal, f"long {number}")
    measured["echo before"] = terminal.echo(8)
    measured["answer before"] = [_say(terminal, f"short {number}") for number in range(10, 15)]
    for number in range(20, 60):
        if thread.summary_is_wanted:
            break
        _say(terminal, f"long {number}")
    assert thread.summary_is_wanted, terminal.text()
    measured["echo during it"] = terminal.echo(8)
    measured["answer during it"] = [_say(terminal, f"short {number}") for number in range(60, 65)]
    assert not thread.server.summaries.is_set()
    thread.let_go()
    terminal.until(lambda: "compacted" in terminal.text(), 20)
    measured["echo after"] = terminal.echo(8)
    measured["answer after"] = [_say(terminal, f"short {number}") for number in range(70, 75)]
    terminal.close()
    return measured


def _say(terminal: Terminal, text: str) -> float:
    """Send a message and return how many ms later its answer was there."""
    pressed = terminal.send(text)
    shown = terminal.until(lambda: f"<{text.split()[-1]}>" in terminal.text(), 20)
    terminal.settle(1.0)
    return (shown - pressed) * 1_000


def main(turns: int, summary_seconds: float) -> None:
    """Measure and print."""
    # It warns of searches that are ended just when they end by themselves, which is more often so without idle time.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    print(f"{turns} turns, window {WINDOW:,}; idle time is skipped, not scaled")
    print(
        "| background | a summary takes | compactions | wait in all | longest of a turn | turns that waited | session |"
    )
    print("|---|---|---|---|---|---|---|")
    # The last one is so slow that the ceiling is reached before its summaries are there.
    for background, seconds in ((True, summary_seconds), (False, summary_seconds), (True, summary_seconds * 40)):
        waited = skipping_clock.run(conversation(turns, seconds, background=background))
        print(
            f"| {'on' if background else 'off'} | {seconds:g} s | {waited.compactions} | {sum(waited.by_turn):.1f} s "
            f"| {max(waited.by_turn):.2f} s | {sum(wait > 1 for wait in waited.by_turn)} of {turns} "
            f"({waited.at_the_ceiling} at the ceiling) | {waited.lasted / 60:.0f} min |",
            flush=True,
        )
        worked = [seconds * 1_000 for seconds in waited.work]
        print(f"  processor time before a request: p50 {percentile(worked, 0.5):.1f} ms, most {max(worked):.0f} ms")
    for name, values in echoes().items():
        print(
            f"{name:<18} p50 {percentile(values, 0.5):7.1f} ms   p95 {percentile(values, 0.95):7.1f} ms   "
            f"({len(values)} times)"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, float(sys.argv[2]) if len(sys.argv) > 2 else 30.0)
