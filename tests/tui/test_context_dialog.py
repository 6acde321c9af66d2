"""/context: the picture is the next request's at every moment, and what is taken out there comes back there."""

from __future__ import annotations

import asyncio
from pathlib import Path

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import FinishPiece, TextPiece, UsagePiece
from tests.support.models import ScriptedModel, calls, says
from tests.tui.conftest import Screen, Started

_FILE = "".join(f"line {number} of the file\n" for number in range(400))


async def with_a_file_read(screen: Screen) -> None:
    (screen.app.workspace / "big.txt").write_text(_FILE)
    await screen.send("read the file")
    await screen.idle()
    await screen.send("and now something else")
    await screen.idle()
    await screen.send("/context")
    await screen.shows("What the next request holds", "The largest messages")


def reader() -> ScriptedModel:
    return ScriptedModel(calls(("read_file", {"path": "big.txt"})), says("Read."), says("Else."))


async def test_it_shows_parts_growth_and_the_largest(started: Started) -> None:
    async with started(reader(), size=(100, 40)) as screen:
        await with_a_file_read(screen)
        await screen.shows("tool schemas", "system prompt", "compaction at 167k", "ceiling 180k", "estimated")
        await screen.shows("a turn · at this pace a compaction in about", "› ", "result of read_file big.txt", "turn 1")


async def test_a_message_is_read_shortened_and_put_back(started: Started) -> None:
    async with started(reader(), size=(100, 40)) as screen:
        await with_a_file_read(screen)
        before = screen.app.host.session.agent.history.messages
        await screen.pilot.press("enter")
        await screen.shows("line 1 of the file")
        await screen.pilot.press("escape", "s")
        await screen.shows("shortened: result of read_file big.txt", "u puts it back")
        assert "line 300 of" not in "".join(m.content for m in screen.app.host.session.agent.history.messages)
        await screen.pilot.press("u")
        await screen.shows("put back: result of read_file big.txt")
        assert screen.app.host.session.agent.history.messages == before
        await screen.pilot.press("u")
        await screen.shows("Nothing was taken out here")
        await screen.pilot.press("escape")
        await screen.until(lambda: not screen.app.screen.is_modal)
        await screen.shows("shortened: result of read_file big.txt", "put back")


async def test_what_cannot_be_taken_out_says_why(started: Started) -> None:
    async with started(reader(), size=(100, 40)) as screen:
        await with_a_file_read(screen)
        agent = screen.app.host.session.agent
        at = [item.name for item in agent.picture().largest].index("you")
        await screen.pilot.press(*["down"] * at, "s")
        await screen.shows("Only tool results and long arguments")
        before = agent.history.messages
        newest = [item.detail for item in agent.picture().largest].index("and now something else")
        await screen.pilot.press("home", *["down"] * newest, "d")
        await screen.shows("Your newest message always stays")
        assert agent.history.messages == before


async def test_it_is_live_while_a_turn_runs(started: Started) -> None:
    hold = asyncio.Event()
    model = ScriptedModel([hold, TextPiece("word " * 200), UsagePiece(Usage(2_600, 340)), FinishPiece("stop")])
    async with started(model, size=(100, 40)) as screen:
        await screen.send("go")
        await screen.until(lambda: screen.app.host.in_turn and bool(model.requests))
        await screen.send("/context")
        await screen.shows("What the next request holds", "estimated")
        hold.set()
        await screen.shows("calibrated by the provider's own count", "session so far  in 2.6k out 340", "answer")


async def test_a_fresh_session_has_a_picture_too(started: Started, tmp_path: Path) -> None:
    async with started(size=(80, 24)) as screen:
        await screen.send("/context")
        await screen.shows("What the next request holds", "nothing was said yet")
        await screen.pilot.press("s", "d", "enter", "u", "down", "escape")
        await screen.until(lambda: not screen.app.screen.is_modal)
