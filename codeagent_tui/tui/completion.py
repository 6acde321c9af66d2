"""What could complete the word at the cursor: slash commands at the start, files after an `@`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_COMMAND = re.compile(r"/[\w-]*\Z")
_FILE = re.compile(r"(?:^|(?<=\s))@(\"?)([^\s\"]*|(?<=\")[^\"\n]*)\Z")
MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class CommandHint:
    """A slash command as the completion shows it."""

    name: str
    argument_hint: str
    summary: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word that can be completed: what it is, its text, and where it begins in the draft."""

    kind: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """One completion: what is put in the word's place, and what is said beside it."""

    insert: str
    label: str
    note: str = ""


def wanted_at(text: str, cursor: int) -> Wanted | None:
    """Return the word before the cursor that can be completed, or None."""
    before = text[:cursor]
    if _COMMAND.fullmatch(before):
        return Wanted("command", before, 0)
    found = _FILE.search(before)
    return Wanted("file", found[2], found.start()) if found else None


def command_candidates(wanted: Wanted, commands: Sequence[CommandHint]) -> list[Candidate]:
    """Return the commands that fit, those that begin with the word first."""
    word = wanted.text.lower()
    ranked = [
        (rank, number)
        for number, command in enumerate(commands)
        if (rank := _rank(word, command.name.lower())) is not None
    ]
    ranked.sort()
    found = [commands[number] for _, number in ranked]
    return [
        Candidate(
            command.name + (" " if command.argument_hint else ""),
            f"{command.name} {command.argument_hint}".strip(),
            command.summary,
        )
        for command in found
    ]


def file_candidates(paths: Sequence[str]) -> list[Candidate]:
    """Return the files as completions; names with blanks are quoted."""
    return [Candidate(_quoted(path) + ("" if path.endswith("/") else " "), path) for path in paths]


def _quoted(path: str) -> str:
    return f'@"{path}"' if re.search(r"\s", path) else f"@{path}"


def _rank(word: str, name: str) -> int | None:
    """Return how well `name` fits: 0 begins with the word, 1 holds it, 2 holds its letters in order, None not."""
    if name.startswith(word):
        return 0
    bare = word.lstrip("/")
    if bare in name:
        return 1
    letters = iter(name)
    return 2 if all(letter in letters for letter in bare) else None
