"""A hundred scripted turns over HTTP against a server that refuses whatever the strictest provider would refuse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_tui.conversation.events import EndReason, TurnEnded
from tests.support.planted import user_script
from tests.support.scripted_agent import ScriptedAgent
from tests.support.sessions import of
from tests.support.strict_server import StrictServer, shown_text
from tests.support.strict_sessions import say, strict_session
from tests.support.summarisers import FAILING, Behaviour

WINDOW = 32_768


def only(behaviour: Behaviour) -> Callable[[int], Behaviour]:
    return lambda number: behaviour


def in_turn(number: int) -> Behaviour:
    """Every kind of summariser, one after the other."""
    kinds = list(Behaviour)
    return kinds[number % len(kinds)]


@pytest.mark.parametrize(
    ("turns", "behave"), [(100, only(Behaviour.GOOD)), (60, in_turn)], ids=["good", "every kind of summariser"]
)
async def test_a_long_session_breaks_no_rule_and_forgets_nothing(
    tmp_path: Path, turns: int, behave: Callable[[int], Behaviour]
) -> None:
    server = StrictServer(ScriptedAgent(seed=1), window=WINDOW, behave=behave)
    facts: list[str] = []
    async with strict_session(tmp_path, server) as session:
        for said in user_script(turns, facts=turns // 8):
            events = await say(session, said.text)
            assert of(TurnEnded, events)[-1].reason is EndReason.DONE, of(TurnEnded, events)[-1]
            assert any(m["content"] == said.text for m in server.last_conversation["messages"])
            assert session.agent.history.check_pairs() == []
            facts += [said.fact] if said.fact else []
        shown = shown_text(server.last_conversation)
        assert [fact for fact in facts if fact not in shown] == []
        made = [record for record in session.agent.compactions if record.way == "summary"]
        assert len(made) > 4
    assert server.faults == []
    # A compaction is one call, or two with the second try; a loop would show as more.
    assert server.counts["summary"] <= 2 * len(made) + len(FAILING) * turns // len(Behaviour)
    if behave(3) is Behaviour.GOOD:
        assert server.overflows == [] and server.largest < WINDOW
