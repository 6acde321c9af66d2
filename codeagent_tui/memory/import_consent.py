"""What the user has said about files outside a project that it imports: kept for good, one list a project.

Without a word nothing outside is read: a repository that somebody else wrote must not decide what of this machine
reaches a model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from codeagent_tui.paths import ensure_private_dir, write_private

_LOCK_WAIT = 5.0
_LARGEST = 1 << 20


class Answer(StrEnum):
    """What was said about a file."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    WAITING = "waiting"
    """Nothing yet: it is not read."""


class ConsentsDamaged(Exception):
    """The file of answers cannot be read; the message names it. Nothing was written."""


@dataclass(frozen=True, slots=True)
class OutsideFile:
    """A file outside the project that one of its files leads to. `path` is real; `imported_by` None: a link does."""

    path: Path
    imported_by: Path | None
    answer: Answer


class ImportConsents:
    """The answers for one project. Methods touch files, and may be called from any thread."""

    def __init__(self, path: Path, project: str, aliases: frozenset[str] = frozenset()) -> None:
        """`path` is the file of all projects' answers; `project` the name that new ones are kept under, `aliases` the
        names that older ones may be found under."""
        self.path = path
        self._project = project
        self._names = (*sorted(aliases - {project}), project)

    def answers(self) -> dict[Path, Answer]:
        """Return what was said, by real path.

        Raises:
            ConsentsDamaged: when the file cannot be read; nothing is allowed then.
        """
        held = self._read()
        return {
            Path(path): Answer(said)
            for name in self._names
            for path, said in held.get(name, {}).items()
            if said in (Answer.ALLOWED, Answer.REFUSED)
        }

    def say(self, path: Path, answer: Answer) -> None:
        """Keep the answer about the real `path`; WAITING forgets what was said before.

        Raises:
            ConsentsDamaged: when the file cannot be read; it is left as it is.
            OSError: when it cannot be written; nothing has changed then.
        """
        from filelock import FileLock, Timeout

        ensure_private_dir(self.path.parent)
        try:
            with FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=_LOCK_WAIT):
                held = self._read()
                for name in self._names:
                    held.get(name, {}).pop(str(path), None)
                if answer is not Answer.WAITING:
                    held.setdefault(self._project, {})[str(path)] = answer.value
                kept = {name: said for name, said in held.items() if said}
                write_private(self.path, json.dumps(kept, ensure_ascii=False, indent=2).encode() + b"\n")
        except Timeout:
            raise OSError(f"{self.path} is locked by another process; nothing was changed. Try again.") from None

    def _read(self) -> dict[str, dict[str, str]]:
        """Return project name → path → answer.

        Raises:
            ConsentsDamaged: when that is not what the file holds.
        """
        try:
            with self.path.open("rb") as file:
                held = json.loads(file.read(_LARGEST) or b"{}")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise ConsentsDamaged(self._damage(str(error))) from None
        if not isinstance(held, dict):
            raise ConsentsDamaged(self._damage("it holds no JSON object"))
        for said in held.values():
            if not isinstance(said, dict) or not all(isinstance(answer, str) for answer in said.values()):
                raise ConsentsDamaged(self._damage("an entry is no list of answers"))
        return held

    def _damage(self, why: str) -> str:
        return (
            f"{self.path} cannot be read ({why}), so no file outside the project is read. Mend it or move it away; "
            "it is left as it is."
        )
