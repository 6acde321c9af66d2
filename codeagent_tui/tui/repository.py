"""The branch that a folder is on, read from git's files: no process is started."""

from __future__ import annotations

from pathlib import Path

_SHORT_HASH = 8


def current_branch(folder: Path) -> str:
    """Return the branch of the repository that holds `folder`, a short commit id when none is checked out, or "".

    Reads a few small files; call it off the loop, for the folder may be on a slow disk.
    """
    git = _git_folder(folder)
    if git is None:
        return ""
    try:
        head = (git / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
    if head.startswith("ref: "):
        return head.removeprefix("ref: ").removeprefix("refs/heads/")
    return head[:_SHORT_HASH]


def _git_folder(folder: Path) -> Path | None:
    """Return the git folder of the repository around `folder`: `.git` itself, or where a worktree's file points."""
    for place in (folder, *folder.parents):
        git = place / ".git"
        if git.is_dir():
            return git
        if git.is_file():
            try:
                text = git.read_text(encoding="utf-8", errors="replace").strip()
            except OSError:
                return None
            return (place / text.removeprefix("gitdir:").strip()) if text.startswith("gitdir:") else None
    return None
