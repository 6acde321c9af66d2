"""The folder that the agent works in: how a path from a model is resolved, and whether it lies inside."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


class BadPath(ValueError):
    """A path that cannot name a file; the message says why."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder by its real path, so that links to it, `..` and same-prefix siblings are all told apart."""

    root: Path

    @classmethod
    def at(cls, folder: Path) -> Workspace:
        """Return the workspace at `folder`, links resolved."""
        return cls(Path(os.path.realpath(folder)))

    def resolve(self, text: str) -> Path:
        """Return the real absolute path that `text` names, relative ones from the root; it need not exist.

        `~` at the start is the user's home. Links are followed to their end, so containment can be judged on what
        would really be touched.

        Raises:
            BadPath: for an empty path, one with a NUL byte, or a URL.
        """
        if not text.strip():
            raise BadPath("The path is empty.")
        if "\0" in text:
            raise BadPath("The path holds a NUL byte.")
        if text.lower().startswith("file:"):
            raise BadPath(f"{text!r} is a URL; give the file's path.")
        if any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in text):
            raise BadPath("The path holds half of a surrogate pair, which no file name can.")
        try:
            return Path(os.path.realpath(self.root / _with_home(text)))
        except (OSError, ValueError) as error:
            raise BadPath(f"{text!r} cannot be resolved: {error}.") from None

    def contains(self, path: Path) -> bool:
        """Whether the real path `path` is the root or lies beneath it."""
        return path == self.root or path.is_relative_to(self.root)

    def shown(self, path: Path) -> str:
        """Return `path` as people read it: relative inside the workspace, absolute (with `~`) outside."""
        if self.contains(path):
            return path.relative_to(self.root).as_posix()
        home = Path.home()
        return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)


def _with_home(text: str) -> Path:
    if not text.startswith("~"):
        return Path(text)
    try:
        return Path(text).expanduser()
    except RuntimeError:
        # There is no such user: it is a file whose name begins with a tilde.
        return Path(text)
