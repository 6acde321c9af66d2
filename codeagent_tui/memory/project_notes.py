"""Adds a note to a CODEAGENT.md as a list item at its end; everything that is there stays byte for byte."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.imports import ends_in_fence
from codeagent_tui.memory.memory_file import (
    ChangedMeanwhile,
    MemoryFile,
    MemoryFileError,
    read_memory_file,
    replace_memory_file,
)
from codeagent_tui.memory.project_layers import FOREIGN_FILES, LOCAL_FILE, MEMORY_FILE, TEAM_FILES, Layer
from codeagent_tui.text import clean_text, one_line

_HEADINGS = {
    Layer.USER: "# My notes, for every project",
    Layer.PROJECT: "# Project notes",
    Layer.LOCAL: "# Notes for this machine alone",
}
_ITEM = re.compile(r"([-*+]) +")
_TRIES = 3


@dataclass(frozen=True, slots=True)
class NoteAdded:
    """What became of a note. `known`: the file says it already, nothing was written. `created`: the file is new."""

    path: Path
    note: str
    created: bool = False
    known: bool = False


def note_file(layer: Layer, root: Path, home: Path) -> Path:
    """Return the file that a note for `layer` goes to; of the team's files the one that is there."""
    if layer is Layer.USER:
        return home / MEMORY_FILE
    if layer is Layer.LOCAL:
        return root / LOCAL_FILE
    return next((root / name for name in TEAM_FILES if os.path.lexists(root / name)), root / MEMORY_FILE)


def add_note(note: str, layer: Layer, root: Path, home: Path) -> NoteAdded:
    """Add `note` to the file of `layer` in the project at `root` (a real path), with `home` as the data folder.

    A file that is created gets a heading; where it takes the place of an AGENTS.md or CLAUDE.md it imports that.

    Raises:
        MemoryFileError: when the note could not be added; the file is as it was.
    """
    path = note_file(layer, root, home)
    words = _bare(" ".join(clean_text(note).split("\n")))
    if not words:
        raise MemoryFileError("The note is empty.")
    for _ in range(_TRIES):
        file = read_memory_file(path)
        if layer is not Layer.USER and not file.path.is_relative_to(root):
            raise MemoryFileError(f"{one_line(str(path))} leads outside the project, to {one_line(str(file.path))}.")
        if words in map(_bare, file.text.splitlines()):
            return NoteAdded(path, words, known=True)
        text = _with_note(file, words) if file.text.strip() else _new(words, layer, root, file.newline)
        try:
            replace_memory_file(file, text, private=layer is Layer.USER and not file.exists)
        except ChangedMeanwhile:
            continue
        return NoteAdded(path, words, created=not file.exists)
    raise MemoryFileError(f"{one_line(str(path))} is being written by somebody else all the time; try again.")


def _bare(line: str) -> str:
    """Return a line without the mark of a list item, and without blanks around it."""
    return _ITEM.sub("", line.strip(), count=1)


def _new(words: str, layer: Layer, root: Path, newline: str) -> str:
    lines = [_HEADINGS[layer], ""]
    foreign = [name for name in FOREIGN_FILES if os.path.isfile(root / name)]  # noqa: PTH113  unreadable: no error
    if layer is Layer.PROJECT and foreign:
        # With a CODEAGENT.md in the project these are no longer read by themselves.
        lines += [f"@{foreign[0]}", ""]
    return newline.join([*lines, f"- {words}", ""])


def _with_note(file: MemoryFile, words: str) -> str:
    if ends_in_fence(file.text):
        raise MemoryFileError(f"{one_line(str(file.path))} ends in a code block that is not closed; close it first.")
    newline = file.newline
    ended = file.text.endswith(("\n", "\r"))
    lines = file.text.splitlines()
    paragraph = lines[_start_of_last_paragraph(lines) :]
    item = _ITEM.match(paragraph[0])
    mark = item[1] if item else "-"
    # Below a list it is one more of its items; below anything else it begins a list of its own.
    gap = "" if item or not lines[-1].strip() else newline
    return f"{file.text}{'' if ended else newline}{gap}{mark} {words}{newline if ended else ''}"


def _start_of_last_paragraph(lines: list[str]) -> int:
    last = max(number for number, line in enumerate(lines) if line.strip())
    start = last
    while start and lines[start - 1].strip():
        start -= 1
    return start
