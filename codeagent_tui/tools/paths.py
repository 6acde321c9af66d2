"""Paths in tool calls: resolved by the workspace, and shown so that what is shown can be opened again."""

from __future__ import annotations

import difflib
import errno
from pathlib import Path

from codeagent_tui.text import clean_text
from codeagent_tui.tools.ignore_rules import walk
from codeagent_tui.tools.tool import ToolContext, ToolError
from codeagent_tui.workspace import BadPath

_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_MOST_LOOKED_AT = 5_000
_MOST_NAMED = 3


def resolve(context: ToolContext, text: str) -> Path:
    """Return the real path that `text` names; where there is none, the one that is shown like it.

    Raises:
        ToolError: when it can name no file, or the way to it is barred.
    """
    try:
        found = context.workspace.resolve(text)
        if _exists(found, text):
            return found
        # Its parts may be links, so it is resolved anew: permissions are decided on what is really touched.
        return context.workspace.resolve(str(_by_shown_names(found)))
    except BadPath as error:
        raise ToolError(str(error)) from None


def _exists(path: Path, text: str) -> bool:
    try:
        path.stat()
    except OSError as error:
        if error.errno in _NOT_THERE:
            return False
        raise ToolError(f"{show_name(text[:200])} cannot be reached: {error.strerror}.") from None
    return True


def _by_shown_names(path: Path) -> Path:
    """Return `path` with each part that is not there replaced by the one entry that is shown like it."""
    at = path
    missing: list[str] = []
    while not at.exists() and at != at.parent:
        missing.append(at.name)
        at = at.parent
    while missing:
        name = missing.pop()
        if not (at / name).exists():
            try:
                alike = [entry.name for entry in at.iterdir() if show_name(entry.name) == name]
            except OSError:
                return path
            if len(alike) > 1:
                raise ToolError(f"{len(alike)} entries are shown as {name!r}; run_command can tell them apart.")
            if not alike:
                return path
            name = alike[0]
        at /= name
    return at


def show_name(name: str) -> str:
    """Return a file name (with surrogate escapes for odd bytes) as text: each odd byte is one replacement mark."""
    return clean_text(name).replace("\n", "\ufffd").replace("\t", "\ufffd")


def shown(context: ToolContext, path: Path) -> str:
    """Return `path` for people and the model."""
    return show_name(context.workspace.shown(path))


def missing(context: ToolContext, path: Path) -> ToolError:
    """Return the error for a path that is not there, with the nearest names that are. Blocks: use a thread."""
    told = f"{shown(context, path)} does not exist."
    try:
        names = [show_name(entry.name) for entry in path.parent.iterdir()]
        near = [shown(context, path.parent / name) for name in difflib.get_close_matches(path.name, names, _MOST_NAMED)]
    except OSError:
        told += " Its folder does not exist either."
        near = []
    near = near or _elsewhere(context, path.name)
    return ToolError(told + (f" Near it: {', '.join(near)}." if near else " Look with find_files or list_directory."))


def _elsewhere(context: ToolContext, name: str) -> list[str]:
    """Return files of that name elsewhere in the workspace, as far as a short look finds them."""
    found: list[str] = []
    for number, entry in enumerate(walk(context.workspace.root)):
        if number == _MOST_LOOKED_AT or len(found) == _MOST_NAMED:
            break
        if entry.relative.rpartition("/")[2] == name:
            found.append(show_name(entry.relative))
    return found
