"""The act on a `#` line: a note goes to a CODEAGENT.md of the user's choice."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.memory.memory_file import MemoryFileError
from codeagent_tui.memory.project_layers import Layer
from codeagent_tui.memory.project_notes import NoteAdded
from codeagent_tui.paths import write_private
from codeagent_tui.text import one_line
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.note_line import note_in

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_log = logging.getLogger(__name__)
_LAYERS = (Layer.PROJECT, Layer.LOCAL, Layer.USER)
_WHOSE = {
    Layer.PROJECT: "this project, for everybody who works on it",
    Layer.LOCAL: "this project, on this machine alone",
    Layer.USER: "you, in every project",
}
_MESSAGE = object()
"""Picked in the place of a layer: it was meant for the agent."""


async def note(app: CodeAgentApp, argument: str) -> None:
    """Ask where the note in the line `argument` goes and add it there; the line comes back when that fails."""
    done = False
    added: NoteAdded | None = None
    try:
        layer = await _layer(app, note_in(argument))
        if layer is _MESSAGE:
            app.transcript.follow()
            app.host.send(argument)
        elif isinstance(layer, Layer):
            added = await asyncio.to_thread(app.host.session.agent.memory.add_note, note_in(argument), layer)
            app.notice(_told(added, _shown(app, added.path)))
        done = layer is not None
    except MemoryFileError as error:
        app.notice(f"The note was not added: {error} It is in the input line again.", NoticeLevel.ERROR)
    finally:
        if not done:
            app.give_back((argument,))
    if added is not None and added.created and layer is Layer.LOCAL:
        await _offer_to_ignore(app, added.path)


async def _layer(app: CodeAgentApp, words: str) -> Layer | object | None:
    """Return the layer that the user picks, `_MESSAGE`, or None when the dialog is left."""
    from codeagent_tui.tui.dialogs.choose import ChooseDialog
    from codeagent_tui.tui.line_view import lines_of

    memory = app.host.session.agent.memory
    files = await asyncio.to_thread(lambda: [memory.note_file(layer) for layer in _LAYERS])
    answers = [f"{_shown(app, path)}: {_WHOSE[layer]}" for path, layer in zip(files, _LAYERS, strict=True)]
    last = await asyncio.to_thread(_last_layer, app.paths.last_note_layer)
    answers.append("Send it to the agent as a message instead")
    chosen = await app.push_screen_wait(
        ChooseDialog("Add this note to", lines_of(words), answers, default=_LAYERS.index(last))
    )
    if chosen is None or chosen == len(_LAYERS):
        return None if chosen is None else _MESSAGE
    if _LAYERS[chosen] is not last:
        await asyncio.to_thread(_remember, app.paths.last_note_layer, _LAYERS[chosen])
    return _LAYERS[chosen]


def _last_layer(path: Path) -> Layer:
    try:
        return Layer(path.read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        # Nothing was chosen yet, or something that there is no more.
        return Layer.PROJECT


def _remember(path: Path, layer: Layer) -> None:
    try:
        write_private(path, f"{layer}\n".encode())
    except OSError as error:
        # The note matters more than where the next one goes by default.
        _log.warning("where the note goes was not remembered: %s", error)


def _shown(app: CodeAgentApp, path: Path) -> str:
    return one_line(app.host.session.workspace.shown(path))


def _told(added: NoteAdded, shown: str) -> str:
    if added.known:
        return f"{shown} says that already: {one_line(added.note)}"
    where = f"{shown} was created with your note" if added.created else f"Noted in {shown}"
    return f"{where}: {one_line(added.note)}. The next request has it."


async def _offer_to_ignore(app: CodeAgentApp, path: Path) -> None:
    from codeagent_tui.tui.dialogs.confirm import ConfirmDialog
    from codeagent_tui.tui.git_ignoring import ignore, would_be_committed

    if not await would_be_committed(path):
        return
    question = f"{path.name} is meant for this machine alone, but git would commit it."
    if await app.push_screen_wait(ConfirmDialog("Keep it out of git?", question, "Yes, add it to .gitignore")):
        try:
            await asyncio.to_thread(ignore, path)
            app.notice(f"Added to .gitignore: /{path.name}")
            return
        except MemoryFileError as error:
            app.notice(f"Nothing was added to .gitignore: {error}", NoticeLevel.ERROR)
    app.notice(f"git does not ignore {path.name}: add it to .gitignore before you commit.")


ACTS: dict[str, Act] = {"note": note}
