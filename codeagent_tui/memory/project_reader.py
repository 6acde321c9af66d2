"""Reads project memory files with what they import: which file each passage is from, and what was looked at."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.decoding import NoText, decode_memory_file
from codeagent_tui.memory.import_consent import Answer, OutsideFile
from codeagent_tui.memory.imports import lines_with_imports
from codeagent_tui.memory.project_layers import shown_path
from codeagent_tui.secret_files import holds_secrets
from codeagent_tui.text import one_line

DEPTH = 3
OUTSIDE = "lies outside the project"
REFUSED = "lies outside the project, and you refused it"
_MOST_NOTICES = 12
_PROSE = frozenset({".md", ".markdown", ".txt"})
# A character takes at most four bytes in the encodings that are read.
_BYTES_PER_CHARACTER = 4
_A_LITTLE_MORE = 1_000
"""Characters that are read beyond the budget, so that a cut can be told from an end."""

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file that was read or could not be: `problem` is why, or ""."""

    path: Path
    imported_by: Path | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """Whole lines of one file, from `first_line` (of 1) on; none of a file that has a problem. `goes_on`: the file is
    longer than was read."""

    file: FoundFile
    lines: tuple[str, ...] = ()
    first_line: int = 1
    goes_on: bool = False


@dataclass(slots=True)
class Room:
    """Characters that may still be read for one layer: it cannot use more than the whole budget."""

    left: int


