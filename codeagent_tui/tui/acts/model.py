"""Acts on the model, the permissions and the tools."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.settings import PermissionMode
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.connecting import Connection
from codeagent_tui.tui.status_layout import MODE_WORDS

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_MEANINGS = {
    PermissionMode.ASK: "writes, commands, the network and everything outside the folder ask",
    PermissionMode.ACCEPT_EDITS: "changes of files in this folder run; the rest asks",
    PermissionMode.PLAN: "nothing that changes anything runs",
    PermissionMode.UNATTENDED: "nothing asks",
}
_CYCLE = (PermissionMode.ASK, PermissionMode.ACCEPT_EDITS, PermissionMode.PLAN)


async def model(app: CodeAgentApp, argument: str) -> None:
    """Connect a model through the dialog, remember the choice, and use it from the next request on."""
    from codeagent_tui.tui.dialogs.connect import ConnectDialog
    from codeagent_tui.tui.model_connections import CoreConnectionTools, remember_connection

    settings = app.host.session.settings
    current = Connection(settings.base_url, settings.api_key, settings.model)
    chosen = await app.push_screen_wait(ConnectDialog(CoreConnectionTools(app.paths, current), current))
    if chosen is None:
        return
    # A window that was set by hand belongs to the model that it was set for.
    window = settings.window if chosen.model == settings.model else 0
    changed = replace(settings, base_url=chosen.base_url, api_key=chosen.api_key, model=chosen.model, window=window)
    for notice in await app.host.session.use_settings(changed):
        app.notice(notice, NoticeLevel.WARNING)
    app.show_session()
    app.notice(f"Connected: {chosen.model} at {chosen.base_url or 'the default endpoint'}.")
    await remember_connection(app.paths, chosen)


async def mode(app: CodeAgentApp, argument: str) -> None:
    """Set the mode that was named or picked; the one that never asks wants a second yes."""
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    current = app.host.session.agent.gate.mode
    wanted: str | None = argument
    if not argument:
        choices = [Choice(mode.value, MODE_WORDS[mode], _MEANINGS[mode]) for mode in PermissionMode]
        wanted = await app.push_screen_wait(PickerDialog("What runs without asking", choices, current=current))
    if not wanted:
        return
    try:
        chosen = PermissionMode(wanted.strip().lower().replace(" ", "-"))
    except ValueError:
        app.notice(f"There is no mode {wanted}. The modes are {', '.join(PermissionMode)}.")
        return
    if chosen is PermissionMode.UNATTENDED and not await _sure(app):
        return
    _set_mode(app, chosen)


async def _sure(app: CodeAgentApp) -> bool:
    from codeagent_tui.tui.dialogs.confirm import ConfirmDialog

    question = (
        "In this mode the agent changes files, runs commands and reaches the network without asking, "
        "until you set another mode."
    )
    answer = await app.push_screen_wait(ConfirmDialog("Run unattended?", question, "Yes, nothing asks any more"))
    return answer is True


async def next_mode(app: CodeAgentApp, argument: str) -> None:
    """Go on to the next of the modes that a key may set."""
    current = app.host.session.agent.gate.mode
    _set_mode(app, _CYCLE[(_CYCLE.index(current) + 1) % len(_CYCLE)] if current in _CYCLE else _CYCLE[0])


def _set_mode(app: CodeAgentApp, chosen: PermissionMode) -> None:
    app.host.session.agent.gate.mode = chosen
    app.host.session.log.append_mode(chosen)
    app.show_session()
    app.status.flash(f"{MODE_WORDS[chosen]}: {_MEANINGS[chosen]}")


async def permissions(app: CodeAgentApp, argument: str) -> None:
    """Show the rules in force; the one that is picked is taken back after a yes."""
    from codeagent_tui.tui.dialogs.confirm import ConfirmDialog
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    gate = app.host.session.agent.gate
    rules = {rule.id: rule for rule in await asyncio.to_thread(gate.rules)}
    if gate.notice:
        app.notice(gate.notice, NoticeLevel.WARNING)
    if not rules:
        app.notice("Nothing is allowed beyond the mode. An approval’s “session” and “always” add to it.")
        return
    newest_first = sorted(rules.values(), key=lambda rule: -rule.created)
    now = time.time()
    choices = [Choice(rule.id, rule.words, f"{rule.lifetime} · {age(now - rule.created)}") for rule in newest_first]
    picked = await app.push_screen_wait(PickerDialog("Allowed without asking; enter takes one back", choices))
    if not picked:
        return
    words = rules[picked].words
    if await app.push_screen_wait(ConfirmDialog("Take this permission back?", words, "Yes, ask again")):
        await asyncio.to_thread(gate.forget, picked)
        app.notice(f"Taken back: {words}")


async def tools(app: CodeAgentApp, argument: str) -> None:
    """List the tools."""
    registry = app.host.session.agent.core.tools
    width = max(len(tool.name) for tool in registry)
    lines = [f"  {tool.name:<{width}}  {tool.kind:<8} {_first_sentence(tool.description)}" for tool in registry]
    app.notice("\n".join(["The agent's tools:", *lines]))


def _first_sentence(text: str) -> str:
    line = " ".join(text.split())
    return line.split(". ", 1)[0].rstrip(".")


ACTS: dict[str, Act] = {
    "model": model,
    "mode": mode,
    "next_mode": next_mode,
    "permissions": permissions,
    "tools": tools,
}
