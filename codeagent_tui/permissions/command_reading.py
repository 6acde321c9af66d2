"""Reads a command as the gate needs it: is it known to be safe, what is dangerous about it, why to ask."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.permissions.danger import dangers
from codeagent_tui.permissions.invisible import invisible_characters
from codeagent_tui.permissions.reasons import reasons_to_ask
from codeagent_tui.permissions.safe_commands import is_safe
from codeagent_tui.permissions.script import read_script
from codeagent_tui.permissions.shell_words import Place
from codeagent_tui.workspace import Workspace

__all__ = ["CommandReading", "is_safe", "read_command"]


@dataclass(frozen=True, slots=True)
class CommandReading:
    """What a command is: `safe` to run unasked; else its `warnings`, and the `reasons` to ask."""

    safe: bool
    warnings: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def read_command(command: str, folder: Path, workspace: Workspace, data_folder: Path) -> CommandReading:
    """Read `command`, which is to run in `folder`; `data_folder` is CodeAgent's own."""
    if is_safe(command, workspace, folder):
        return CommandReading(True)
    place = Place(folder, workspace.root, Path.home(), os.environ, data_folder)
    script = read_script(command, place)
    warnings = (*invisible_characters(command), *dangers(script, place))
    return CommandReading(False, warnings, tuple(reasons_to_ask(script, workspace)))
