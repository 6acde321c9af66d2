"""Paths in tool calls: resolved by the workspace, and shown so that what is shown can be opened again."""

from __future__ import annotations

import difflib
from pathlib import Path

from codeagent_tui.text import clean_text
from codeagent_tui.tools.tool import ToolContext, ToolError
from codeagent_tui.workspace import BadPath


def resolve(context: ToolContext, text: str) -> Path:
    """Return the real path that `text` names.

    Raises:
        ToolError: when it can name no file.
    """
    try:
        found = context.workspace.resolve(text)
    except BadPath as error:
        raise ToolError(str(error)) from None
    if not found.exists() and "\ufffd" in text:
        return _by_shown_name(found)
    return found


def _by_shown_name(path: Path) -> Path:
    """Return the one file beside `path` whose name is shown like it: names with bytes that are no UTF-8."""
    try:
        hits = [entry for entry in path.parent.iterdir() if show_name(entry.name) == path.name]
    except OSError:
        return path
    return hits[0] if len(hits) == 1 else path


def show_name(name: str) -> str:
    """Return a file name (with surrogate escapes for odd bytes) as text: each odd byte is one replacement mark."""
    return clean_text(name).replace("\n", "\ufffd").replace("\t", "\ufffd")


def shown(context: ToolContext, path: Path) -> str:
    """Return `path` for people and the model."""
    return show_name(context.workspace.shown(path))


def missing(context: ToolContext, path: Path) -> ToolError:
    """Return the error for a path that is not there, with the nearest names that are."""
    told = f"{shown(context, path)} does not exist."
    try:
        names = [show_name(entry.name) for entry in path.parent.iterdir()]
    except OSError:
        return ToolError(f"{told} Its folder does not exist either; look with list_directory.")
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    return ToolError(told + (f" Near it: {', '.join(near)}." if near else " Look with find_files or list_directory."))
