"""The tools of a session: all there, in one order, each with a schema that is cheap to send."""

from __future__ import annotations

import json

import pytest

from codeagent_tui.tokens import estimate_tokens
from codeagent_tui.tools.catalog import default_tools
from codeagent_tui.tools.tool import ToolError, parse_arguments

NAMES = [
    "read_file",
    "list_directory",
    "find_files",
    "search_code",
    "edit_file",
    "write_file",
    "run_command",
    "web_fetch",
    "save_memory",
    "todo",
]


def test_the_tools_are_there_in_a_stable_order() -> None:
    assert [tool.name for tool in default_tools()] == NAMES
    assert default_tools().specs == default_tools().specs


def test_each_schema_refuses_what_it_does_not_know() -> None:
    for tool in default_tools():
        assert tool.spec().parameters["additionalProperties"] is False
        with pytest.raises(ToolError, match="colour"):
            parse_arguments(tool, '{"colour": 1}')
        with pytest.raises(ToolError, match="JSON"):
            parse_arguments(tool, '{"path": ')


def test_all_schemas_together_take_little_of_a_small_window() -> None:
    sent = sum(
        estimate_tokens(spec.name + spec.description + json.dumps(dict(spec.parameters)))
        for spec in default_tools().specs
    )
    assert sent < 2_000


def test_an_unknown_tool_names_the_ones_there_are() -> None:
    with pytest.raises(ToolError, match="The tools are: read_file"):
        default_tools().get("reed_file")
