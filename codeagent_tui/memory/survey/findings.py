"""What a survey finds: commands, conventions, what the project says of itself; and the files that it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from codeagent_tui.text import clean_text
from codeagent_tui.text_encoding import decode

_LARGEST = 256_000
"""Bytes. A manifest is smaller; of what is larger nothing is read."""


class Purpose(StrEnum):
    """What a command is for, in the words of the draft and in its order."""

    SETUP = "Set up"
    BUILD = "Build"
    RUN = "Run"
    TEST = "Test"
    CHECK = "Check"
    FORMAT = "Format"


@dataclass(frozen=True, slots=True)
class Command:
    """A line for the shell, and the file that says so."""

    purpose: Purpose
    line: str
    source: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What one look found. `name` and `summary` are the project's own words, or empty."""

    commands: tuple[Command, ...] = ()
    conventions: tuple[str, ...] = ()
    name: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Tree:
    """The files of a repository; `files` are paths from `root`, with `/`, without what version control leaves out."""

    root: Path
    files: tuple[str, ...]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.files)

    @cached_property
    def top(self) -> tuple[str, ...]:
        """The names at the top: files, and folders ending in `/`."""
        names = (name if not rest else f"{name}/" for name, _, rest in (path.partition("/") for path in self.files))
        return tuple(dict.fromkeys(names))

    def has(self, *paths: str) -> str:
        """Return the first of `paths` that is there, "" when none is."""
        return next((path for path in paths if path in self._known), "")

    def read(self, path: str) -> str:
        """Return the text of a file, "" when it is not there, too large, or no text."""
        if path not in self._known:
            return ""
        try:
            file = self.root / path
            if not file.is_file() or file.stat().st_size > _LARGEST:
                return ""
            decoded = decode(file.read_bytes())
        except OSError:
            return ""
        return clean_text(decoded[0]) if decoded else ""
