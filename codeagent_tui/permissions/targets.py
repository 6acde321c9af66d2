"""Which places hold more than one project's work, and whether a word of a command reaches them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from glob import escape
from pathlib import Path

from codeagent_tui.permissions.containment import OwnFiles
from codeagent_tui.permissions.shell_words import Place, Word

_SYSTEM_PARTS = tuple(map(Path, ("/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/var", "/System", "/Library")))
"""What lies directly in these belongs to the system, too."""
_SYSTEM = (
    *_SYSTEM_PARTS,
    *map(
        Path, ("/boot", "/opt", "/root", "/home", "/Users", "/srv", "/dev", "/sys", "/proc", "/run", "/mnt", "/media")
    ),
)
_TEMPORARY = tuple(map(Path, ("/var/tmp", "/var/folders")))
_STARTUP = (
    *(".ssh", ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile", ".gitconfig"),
    *(".config/fish", ".config/autostart", ".config/systemd", ".config/git"),
)
"""Below the home folder: what other programs run or trust at the next login."""
_WIDE = re.compile(r"(?:\.|\?|\*|\[[!^]\.\])*\*(?:\.|\?|\*|\[[!^]\.\])*")
_GLOB_PART = re.compile(r"[^/]*[*?[].*", re.S)
_DEVICE = re.compile(r"/dev/(?:sd|hd|nvme|vd|xvd|mmcblk|disk|mapper/|md\d)")


class Targets:
    """Judges paths as seen from one place."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._own = OwnFiles(place.own)
        self._resolved: dict[str, str] = {}

    @cached_property
    def _important(self) -> list[tuple[Path, str]]:
        place = self._place
        homes = dict.fromkeys((place.home, Path(os.path.realpath(place.home))))
        found = [(Path("/"), "the whole system"), *((home, "your home folder") for home in homes)]
        found += [(place.workspace, "the workspace itself"), (place.workspace / ".git", "this repository's history")]
        found += [(above, "a folder that the workspace lies in") for above in place.workspace.parents]
        found += [(above, "a folder that your home lies in") for home in homes for above in home.parents]
        found += [(folder, "part of the system") for folder in _SYSTEM]
        found.append((place.own, "what CodeAgent knows and may do"))
        found += [(home / name, "what decides how your account works") for home in homes for name in _STARTUP]
        return found

    @cached_property
    def _reasons(self) -> dict[Path, str]:
        """Why each important path is important; where there are several reasons, the weightiest."""
        reasons: dict[Path, str] = {}
        for path, why in self._important:
            reasons.setdefault(path, why)
        return reasons

    def loss(self, word: Word, folder: Path, *, workspace: bool = True, contents: bool = True) -> tuple[Path, str]:
        """Return what important place would be lost if `word` (from `folder`) was, and why it is important.

        The reason is empty when there is none. `workspace` says whether the workspace itself counts, `contents` whether
        all that lies in it does.
        """
        if not word.text:
            return folder, ""
        for spelled in self._spellings(word, folder):
            for path, why in self._reached(spelled):
                exact = not spelled.glob or spelled.matches(path)
                if path != self._place.workspace or (workspace and (exact or contents)):
                    return path, why
            part = any(spelled.above().matches(path) for path in _SYSTEM_PARTS)
            if part and not self._is_ours(spelled.path):
                return spelled.path, "part of the system"
        return folder, ""

    def _reached(self, spelled: _Spelled) -> Iterator[tuple[Path, str]]:
        if not spelled.glob:
            if spelled.path in self._reasons:
                yield spelled.path, self._reasons[spelled.path]
            return
        for path, why in self._reasons.items():
            if spelled.matches(path) or spelled.matches_contents(path):
                yield path, why

    def overwritten(self, word: Word, folder: Path) -> str:
        """Return why it matters, in words that follow a path, that the file `word` is written; "" when it does not."""
        if _DEVICE.match(word.text):
            return "a device"
        homes = (self._place.home, Path(os.path.realpath(self._place.home)))
        for spelled in self._spellings(word, folder):
            if any(spelled.path.is_relative_to(home / name) for name in _STARTUP for home in homes):
                return "which decides how your account works"
            if any(map(spelled.path.is_relative_to, _SYSTEM_PARTS)) and not self._is_ours(spelled.path):
                return "part of the system"
        return ""

    def is_ours_alone(self, word: Word, folder: Path) -> bool:
        """Whether `word` names, covers or mentions a file that decides what CodeAgent may do."""
        if any(way in word.text for way in self._ways_to_own):
            return True
        for spelled in self._spellings(word, folder):
            if spelled.glob and any(map(spelled.matches, self._own.paths)):
                return True
            if not spelled.glob and self._own.holds(spelled.path):
                return True
        return False

    @cached_property
    def _ways_to_own(self) -> tuple[str, ...]:
        """The deciding files as they may stand in the middle of a word, such as a program's text."""
        own, home = self._place.own, self._place.home
        starts = [str(own)]
        if own.is_relative_to(home):
            starts += [f"~/{own.relative_to(home)}", f"$HOME/{own.relative_to(home)}"]
        names = [path.relative_to(os.path.realpath(own)) for path in self._own.paths]
        return tuple(f"{start}/{name}" for start in starts for name in names)

    def _spellings(self, word: Word, folder: Path) -> Iterator[_Spelled]:
        """Yield `word` as an absolute path: as written, and with the links on its way resolved.

        A link itself is not followed (deleting it deletes no more), unless the word goes through it.
        """
        start = escape(str(folder)) if word.glob else str(folder)
        text = word.text if word.text.startswith("/") else f"{start}/{word.text}"
        yield _Spelled(_normal(text), word.glob)
        if word.glob:
            hit = _GLOB_PART.search(text)
            fixed, rest = (text[: hit.start()], hit[0]) if hit else (text, "")
        elif text.endswith(("/", "/.", "/..")):
            fixed, rest = text, ""
        else:
            fixed, rest = os.path.split(text)
        try:
            yield _Spelled(_normal(f"{self._real(fixed)}/{rest}"), word.glob)
        except (OSError, ValueError):
            # A path that cannot be resolved names nothing that could be lost.
            return

    def _real(self, folder: str) -> str:
        """Resolve the links in `folder`; the words of a command mostly share one."""
        if folder not in self._resolved:
            self._resolved[folder] = os.path.realpath(folder)
        return self._resolved[folder]

    def _is_ours(self, path: Path) -> bool:
        inside = path != self._place.workspace and path.is_relative_to(self._place.workspace)
        return inside or any(path.is_relative_to(folder) for folder in _TEMPORARY)


@dataclass(frozen=True, slots=True)
class _Spelled:
    """An absolute path, literal or (with `glob`) a pattern whose every part is matched by itself."""

    path: Path
    glob: bool

    def above(self) -> _Spelled:
        return _Spelled(self.path.parent, self.glob)

    def matches(self, path: Path) -> bool:
        if not self.glob:
            return self.path == path
        pattern = self.path.parts
        return len(pattern) == len(path.parts) and all(map(fnmatchcase, path.parts, pattern))

    def matches_contents(self, path: Path) -> bool:
        """Whether it is a pattern for whatever lies in `path`."""
        return self.glob and bool(_WIDE.fullmatch(self.path.name)) and self.above().matches(path)


def _normal(text: str) -> Path:
    # POSIX lets two slashes at the start mean something of their own; here they are one.
    return Path(re.sub(r"^/+", "/", os.path.normpath(text)))