def stamp(path: Path) -> Stamp | None:
    """Return what changes whenever the file at `path` does, None where there is none (or it may not be seen)."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


class Reader:
    """Reads files for one load: each real file's text once, at its first place."""

    def __init__(self, root: Path, home: Path, answers: Mapping[Path, Answer]) -> None:
        """`root` is the project's folder, `home` the data folder, both real paths; `answers` is what the user has said
        about files outside."""
        self._root = root
        self._home = home
        self._answers = answers
        self._user_home = Path(os.path.realpath(Path.home()))
        self._seen: set[str] = set()
        self._told = 0
        self.looked_at: dict[Path, Stamp | None] = {}
        self.notices: list[str] = []
        self.outside: list[OutsideFile] = []

    def look(self, path: Path) -> bool:
        """Return whether there is something at `path`; whether that changes is watched from now on."""
        if path not in self.looked_at:
            # Before it is read: what is written meanwhile counts as a change.
            self.looked_at[path] = stamp(path)
        return os.path.lexists(path)

    def read(self, path: Path, room: Room, *, trusted: bool) -> list[Passage]:
        """Return what `path` says with its imports in their places; empty when it is not there.

        `trusted`: the user's own file. It may import from anywhere in the user's home and lie anywhere; a project's
        file only in the project, and prose from the data folder. Whatever else they lead to needs the user's consent.
        """
        if not self.look(path) or _identity(path) in self._seen:
            return []
        problem = "" if trusted else self._forbidden(path, None, trusted=False)
        if problem:
            self._refuse(f"{self._shown(path)} was not read: it leads to a file that {problem}.", path, None, problem)
            return [Passage(FoundFile(path, problem=problem))]
        return list(self._passages(FoundFile(path), room, trusted=trusted, depth=0))

    def tell(self, notice: str) -> None:
        """Keep a notice, once; when there are very many the rest is counted."""
        if notice in self.notices:
            return
        self._told += 1
        if self._told > _MOST_NOTICES:
            del self.notices[_MOST_NOTICES:]
            notice = f"(and {self._told - _MOST_NOTICES} more of the kind)"
        self.notices.append(notice)

    def _passages(self, file: FoundFile, room: Room, *, trusted: bool, depth: int) -> Iterator[Passage]:
        self._seen.add(_identity(file.path))
        try:
            text, goes_on = self._content(file.path, room.left)
        except NoText as why:
            self.tell(f"{self._shown(file.path)} was left out: it is {why}.")
            yield Passage(FoundFile(file.path, file.imported_by, str(why)))
            return
        room.left -= len(text)
        # Named before what it imports, also when an import is its first line.
        yield Passage(file)
        held: list[str] = []
        first = 1
        for number, line in enumerate(lines_with_imports(text), 1):
            if line.nearly:
                what = f"{self._shown(file.path)}: @{one_line(line.nearly)} was not imported"
                self.tell(f"{what}: an import stands alone on its line.")
            passages = self._import(line.target, file, room, trusted=trusted, depth=depth) if line.target else None
            if passages is None:
                held.append(line.text)
                continue
            if held:
                yield Passage(file, tuple(held), first)
            yield from passages
            # What could not be imported stays as text.
            failed = bool(passages) and bool(passages[0].file.problem)
            held, first = ([line.text], number) if failed else ([], number + 1)
        yield Passage(file, tuple(held), first, goes_on)

    def _import(self, target: str, importer: FoundFile, room: Room, *, trusted: bool, depth: int) -> list[Passage]:
        """Return what `target` imports, [] when its text stands elsewhere already; of one that fails the problem."""
        path = self._user_home / target[2:] if target.startswith("~/") else importer.path.parent / target
        problem = self._forbidden(path, importer.path, trusted=trusted)
        if not problem and not self.look(path):
            problem = "does not exist"
        if not problem and _identity(path) in self._seen:
            return []
        if not problem and depth >= DEPTH:
            problem = f"is more than {DEPTH} imports deep"
        if not problem and room.left <= 0:
            problem = "does not fit the budget any more"
        if not problem:
            return list(self._passages(FoundFile(path, importer.path), room, trusted=trusted, depth=depth + 1))
        words = f"{self._shown(importer.path)}: @{one_line(target)} was not imported: it {problem}."
        self._refuse(words, path, importer.path, problem)
        return [Passage(FoundFile(path, importer.path, problem))]

    def _refuse(self, words: str, path: Path, importer: Path | None, problem: str) -> None:
        """Tell why `path` is not read, unless that was the user's own wish."""
        if problem == OUTSIDE:
            who = f"{self._shown(importer)} imports" if importer else f"{self._shown(path)} is a link to"
            words = f"{who} {self._shown(_real(path))}, which lies outside the project and was not read. "
            words += "/imports shows it and lets you allow it."
        if problem != REFUSED:
            self.tell(words)

    def _shown(self, path: Path) -> str:
        return shown_path(path, self._root)

    def _forbidden(self, path: Path, importer: Path | None, *, trusted: bool) -> str:
        """Return why the file that `path` leads to may not be read, or ""; note it when that is the user's to say."""
        try:
            real = _real(path)
        except (OSError, ValueError):
            return "does not exist"
        if real.is_relative_to(self._home):
            # Logs, facts and keys lie there too.
            return "" if real.suffix.lower() in _PROSE else "is CodeAgent's own"
        if holds_secrets(real):
            return "usually holds secrets"
        if real.is_relative_to(self._root) or (trusted and real.is_relative_to(self._user_home)):
            return ""
        if not os.path.lexists(real):
            return "does not exist"
        answer = self._answers.get(real, Answer.WAITING)
        if all(known.path != real for known in self.outside):
            self.outside.append(OutsideFile(real, importer, answer))
        return {Answer.ALLOWED: "", Answer.REFUSED: REFUSED, Answer.WAITING: OUTSIDE}[answer]

    def _content(self, path: Path, room: int) -> tuple[str, bool]:
        """Return the text of `path`, a little more than `room` at most, and whether the file goes on."""
        try:
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode):
                raise NoText("a folder" if stat.S_ISDIR(mode) else "no regular file")
            with path.open("rb") as file:
                data = file.read((max(0, room) + _A_LITTLE_MORE) * _BYTES_PER_CHARACTER)
                complete = not file.read(1)
        except FileNotFoundError:
            raise NoText("a link that leads nowhere") from None
        except (OSError, ValueError) as error:
            raise NoText(f"not readable ({getattr(error, 'strerror', None) or error})") from None
        return decode_memory_file(data, complete=complete), not complete


def _identity(path: Path) -> str:
    """Return what is the same for every way to write a file's path, links and letter case of the disk included."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return os.path.realpath(path)
    return f"{status.st_dev}:{status.st_ino}"


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
