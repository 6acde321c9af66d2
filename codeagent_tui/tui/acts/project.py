"""Acts on project memory: which files outside the project may be read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.memory.import_consent import Answer, ConsentsDamaged, OutsideFile
from codeagent_tui.memory.memory_file import MemoryFileError, read_memory_file
from codeagent_tui.text import cut_characters, one_line
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_STATES = {Answer.WAITING: "waits for your word", Answer.ALLOWED: "is read", Answer.REFUSED: "is not read"}
_ANSWERS = {
    Answer.ALLOWED: ("Allow: read it in this project from now on", "Read in this project from now on: {}"),
    Answer.REFUSED: ("Refuse: do not read it, and do not ask", "Not read, and you are not asked again: {}"),
    Answer.WAITING: ("Leave it open: it is not read, and said each time", "Not read until you allow it: {}"),
}
_SHOWN_OF_FILE = 6_000
_NONE = "No CODEAGENT.md here imports a file outside the project. Those inside are read without asking."


async def imports(app: CodeAgentApp, argument: str) -> None:
    """Show the files outside the project that it imports, and keep what the user says about them."""
    while True:
        memory = await asyncio.to_thread(app.host.session.agent.memory.project_context)
        if not memory.outside:
            app.notice(_NONE)
            return
        file = memory.outside[0] if len(memory.outside) == 1 else await _pick(app, memory.outside)
        if file is None or not await _decide(app, file) or len(memory.outside) == 1:
            return


async def _pick(app: CodeAgentApp, files: tuple[OutsideFile, ...]) -> OutsideFile | None:
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    choices = [Choice(str(file.path), f"{_STATES[file.answer]}: {file.path}", _why(app, file)) for file in files]
    picked = await app.push_screen_wait(PickerDialog("Files outside the project", choices))
    return next((file for file in files if str(file.path) == picked), None)


def _why(app: CodeAgentApp, file: OutsideFile) -> str:
    if file.imported_by is None:
        return "a CODEAGENT.md is a link to it"
    return f"imported by {app.host.session.workspace.shown(file.imported_by)}"


async def _decide(app: CodeAgentApp, file: OutsideFile) -> bool:
    """Return whether an answer was given."""
    from codeagent_tui.tui.dialogs.choose import ChooseDialog

    offered = list(_ANSWERS)
    lines: list[Piece] = [
        (one_line(f"{file.path} ({_why(app, file)})"), "text"),
        ("What it says would go to the model with each request. It begins:", "muted"),
        *await asyncio.to_thread(_beginning, file.path),
    ]
    words = [_ANSWERS[answer][0] for answer in offered]
    dialog = ChooseDialog("Read this file outside the project?", lines, words, default=offered.index(file.answer))
    chosen = await app.push_screen_wait(dialog)
    if chosen is None:
        return False
    try:
        await asyncio.to_thread(app.host.session.agent.memory.answer_import, file.path, offered[chosen])
    except ConsentsDamaged as error:
        app.notice(str(error), NoticeLevel.ERROR)
        return False
    except OSError as error:
        app.notice(f"Your answer was not kept: {error.strerror or error}. Nothing has changed.", NoticeLevel.ERROR)
        return False
    app.notice(_ANSWERS[offered[chosen]][1].format(one_line(str(file.path))))
    return True


def _beginning(path: Path) -> list[Piece]:
    try:
        text = read_memory_file(path).text
    except MemoryFileError as error:
        return lines_of(str(error), "muted")
    return lines_of(cut_characters(text.rstrip(), _SHOWN_OF_FILE))


ACTS: dict[str, Act] = {"imports": imports}
