"""Acts on the memory: save and delete facts, show what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagent_tui.tui.acts.kind import Act

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_GLOBAL = "--global"


async def save(app: CodeAgentApp, argument: str) -> None:
    """Save a fact, for this project unless it begins with `--global`."""
    from codeagent_tui.memory.entry import Scope

    first, _, rest = argument.partition(" ")
    everywhere = first == _GLOBAL
    fact = rest.strip() if everywhere else argument
    if not fact:
        app.notice("There is nothing to save: /save [--global] <fact>")
        return
    scope = Scope.GLOBAL if everywhere else Scope.PROJECT
    result = await app.host.session.agent.memory.save_fact(fact, scope=scope, source="command")
    app.notice(result.message)
    app.inspector.refresh()


async def forget(app: CodeAgentApp, argument: str) -> None:
    """Delete the fact with this id (its beginning is enough), or with exactly this text."""
    hits = await app.host.session.agent.memory.forget(argument)
    if not hits:
        app.notice(f"No fact has the id (or the text) {argument!r}. /memory lists them.")
    elif len(hits) == 1:
        app.notice(f"Forgotten: {hits[0].content}")
    else:
        listed = "\n".join(f"  {hit.id}  {hit.content}" for hit in hits)
        app.notice(f"Several facts fit; say which:\n{listed}")
    app.inspector.refresh()


async def memory(app: CodeAgentApp, argument: str) -> None:
    """Show the facts in the inspector, those that fit `argument` first."""
    await app.inspector.show("facts", argument)


async def inspector(app: CodeAgentApp, argument: str) -> None:
    """Open or close the inspector."""
    await app.inspector.toggle()


ACTS: dict[str, Act] = {"save": save, "forget": forget, "memory": memory, "inspector": inspector}
