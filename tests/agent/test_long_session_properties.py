"""What holds for a whole session in any window, with any summariser, interrupted and disturbed at any place."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from codeagent_tui.agent.compaction import CannotRestore
from codeagent_tui.agent.session import Session
from codeagent_tui.context.taking_out import CannotTakeOut
from codeagent_tui.conversation.events import AgentEvent, CompactionStarted, CompactionWaiting, EndReason, TurnEnded
from codeagent_tui.conversation.messages import MessageKind
from codeagent_tui.llm.provider import ChatRequest
from codeagent_tui.sessions.reading import read_open_log
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.answers import Played, Wanted
from tests.support.depth import searching
from tests.support.sessions import of, scratch_session
from tests.support.strict_count import count_message, count_request
from tests.support.strict_model import StrictModel
from tests.support.summarisers import Behaviour

SETTINGS = Settings(discover=False, mode=PermissionMode.UNATTENDED, max_attempts=1)
FILES = {"small.py": "x = 1\n", "middle.log": "12:00:07 id=0f3a9c ok\n" * 120, "large.md": "记忆 and words\n" * 1_500}
CALLS_A_REQUEST = 6
"""Summary requests that one request of the conversation may cost: three compactions, each with a second try."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One session, but for what chance decides."""

    seed: int
    window: int
    behaviours: tuple[Behaviour, ...]
    background: bool
    usage: bool
    turns: int


@dataclass(slots=True)
class Seen:
    """What the watched session did."""

    said: list[str] = field(default_factory=list)
    needless: list[str] = field(default_factory=list)
    """Requests that were larger than the window although smaller ones were possible."""
    lost: list[str] = field(default_factory=list)
    """Requests without the newest message of the user."""
    failed: list[str] = field(default_factory=list)
    """Turns that ended with an overflow although what they needed would have fitted."""
    requests: int = 0


KINDS = [Behaviour.GOOD] * 6 + [kind for kind in Behaviour if kind is not Behaviour.PARROT]
SCENARIOS = st.builds(
    Scenario,
    st.integers(0, 2**32),
    st.one_of(st.sampled_from((1_024, 4_096, 8_192, 16_384, 32_768, 200_000)), st.integers(1_024, 2_000_000)),
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=5).map(tuple),
    st.booleans(),
    st.booleans(),
    st.integers(1, 9),
)


