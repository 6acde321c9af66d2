"""Reads one project memory file with what it imports, within what is left of a budget."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path

from codeagent_tui.memory.imports import lines_with_imports
from codeagent_tui.text import clean_text, cut_characters
from codeagent_tui.text_encoding import sniff

DEPTH = 3
_MOST_NOTICES = 12
# A character takes at most four bytes in the encodings that are read.
_BYTES_PER_CHARACTER = 4


@dataclass(slots=True)
class Budget:
    """Characters that may still be read."""

    left: int


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file: its text (of the first, with the imported ones in their places), its own characters, its state."""

    path: Path
    text: str
    characters: int
    state: str
    imported_by: Path | None = None


class Reader:
    """Reads files for one load: each real file's text once, at its first place."""

    def __init__(self, root: Path, home: Path) -> None:
        self._root = root
        self._home = Path(os.path.realpath(home))
        self._seen: set[str] = set()
        self.looked_at: set[Path] = set()
        self.notices: list[str] = []

    def read(self, path: Path, budget: Budget, *, trusted: bool) -> list[ReadFile]:
        """Return `path` and what it imports; empty when it is not there. `trusted`: the user's own file, which may
        import from anywhere in the user's home; a project's file only from the project."""
        self.looked_at.add(path)
        if not os.path.lexists(path) or _identity(path) in self._seen:
            return []
        return self._read(path, budget, trusted=trusted, depth=0, imported_by=None)

    def _read(
        self, path: Path, budget: Budget, *, trusted: bool, depth: int, imported_by: Path | None
    ) -> list[ReadFile]:
        self._seen.add(_identity(path))
        text, state = self._content(path, budget.left)
        if text is None:
            return [ReadFile(path, "", 0, state, imported_by)]
        parts: list[str] = []
        own = 0
        imported: list[ReadFile] = []
        for line in lines_with_imports(text):
            found = self._import(line.target, path, budget, trusted=trusted, depth=depth) if line.target else None
            if found is not None:
                imported += found
                parts.append(found[0].text if found else "")
                continue
            piece = line.text + "\n"
            if len(piece) > budget.left:
                parts.append(cut_characters(piece, budget.left, ""))
                parts.append(f"\n[cut: {path.name} is longer than the budget of project memory]")
                self._tell(f"{path} was cut: the budget of project memory is used up.")
                own += budget.left
                budget.left = 0
                state = "cut"
                break
            budget.left -= len(piece)
            own += len(piece)
            parts.append(piece)
        first = ReadFile(path, "".join(parts).rstrip("\n") + "\n", own, state, imported_by)
        return [first, *(replace(file, text="") for file in imported)]

    def _import(
        self, target: str, importer: Path, budget: Budget, *, trusted: bool, depth: int
    ) -> list[ReadFile] | None:
        """Return what `target` imports, [] when its text stands elsewhere already, None to leave the line as text."""
        path = Path(target).expanduser() if target.startswith("~/") else importer.parent / target
        real = Path(os.path.realpath(path))
        self.looked_at.add(path)
        if not self._allowed(real, trusted=trusted):
            self._tell(f"{importer}: @{target} lies outside the project and was not imported. Import it in your own "
                       f"{self._home / 'CODEAGENT.md'} if you want it.")  # fmt: skip
            return None
        if not os.path.lexists(path):
            self._tell(f"{importer}: @{target} does not exist.")
            return None
        if _identity(path) in self._seen:
            return []
        if depth >= DEPTH:
            self._tell(f"{importer}: @{target} was not imported, it is more than {DEPTH} imports deep.")
            return None
        if budget.left <= 0:
            return []
        return self._read(path, budget, trusted=trusted, depth=depth + 1, imported_by=importer)

    def _allowed(self, real: Path, *, trusted: bool) -> bool:
        if real.is_relative_to(self._root) or real.is_relative_to(self._home):
            return real.name != "credentials.json"
        return trusted and real.is_relative_to(Path(os.path.realpath(Path.home())))

    def _content(self, path: Path, room: int) -> tuple[str | None, str]:
        """Return the text of `path` (a little more than `room` at most), and its state."""
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                return self._left_out(path, "no regular file")
            with path.open("rb") as file:
                data = file.read((room + 1_000) * _BYTES_PER_CHARACTER)
                complete = not file.read(1)
        except OSError as error:
            return self._left_out(path, f"cannot be read ({error.strerror})")
        encoding = sniff(data, complete=complete)
        if encoding is None:
            return self._left_out(path, "binary")
        if encoding.name == "latin-1":
            return self._left_out(path, "in an unknown encoding; save it as UTF-8")
        return clean_text(data[len(encoding.mark) :].decode(encoding.name, "replace")), "loaded"

    def _left_out(self, path: Path, why: str) -> tuple[None, str]:
        self._tell(f"{path} was left out: it is {why}." if not why.startswith("cannot") else f"{path} {why}.")
        return None, why

    def _tell(self, notice: str) -> None:
        if len(self.notices) < _MOST_NOTICES and notice not in self.notices:
            self.notices.append(notice)


def _identity(path: Path) -> str:
    """Return what is the same for every way to write a file's path, links and letter case of the disk included."""
    try:
        status = path.stat()
    except OSError:
        return os.path.realpath(path)
    return f"{status.st_dev}:{status.st_ino}"
