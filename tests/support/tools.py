"""Running a tool in a scratch workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from codeagent_tui.tools.environment import child_environment
from codeagent_tui.tools.file_state import FileState
from codeagent_tui.tools.tool import Tool, ToolContext, ToolError, ToolOutput, parse_arguments
from codeagent_tui.workspace import Workspace


def scratch_context(tmp_path: Path) -> ToolContext:
    """Return a context whose workspace is `tmp_path/proj`."""
    (tmp_path / "proj").mkdir(exist_ok=True)
    return ToolContext(Workspace.at(tmp_path / "proj"), FileState(), child_environment(os.environ))


async def use(tool: Tool[Any], context: ToolContext, /, **arguments: Any) -> ToolOutput:
    """Run `tool` as the agent does: arguments parsed, access asked first."""
    import json

    parsed = parse_arguments(tool, json.dumps(arguments))
    await tool.access(parsed, context)
    return await tool.run(parsed, context)


async def fails(tool: Tool[Any], context: ToolContext, /, **arguments: Any) -> str:
    """Run `tool`, which must refuse, and return what it says."""
    try:
        output = await use(tool, context, **arguments)
    except ToolError as error:
        return str(error)
    raise AssertionError(f"it did not fail: {output.text}")
