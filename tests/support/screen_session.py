"""A long scripted session through the whole program: keys on a virtual screen, HTTP to the strict server, real tools.

After each turn it is checked that the turn came to its end; at the end the report says what the server refused, what
the last request no longer holds, and what grew.
"""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from codeagent_tui.context.record import CompactionRecord
from codeagent_tui.paths import Paths
from codeagent_tui.tui.app import CodeAgentApp
from tests.support.planted import user_script
from tests.support.scripted_agent import ScriptedAgent, make_workspace
from tests.support.strict_count import count_text
from tests.support.strict_server import StrictServer, shown_text
from tests.support.strict_sessions import SETTINGS

WINDOW = 32_768
CALLS_A_COMPACTION = 2
"""Requests for a summary that one compaction may cost: the first and a more careful one."""
_LONGEST_TURN = 60.0


@dataclass(slots=True)
class ScreenSession:
    """What a session did."""

    turns: int = 0
    unfinished: list[str] = field(default_factory=list)
    """What the user said in turns that did not end well, with what the screen showed then."""
    refused: list[str] = field(default_factory=list)
    """What the server refused, in its words."""
    overflows: int = 0
    """Requests that were larger than the window."""
    facts: int = 0
    missing: list[str] = field(default_factory=list)
    """Facts that the last request does not hold."""
    requests: Counter[str] = field(default_factory=Counter)
    """Requests that the server answered, by kind."""
    compactions: tuple[CompactionRecord, ...] = ()
    unpaired: list[str] = field(default_factory=list)
    largest: int = 0
    """Tokens of the largest request, by the server's count."""
    messages: int = 0
    """Messages of the history at the end."""
    on_screen: bool = False
    """Whether the last answer can be read on the screen."""

    @property
    def summaries_wanted(self) -> int:
        """Requests for a summary that the compactions explain at most."""
        made = sum(record.way == "summary" for record in self.compactions)
        return CALLS_A_COMPACTION * (made + 1)


async def screen_session(
    folder: Path,
    turns: int,
    *,
    facts: int,
    after_turn: Callable[[int], None] = lambda turn: None,
) -> ScreenSession:
    """Let a scripted user say `turns` things to the program, `facts` of them to be remembered, and report.

    `after_turn` hears the number of each finished turn, when nothing runs and no garbage is left.
    """
    make_workspace(folder / "work")
    done = ScreenSession(facts=facts)
    planted: list[str] = []
    server = StrictServer(ScriptedAgent(seed=1), window=WINDOW)
    async with server:
        settings = replace(SETTINGS, base_url=server.base_url, window=WINDOW)
        app = CodeAgentApp(settings, Paths(folder / "home"), folder / "work")
        async with app.run_test(size=(100, 30)) as pilot:
            await _until(lambda: app.host.is_open)
            for said in user_script(turns, facts=facts):
                before = server.counts["conversation"]
                app.composer.set_text(said.text)
                await pilot.press("enter")
                if not await _until(lambda before=before: server.counts["conversation"] > before):  # type: ignore[misc]
                    done.unfinished.append(f"{said.text}: never sent")
                    break
                if not await _until(lambda: not app.host.running):
                    done.unfinished.append(f"{said.text}: {_shown(app)}")
                    break
                done.turns += 1
                planted += [said.fact] if said.fact else []
                if not any(message.get("content") == said.text for message in server.last_conversation["messages"]):
                    done.unfinished.append(f"{said.text}: not in the request")
                after_turn(done.turns)
            await pilot.pause()
            agent = app.host.session.agent
            done.unpaired = agent.history.check_pairs()
            done.compactions, done.messages = agent.compactions, len(agent.history)
            done.on_screen = "done as asked" in _shown(app)
            await app.host.close()
    shown = shown_text(server.last_conversation)
    done.missing = [fact for fact in planted if fact not in shown]
    done.refused, done.overflows = server.faults, len(server.overflows)
    done.requests, done.largest = server.counts, server.largest
    return done


async def _until(what: Callable[[], bool]) -> bool:
    """Let the program work until `what` holds; whether it came to be."""
    try:
        async with asyncio.timeout(_LONGEST_TURN):
            while not what():
                await asyncio.sleep(0.002)
    except TimeoutError:
        return False
    return True


def _shown(app: CodeAgentApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def forget_measurements() -> None:
    """Forget what the server's own count remembers, and collect garbage: what is left is the program's."""
    count_text.cache_clear()
    gc.collect()
