"""/init: a first CODEAGENT.md from what is in the repository, shown before it is written; the model may improve it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.memory.memory_file import MemoryFile, MemoryFileError, read_memory_file, replace_memory_file
from codeagent_tui.memory.project_layers import Layer
from codeagent_tui.memory.survey.draft import draft, with_what_is_missing
from codeagent_tui.memory.survey.findings import Tree
from codeagent_tui.text import one_line
from codeagent_tui.tools.diffs import unified_diff
from codeagent_tui.tools.ignore_rules import walk
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.init_prompt import INIT_REQUEST

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_MOST_FILES = 20_000
_LONGEST_WALK = 3.0
"""Seconds. What was seen by then is enough for a draft."""

_WRITE = "Write it"
_WRITE_AND_ASK = "Write it, then let the agent look around and improve it"
_ASK = "Write nothing; let the agent look around and write it"
_LEAVE = "No, leave everything as it is"


@dataclass(frozen=True, slots=True)
class _Proposal:
    """What is there now, and what would be written."""

    file: MemoryFile
    shown: str
    text: str


async def init(app: CodeAgentApp, argument: str) -> None:
    """Propose a CODEAGENT.md, or what is missing in the one that is there; write it when the user says so."""
    try:
        proposal = await asyncio.to_thread(_propose, app)
        answer = await _ask(app, proposal)
        if answer in (_WRITE, _WRITE_AND_ASK):
            await asyncio.to_thread(_write, app, proposal)
            app.notice(f"{proposal.shown} was written. The next request has it; # adds a line to it.")
    except MemoryFileError as error:
        app.notice(f"{error} Nothing was written; /init tries again.", NoticeLevel.ERROR)
        return
    if answer in (_WRITE_AND_ASK, _ASK):
        app.transcript.follow()
        app.host.send(INIT_REQUEST)


def _propose(app: CodeAgentApp) -> _Proposal:
    memory = app.host.session.agent.memory
    file = read_memory_file(memory.note_file(Layer.PROJECT))
    root = memory.identity.root
    if not file.path.is_relative_to(root):
        raise MemoryFileError(f"CODEAGENT.md is a link out of the project, to {one_line(str(file.path))}.")
    drafted = draft(Tree(root, tuple(_files(root))))
    text = with_what_is_missing(file.text, drafted) if file.text.strip() else drafted
    return _Proposal(file, one_line(app.host.session.workspace.shown(file.path)), text)


def _files(root: Path) -> list[str]:
    """Return the paths of the project's files, in the order of their folders."""
    until = time.monotonic() + _LONGEST_WALK
    entries = walk(root, keep_going=lambda: time.monotonic() < until)
    return [entry.relative for entry in islice(entries, _MOST_FILES) if not entry.is_dir]


async def _ask(app: CodeAgentApp, proposal: _Proposal) -> str:
    """Show what would be written, as a diff; return the answer."""
    from codeagent_tui.tui.app import OFFLINE_NAME
    from codeagent_tui.tui.dialogs.choose import ChooseDialog
    from codeagent_tui.tui.line_view import diff_lines, lines_of

    connected = app.host.session.agent.model.name != OFFLINE_NAME
    existing = proposal.file.text if proposal.file.exists else None
    if proposal.text == existing:
        if not connected:
            app.notice(f"{proposal.shown} is there, and the repository shows nothing that it lacks.")
            return _LEAVE
        title = f"{proposal.shown} is there. Let the agent improve it?"
        lines = lines_of("The repository shows nothing that it lacks, as far as that can be seen without a model.")
        answers = ["Let the agent look around and improve it", _LEAVE]
        return _ASK if await app.push_screen_wait(ChooseDialog(title, lines, answers, default=1)) == 0 else _LEAVE
    title = f"Add this to {proposal.shown}?" if existing else f"Write this {proposal.shown}?"
    lines = diff_lines(unified_diff(proposal.shown, existing, proposal.text).text.rstrip("\n"))
    answers = [_WRITE, *([_WRITE_AND_ASK, _ASK] if connected else []), _LEAVE]
    chosen = await app.push_screen_wait(
        ChooseDialog(title, lines, answers, default=len(answers) - 1 if existing else 0)
    )
    return _LEAVE if chosen is None else answers[chosen]


def _write(app: CodeAgentApp, proposal: _Proposal) -> None:
    app.host.session.agent.memory.project.edit(lambda: replace_memory_file(proposal.file, proposal.text))


ACTS: dict[str, Act] = {"init": init}
