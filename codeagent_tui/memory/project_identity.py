"""What a project is, so that its facts are found from every folder, worktree and path that belongs to it.

In a git repository: an id that is kept in the repository's common git folder, which worktrees share and a move takes
along. Before the first fact is saved there is no such id, and the common folder's path stands for it. Without git:
the folder's real path. Facts saved under a path are still found after `git init`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.conversation.messages import new_id

_ID_FILE = "codeagent-project-id"
_LARGEST_POINTER = 4_096


@dataclass(frozen=True, slots=True)
class ProjectIdentity:
    """`name` is what facts are saved under; `aliases` are the names that they may have been saved under before."""

    name: str
    aliases: tuple[str, ...]
    root: Path

    @property
    def names(self) -> frozenset[str]:
        """All names under which this project's facts are found."""
        return frozenset((self.name, *self.aliases))


def identify(folder: Path, *, create: bool = False) -> ProjectIdentity:
    """Return the identity of the project that `folder` lies in; `create` writes the id into a repository without one.

    A repository that cannot be written keeps its path as its name.
    """
    real = Path(os.path.realpath(folder))
    for root in (real, *real.parents):
        common = _common_git_folder(root)
        if common is None:
            continue
        by_path = f"git:{common}"
        known = _id_in(common) or (_make_id(common) if create else "")
        aliases = [f"path:{root}", f"path:{common.parent}"]
        if known:
            return ProjectIdentity(f"id:{known}", (by_path, *aliases), root)
        return ProjectIdentity(by_path, tuple(aliases), root)
    return ProjectIdentity(f"path:{real}", (), real)


def _common_git_folder(root: Path) -> Path | None:
    """Return the git folder that all worktrees of the repository at `root` share (gitrepository-layout(5))."""
    pointer = root / ".git"
    if pointer.is_dir():
        return pointer if (pointer / "HEAD").exists() else None
    own = _read_pointer(pointer).removeprefix("gitdir:").strip()
    if not own:
        return None
    git_folder = Path(os.path.realpath(root / own))
    common = _read_pointer(git_folder / "commondir")
    return Path(os.path.realpath(git_folder / common)) if common else git_folder


def _read_pointer(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST_POINTER).strip()
    except OSError:
        return ""


def _id_in(common: Path) -> str:
    found = _read_pointer(common / _ID_FILE)
    return found if found.isalnum() and len(found) <= 64 else ""


def _make_id(common: Path) -> str:
    """Write a new id, unless another process was quicker; return the one that is there then, "" where none can be."""
    try:
        fd = os.open(common / _ID_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return _id_in(common)
    except OSError:
        return ""
    with os.fdopen(fd, "w", encoding="ascii") as file:
        file.write(new_id() + "\n")
    return _id_in(common)
