"""What a project is, so that its facts are found from every folder, worktree and path that belongs to it.

The rule. In a git repository: an id that is kept in the repository's common git folder, which all worktrees share and
a move takes along. Before the first fact is saved there is no such id, and the common folder's path stands for it.
Without git: the folder's real path, links resolved. Facts saved under the path of a folder are still found from it
after `git init`. Two repositories with the same name share nothing. A project without git that was moved is another
one to this rule; `adoption` offers it the facts of the folder that is gone.
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
    """`name` is what facts are saved under; `aliases` are the names that they may have been saved under before.

    `root` is the top of the working tree, or the folder itself where there is no git.
    """

    name: str
    aliases: tuple[str, ...]
    root: Path

    @property
    def names(self) -> frozenset[str]:
        """All names under which this project's facts are found."""
        return frozenset((self.name, *self.aliases))


def identify(folder: Path, *, create: bool = False) -> ProjectIdentity:
    """Return the identity of the project that `folder` lies in; `create` writes the id into a repository without one.

    Reads a few small files and starts no process. A repository that cannot be written keeps its path as its name.
    """
    real = Path(os.path.realpath(folder))
    for root in (real, *real.parents):
        common = _common_git_folder(root)
        if common is None:
            continue
        aliases = [f"path:{place}" for place in (real, *real.parents) if place.is_relative_to(root)]
        if common.name == ".git":
            # From a worktree: facts that were saved in the main one before it was a repository.
            aliases.append(f"path:{common.parent}")
        by_path = f"git:{common}"
        known = _id_in(common) or (_make_id(common) if create else "")
        if known:
            return ProjectIdentity(f"id:{known}", (by_path, *aliases), root)
        return ProjectIdentity(by_path, tuple(aliases), root)
    return ProjectIdentity(f"path:{real}", (), real)


def described(identity: ProjectIdentity) -> str:
    """Return in words what the facts of a project belong to, for people."""
    if identity.name.startswith("path:"):
        return f"the folder {identity.root} (it is in no git repository)"
    how = "found again when it is moved" if identity.name.startswith("id:") else "named with its first fact"
    return f"the git repository of {identity.root}, with all its folders and worktrees; {how}"


def _common_git_folder(root: Path) -> Path | None:
    """Return the git folder that all worktrees of the repository at `root` share (gitrepository-layout(5))."""
    pointer = root / ".git"
    # os.path instead of Path: a folder that may not be looked into is no repository, and no error.
    if os.path.isdir(pointer):  # noqa: PTH112
        return Path(os.path.realpath(pointer)) if os.path.lexists(pointer / "HEAD") else None
    said = _first_line(pointer)
    if not said.startswith("gitdir:"):
        return None
    git_folder = Path(os.path.realpath(root / said.removeprefix("gitdir:").strip()))
    if not os.path.isdir(git_folder):  # noqa: PTH112
        return None
    common = _first_line(git_folder / "commondir")
    return Path(os.path.realpath(git_folder / common)) if common else git_folder


def _first_line(path: Path) -> str:
    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    try:
        with path.open(encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_LARGEST_POINTER).partition("\n")[0].strip()
    except OSError:
        return ""


def _id_in(common: Path) -> str:
    found = _first_line(common / _ID_FILE)
    return found if found.isascii() and found.isalnum() and len(found) <= 64 else ""


def _make_id(common: Path) -> str:
    """Put a new id there, unless another process was quicker; return the one that is there then, "" where none can be.

    Written aside and linked into place, so that the file is whole from its first moment.
    """
    made = common / f".{_ID_FILE}.{os.getpid()}.{new_id()}"
    place = common / _ID_FILE
    try:
        with made.open("x", encoding="ascii") as file:
            file.write(new_id() + "\n")
        try:
            if os.path.lexists(place) and not _id_in(common):
                made.replace(place)
            else:
                place.hardlink_to(made)
        except FileExistsError:
            pass
        except OSError:
            # No hard links on this file system.
            made.replace(place)
        finally:
            made.unlink(missing_ok=True)
    except OSError:
        return ""
    return _id_in(common)
