"""Acts on the memory: save and delete facts, show what is remembered, take over those of a moved project."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.text import one_line
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.ages import age

if TYPE_CHECKING:
    from codeagent_tui.memory.adoption import Orphan
    from codeagent_tui.memory.entry import MemoryEntry
    from codeagent_tui.tui.app import CodeAgentApp

_GLOBAL = "--global"
_ADOPT = "adopt"
_SHOWN = 120
"""Characters of a fact in a list."""
_MOST_LISTED = 12


async def save(app: CodeAgentApp, argument: str) -> None:
    """Save a fact, for this project unless it begins with `--global`; words that were not saved come back."""
    from codeagent_tui.memory.entry import Scope
    from codeagent_tui.memory.long_term_memory import StoreStatus

    first, *rest = argument.split(maxsplit=1)
    everywhere = first == _GLOBAL
    fact = "".join(rest) if everywhere else argument
    if not fact:
        app.notice("There is nothing to save: /save [--global] <fact>")
        return
    scope = Scope.GLOBAL if everywhere else Scope.PROJECT
    result = await app.host.session.agent.memory.save_fact(fact, scope=scope, source="command")
    kept = result.status in (StoreStatus.SAVED, StoreStatus.KNOWN)
    app.notice(result.message, NoticeLevel.INFO if kept else NoticeLevel.WARNING)
    if not kept:
        app.give_back((f"/save {argument}",))
    app.inspector.refresh()


async def forget(app: CodeAgentApp, argument: str) -> None:
    """Delete the one fact that `argument` means; where several may be meant, list them."""
    hits = await app.host.session.agent.memory.forget(argument)
    if not hits:
        app.notice(f"Nothing was forgotten: no fact seen here has the id or the text {argument!r}. /memory lists them.")
    elif len(hits) == 1:
        app.notice(f"Forgotten: {hits[0].content}")
    else:
        listed = "\n".join(f"  {_in_a_list(hit)}" for hit in hits[:_MOST_LISTED])
        more = f"\n  and {len(hits) - _MOST_LISTED} more" if len(hits) > _MOST_LISTED else ""
        app.notice(f"Nothing was forgotten yet: {len(hits)} facts fit. /forget takes one by its id:\n{listed}{more}")
    app.inspector.refresh()


def _in_a_list(fact: MemoryEntry) -> str:
    where = "this project" if fact.project else "all projects"
    saved = age(time.time() - fact.timestamp) if fact.timestamp else "long ago"
    return f"{fact.id}  {one_line(fact.content, _SHOWN)}  ({where}, {saved})"


async def memory(app: CodeAgentApp, argument: str) -> None:
    """Show the facts in the inspector, those that fit `argument` first; `adopt` takes over a moved project's."""
    if argument.lower() == _ADOPT:
        await _adopt(app)
        return
    from codeagent_tui.memory.project_identity import described

    if not argument:
        app.notice(f"Facts of this project belong to {described(app.host.session.agent.memory.identity)}.")
    await app.inspector.show("facts", argument)


async def offer_adoption(app: CodeAgentApp) -> None:
    """Say so when there are facts of a project that is gone and was probably this one."""
    found = await asyncio.to_thread(app.host.session.agent.memory.adoptable, likely=True)
    if not found:
        return
    named = "; ".join(f"{_count(orphan)} of {one_line(str(orphan.folder), _SHOWN)}" for orphan in found[:3])
    app.notice(
        f"Memory holds {named}, which is not there any more. If it was this project, /memory {_ADOPT} takes them over."
    )


async def _adopt(app: CodeAgentApp) -> None:
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    held = app.host.session.agent.memory
    found = await asyncio.to_thread(held.adoptable)
    if not found:
        app.notice("There are no facts of projects that are gone.")
        return
    choices = [
        Choice(orphan.name, str(orphan.folder), f"{_count(orphan)}: {'; '.join(f.content for f in orphan.facts[:3])}")
        for orphan in found
    ]
    name = await app.push_screen_wait(PickerDialog("Which of these projects is this one, moved?", choices))
    if name is None:
        return
    count = await held.adopt(name)
    [folder] = [orphan.folder for orphan in found if orphan.name == name]
    app.notice(f"{count} {'fact' if count == 1 else 'facts'} of {folder} belong to this project now.")
    app.inspector.refresh()


def _count(orphan: Orphan) -> str:
    return f"{len(orphan.facts)} {'fact' if len(orphan.facts) == 1 else 'facts'}"


async def inspector(app: CodeAgentApp, argument: str) -> None:
    """Open or close the inspector."""
    await app.inspector.toggle()


ACTS: dict[str, Act] = {"save": save, "forget": forget, "memory": memory, "inspector": inspector}