class Player:
    """A model that reads files by chance; how often depends on the turn."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def __call__(self, request: dict[str, Any]) -> Played:
        if self._chance.random() < 0.45:
            return Played(f"done {self._chance.randrange(999)}")
        names = [self._chance.choice(tuple(FILES)) for _ in range(self._chance.choice((1, 1, 2, 3)))]
        return Played(calls=tuple(Wanted("read_file", {"path": name}) for name in names))


def _text(chance: random.Random, turn: int, window: int) -> str:
    words = chance.choice((3, 3, 40, min(60_000, window // 8)))
    return f"#{turn} " + chance.choice(("word ", "12:07 id=0f3a ", "记忆系统 ", "\U0001f680 ")) * words


def smallest_possible(wire: dict[str, Any]) -> int:
    """Return the size of what no compaction may take from `wire`: prompt, tools, the newest request and group."""
    messages = wire["messages"]
    asked = max(at for at, message in enumerate(messages) if message["role"] == "user")
    groups = [at for at, message in enumerate(messages) if message["role"] == "assistant" and at > asked]
    kept = [messages[0], messages[asked], *(messages[groups[-1] :] if groups else [])]
    return count_request({**wire, "messages": []}) + sum(map(count_message, kept))


async def play(scenario: Scenario, folder: Path) -> tuple[Session, StrictModel, Seen]:
    """Play the scenario and return what is left of it. The session is open."""
    chance = random.Random(scenario.seed)
    kinds = scenario.behaviours
    model = StrictModel(
        Player(chance),
        window=scenario.window,
        behave=lambda number: kinds[number % len(kinds)],
        usage=scenario.usage,
    )
    settings = replace(SETTINGS, background_compaction=scenario.background)
    (folder / "work").mkdir()
    for name, text in FILES.items():
        (folder / "work" / name).write_text(text)
    session, seen = await scratch_session(folder, model, settings=settings), Seen()

    def watch(request: ChatRequest, size: int) -> None:
        seen.requests += 1
        own = session.agent.reading().total
        if own > scenario.window and smallest_possible(model.conversation[-1]) < scenario.window // 3:
            seen.needless.append(f"{own} tokens at request {seen.requests}")
        if request.messages and seen.said[-1] not in [m.content for m in request.messages if m.starts_turn]:
            seen.lost.append(seen.said[-1])

    model.on_request = watch
    for turn in range(scenario.turns):
        await _turn(session, model, seen, chance, _text(chance, turn, scenario.window))
    model.summaries.set()
    while session.agent.compaction.running:
        await asyncio.sleep(0)
    return session, model, seen


async def _turn(session: Session, model: StrictModel, seen: Seen, chance: random.Random, text: str) -> None:
    """Let one turn happen, perhaps stopped, perhaps with a summary that hangs, perhaps with a compaction by hand."""
    agent = session.agent
    stop_after = chance.randrange(1, 30) if chance.random() < 0.2 else 10**9
    if chance.random() < 0.3:
        model.summaries.clear()
    seen.said.append(text)
    events: list[AgentEvent] = []
    async for event in agent.run(text):
        events.append(event)
        if len(events) == stop_after:
            agent.interrupt()
        if model.asked.is_set() and chance.random() < 0.2:
            model.summaries.set()
        if isinstance(event, CompactionWaiting) or (isinstance(event, CompactionStarted) and not event.background):
            model.summaries.set()
    for ended in of(TurnEnded, events):
        needed = smallest_possible(model.conversation[-1]) if model.conversation else 0
        if ended.reason is EndReason.FAILED and needed < model.window // 2:
            seen.failed.append(f"{ended.detail}; {needed} are needed of {model.window}")
    assert agent.history.check_pairs() == []
    if chance.random() < 0.15:
        model.summaries.set()
        async for _ in agent.compact():
            pass
    if chance.random() < 0.1:
        with suppress(CannotRestore):
            await agent.uncompact()
    _take_out(session, random.Random(text))


def _take_out(session: Session, chance: random.Random) -> None:
    """Perhaps shorten one of the largest messages, or take it out whole, as the user may at any time."""
    largest = session.agent.picture().largest
    if largest and chance.random() < 0.3:
        with suppress(CannotTakeOut):
            session.agent.take_out(chance.choice(largest).message_id, whole=chance.random() < 0.5)
    assert session.agent.history.check_pairs() == []


def in_a_folder(scenario: Scenario, check: Callable[[Session, StrictModel, Seen], None]) -> Callable[[], Any]:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            session, model, seen = await play(scenario, Path(folder))
            try:
                check(session, model, seen)
                assert read_open_log(session.log).replay.messages == list(session.agent.history.messages)
                await _everything_comes_back(session, seen)
            finally:
                await session.aclose()

    return run


async def _everything_comes_back(session: Session, seen: Seen) -> None:
    """Take all compactions back: what the user said is there, in order, and nothing made up is left."""
    agent = session.agent
    while any(not record.restored for record in agent.compactions):
        await agent.uncompact()
    messages = agent.history.messages
    assert [message.content for message in messages if message.starts_turn] == seen.said
    assert all(message.kind in (MessageKind.NORMAL, MessageKind.REPAIR) for message in messages)
    assert not any(message.content.startswith(("[Stub", "[The user took")) for message in messages)
    assert not any("[Stub" in call.arguments for message in messages for call in message.tool_calls)


@searching(12)
@given(SCENARIOS)
@example(Scenario(7, 4_096, (Behaviour.GOOD, Behaviour.GOOD, Behaviour.CUT_OFF, Behaviour.GOOD), True, True, 8))
async def test_any_session_keeps_pairs_the_last_request_and_its_bounds(scenario: Scenario) -> None:
    def check(session: Session, model: StrictModel, seen: Seen) -> None:
        assert model.faults == [] and seen.lost == []
        assert seen.needless == [] and seen.failed == []
        assert model.counts["history"] <= CALLS_A_REQUEST * max(1, seen.requests)

    await in_a_folder(scenario, check)()
