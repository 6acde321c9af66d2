"""The tools of a session, in the order in which the model is told of them."""

from __future__ import annotations

from typing import cast

from codeagent_tui.tools.edit_file import EditFile
from codeagent_tui.tools.find_files import FindFiles
from codeagent_tui.tools.list_directory import ListDirectory
from codeagent_tui.tools.read_file import ReadFile
from codeagent_tui.tools.run_command import RunCommand
from codeagent_tui.tools.save_memory import SaveMemory
from codeagent_tui.tools.search_code import SearchCode
from codeagent_tui.tools.todo import Todo
from codeagent_tui.tools.tool import Arguments, Registry, Tool
from codeagent_tui.tools.web_fetch import WebFetch
from codeagent_tui.tools.write_file import WriteFile


def default_tools(*, command_timeout: float = 120.0) -> Registry:
    """Return the built-in tools; `command_timeout` is what a command may take, in seconds, when it does not say."""
    tools = (
        ReadFile(),
        ListDirectory(),
        FindFiles(),
        SearchCode(),
        EditFile(),
        WriteFile(),
        RunCommand(command_timeout),
        WebFetch(),
        SaveMemory(),
        Todo(),
    )
    # Each tool takes its own arguments type; the registry hands it only what its own schema has parsed.
    return Registry(cast("tuple[Tool[Arguments], ...]", tools))
