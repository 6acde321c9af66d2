"""A line that the user runs in the shell: shown as a tool call, told to the agent with the next request."""

from __future__ import annotations

import json
from dataclasses import replace

from codeagent_tui.conversation.events import ToolFinished, ToolKind, ToolProgress, ToolStarted
from codeagent_tui.conversation.messages import ToolCall, new_id, tool_result
from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tools.tool import ToolError, ToolOutput, parse_arguments
from codeagent_tui.tui.session_host import SessionHost

_TOOL = "run_command"


async def run_shell_line(host: SessionHost, command: str) -> None:
    """Run `command` as the tool would, without asking: the user has asked for it.

    Cancelling ends the command with its children; what it had said by then is not kept.
    """
    context = host.session.agent.core.context
    tool = host.session.agent.core.tools.get(_TOOL)
    call = ToolCall(f"shell_{new_id()}", _TOOL, json.dumps({"command": command}))
    host.view.show(ToolStarted(call, ToolKind.EXECUTE, f"$ {one_line(command)}"))
    output = ToolOutput("Stopped by the user.", ok=False, summary="stopped")
    try:
        arguments = parse_arguments(tool, call.arguments)
        showing = replace(context, progress=lambda text: host.view.show(ToolProgress(call.id, text)))
        output = await tool.run(arguments, showing)
    except ToolError as error:
        output = ToolOutput(str(error), ok=False, summary=one_line(str(error), 120))
    finally:
        text = clean_text(output.text)
        result = tool_result(call.id, text, failed=not output.ok)
        host.view.show(ToolFinished(call.id, _TOOL, result, output.ok, one_line(output.summary), ""))
        host.tell_agent(shell_note(command, text))


def shell_note(command: str, output: str) -> str:
    """Return what the agent is told about a line that the user ran."""
    return f"I ran this myself in the shell; it is for your information, not a request:\n$ {command}\n{output}"
