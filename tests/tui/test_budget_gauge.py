"""The gauge in a running app: what a compaction does is seen while it goes on."""

from __future__ import annotations

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import FinishPiece, TextPiece, UsagePiece
from tests.support.gated_summary import PART, Summarising
from tests.support.models import ScriptedModel
from tests.tui.conftest import Screen, Started


def gauge(screen: Screen) -> str:
    """Return the last line of the screen."""
    return screen.text.splitlines()[-1]


async def fill(screen: Screen, turns: int) -> None:
    for number in range(turns):
        await screen.send(f"q{number} {PART}")
        await screen.idle()


async def test_a_compaction_beside_the_conversation_shows_until_it_is_done(started: Started) -> None:
    model = Summarising()
    async with started(model, size=(120, 24)) as screen:
        await fill(screen, 4)
        assert "near" in gauge(screen)
        await fill(screen, 1)
        await screen.until(lambda: "compacting" in gauge(screen), "the word")
        # A turn beside it leaves the word where it is.
        await screen.send("something short")
        await screen.idle()
        assert "compacting" in gauge(screen)
        model.gate.set()
        await screen.until(lambda: "calm" in gauge(screen), "calm again")
        await screen.shows("history compacted")


async def test_a_request_that_waits_at_the_ceiling_says_so_and_can_be_stopped(started: Started) -> None:
    model = Summarising()
    async with started(model, size=(120, 24)) as screen:
        await fill(screen, 5)
        await screen.send(f"q5 {PART}")
        await screen.until(lambda: "waiting" in gauge(screen), "the word")
        await screen.shows("esc stops it")
        await screen.pilot.press("escape")
        await screen.idle()
        # What it waited for goes on beside the conversation, and ends there.
        assert "compacting" in gauge(screen)
        model.gate.set()
        await screen.until(lambda: "calm" in gauge(screen), "calm again")
        await screen.shows("ready")


async def test_a_compaction_that_is_given_up_leaves_the_gauge(started: Started) -> None:
    model = Summarising()
    async with started(model, size=(120, 24)) as screen:
        await fill(screen, 5)
        await screen.until(lambda: "compacting" in gauge(screen), "the word")
        await screen.send("/new")
        await screen.until(lambda: "calm" in gauge(screen), "a new session's gauge")


async def test_the_cost_comes_with_the_first_report_and_stays_with_its_session(started: Started) -> None:
    model = ScriptedModel([TextPiece("ok"), UsagePiece(Usage(2_600, 340, cached_tokens=1_100)), FinishPiece("stop")])
    async with started(model, size=(120, 24)) as screen:
        assert "in " not in gauge(screen)
        assert "~" in gauge(screen)
        await screen.send("hello")
        await screen.until(lambda: "in 2.6k (1.1k cached) out 340" in gauge(screen), "the cost")
        assert "~" not in gauge(screen)
        await screen.idle()
        await screen.send("/new")
        await screen.until(lambda: "cached" not in gauge(screen), "a new session's gauge")
