"""What git can tell cheaply of a working tree: which files differ from the last commit, and how one was in it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_PATIENCE = 3.0


class GitFailed(Exception):
    """git is not there, this is no repository, or it took too long."""


@dataclass(frozen=True, slots=True)
class TreeStatus:
    """The commit that is checked out ("": none yet) and the files that differ from it, untracked ones too."""

    commit: str
    changed: tuple[Path, ...]


class Repository:
    """The working tree that holds `folder`; only what lies in `folder` is looked at."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._top: Path | None = None

    def status(self) -> TreeStatus:
        """Return the state of the tree.

        Raises:
            GitFailed: when it cannot be had.
        """
        words = ("status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all", "--", ".")
        commit, changed = "", []
        for entry in self._git(*words).split(b"\0"):
            if entry.startswith(b"# branch.oid "):
                oid = entry[13:].decode("ascii", "replace")
                commit = "" if oid == "(initial)" else oid
            elif entry[:2] in (b"1 ", b"u ", b"? "):
                name = entry.split(b" ", {b"1": 8, b"u": 10, b"?": 1}[entry[:1]])[-1]
                changed.append(self._path(name))
        return TreeStatus(commit, tuple(changed))

    def content(self, commit: str, path: Path) -> bytes | None:
        """Return what `path` held in `commit`, as it is checked out (line endings, filters); None if nothing."""
        try:
            return self._git("cat-file", "--filters", f"{commit}:{self._name(path)}")
        except GitFailed:
            return None

    def modes(self, commit: str, paths: list[Path]) -> dict[Path, str]:
        """Return git's mode (`100644`, `100755`, `120000`) of those of `paths` that `commit` holds.

        Raises:
            GitFailed: when it cannot be had.
        """
        if not commit or not paths:
            return {}
        found: dict[Path, str] = {}
        names = [self._name(path) for path in paths]
        for entry in self._git("ls-tree", "-z", "--full-tree", commit, "--", *names).split(b"\0"):
            head, _, name = entry.partition(b"\t")
            if name:
                found[self._path(name)] = head.split(b" ")[0].decode("ascii", "replace")
        return found

    def _path(self, name: bytes) -> Path:
        return self.top / os.fsdecode(name)

    def _name(self, path: Path) -> str:
        return path.relative_to(self.top).as_posix()

    @property
    def top(self) -> Path:
        """The top folder of the working tree.

        Raises:
            GitFailed: when there is none.
        """
        if self._top is None:
            self._top = Path(os.fsdecode(self._git("rev-parse", "--show-toplevel").rstrip(b"\n")))
        return self._top

    def _git(self, *words: str) -> bytes:
        # Looking must neither wait for the user's own git nor write its index.
        environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
        try:
            ran = subprocess.run(
                ["git", "-C", str(self._folder), "-c", "core.fsmonitor=false", "--literal-pathspecs", *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                env=environment,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise GitFailed(str(error)) from error
        return ran.stdout
