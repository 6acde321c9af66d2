"""Which files make up project memory, in their order: the user's, the project's, this machine's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

from codeagent_tui.text import one_line

MEMORY_FILE = "CODEAGENT.md"
LOCAL_FILE = "CODEAGENT.local.md"
TEAM_FILES = (Path(MEMORY_FILE), Path(".code-agent-cli", MEMORY_FILE), Path(".codeagent", MEMORY_FILE))
FOREIGN_FILES = ("AGENTS.md", "CLAUDE.md")
"""Other agents' files, read where a project has no file of its team for us. In one folder the first that is there."""


class Layer(StrEnum):
    """Who a file speaks for."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


PRIORITY = (Layer.LOCAL, Layer.PROJECT, Layer.USER)
"""Who gets room first when there is not enough for all. The order in the text is another."""


def folders_down(root: Path, working_directory: Path) -> list[Path]:
    """Return the folders from `root` down to `working_directory`; the root alone when that lies elsewhere."""
    if not working_directory.is_relative_to(root):
        return [root]
    below = working_directory.relative_to(root).parts
    return [root.joinpath(*below[:depth]) for depth in range(len(below) + 1)]


def layered_files(
    home: Path, folders: list[Path], *, foreign: bool, look: Callable[[Path], object]
) -> Iterator[tuple[Path, Layer]]:
    """Yield the files in the order of the text, whether they are there or not.

    `home` is the data folder, `folders` go from the project's root downwards. With `foreign`, other agents' files
    stand in for the team's where it has none; a file of this machine alone does not count as one. `look` gets every
    path whose coming or going would change the answer.
    """
    yield home / MEMORY_FILE, Layer.USER
    team = [folder / name for folder in folders for name in TEAM_FILES]
    local = [folder / LOCAL_FILE for folder in folders]
    for path in (*team, *local):
        look(path)
    if foreign:
        others = [[folder / name for name in FOREIGN_FILES] for folder in folders]
        for path in (path for names in others for path in names):
            look(path)
        if not any(map(_is_file, team)):
            team += [path for names in others for path in [p for p in names if _is_file(p)][:1]]
    for path in team:
        yield path, Layer.PROJECT
    for path in local:
        yield path, Layer.LOCAL


def _is_file(path: Path) -> bool:
    # os.path instead of Path: a folder that may not be looked into has no such file, and that is no error.
    return os.path.isfile(path)  # noqa: PTH113


def shown_path(path: Path, root: Path) -> str:
    """Return `path` as people read it: relative in the project, with `~` in the user's home."""
    if path.is_relative_to(root):
        return one_line(path.relative_to(root).as_posix())
    home = Path.home()
    return one_line(f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path))
