"""The act behind /recall: what memory holds on some words comes back into view, and to the model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codeagent_tui.text import one_line
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.ages import age

if TYPE_CHECKING:
    from codeagent_tui.memory.ranking.scored import ScoredEntry
    from codeagent_tui.tui.app import CodeAgentApp

_SHOWN = 300
"""Characters of an entry on the screen."""


async def recall(app: CodeAgentApp, argument: str) -> None:
    """Show the entries that fit `argument`, and hand those that the model no longer has over with the next message."""
    agent = app.host.session.agent
    sent = frozenset(message.id for message in agent.history.messages)

    def look() -> tuple[str, str]:
        found = agent.memory.recall(argument)
        return _shown(found, argument), agent.memory.recalled_block(found, argument, sent)

    shown, block = await asyncio.to_thread(look)
    if not shown:
        app.notice(f"Memory holds nothing on {argument!r}.")
        return
    app.host.recall(block)
    when = "the message that you send after this turn" if app.host.in_turn else "your next message"
    told = f"What the model no longer has of this goes along with {when}." if block else "The model has all of this."
    app.notice(f"Memory on {argument!r}:\n{shown}\n{told}")


def _shown(found: Iterable[ScoredEntry], query: str) -> str:
    from codeagent_tui.memory.recalled import kind_of, passage

    now = time.time()
    return "\n".join(
        f"  {kind_of(one.entry)}, {age(now - one.entry.timestamp) if one.entry.timestamp else 'long ago'}\n"
        f"    {one_line(passage(one.entry.content, query, _SHOWN))}"
        for one in found
    )


ACTS: dict[str, Act] = {"recall": recall}
