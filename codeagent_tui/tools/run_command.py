"""run_command: a shell command in the workspace."""

from __future__ import annotations

import time
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text import one_line
from codeagent_tui.tools.command_output import output_text
from codeagent_tui.tools.output import COMMAND_BYTES, partial
from codeagent_tui.tools.paths import resolve, shown
from codeagent_tui.tools.process import CommandResult, run_shell
from codeagent_tui.tools.threads import to_completion
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput

_LONGEST = 600.0
_BETWEEN_PROGRESS = 0.1
_PROGRESS_BYTES = 2_000


class RunCommandArguments(Arguments):
    """What to run."""

    command: str = Field(min_length=1, description="Shell command; it gets no input and no terminal")
    directory: str = Field(".", description="Folder to run it in")
    timeout_seconds: float | None = Field(None, gt=0, le=_LONGEST, description="Seconds it may take")


class RunCommand(Tool[RunCommandArguments]):
    """Runs a shell command."""

    name: ClassVar[str] = "run_command"
    description: ClassVar[str] = (
        "Run a shell command and return its exit code and output (both streams, about 8 KB: head and tail). Nothing "
        "can be typed into it: use non-interactive flags. Prefer the file and search tools where they do."
    )
    kind: ClassVar[ToolKind] = ToolKind.EXECUTE
    arguments: ClassVar[type[Arguments]] = RunCommandArguments

    def __init__(self, default_timeout: float = 120.0) -> None:
        self._default_timeout = default_timeout

    def title(self, arguments: RunCommandArguments) -> str:
        """Return one line for people."""
        return f"$ {one_line(arguments.command)}"

    async def access(self, arguments: RunCommandArguments, context: ToolContext) -> Access:
        """Show the whole command and where it runs."""
        folder = self._folder(arguments, context)
        place = "" if folder == context.workspace.root else f"\n# in {shown(context, folder)}"
        return Access(
            self.kind,
            self.title(arguments),
            paths=(folder,),
            command=arguments.command,
            body=arguments.command + place,
            body_kind="command",
        )

    def _folder(self, arguments: RunCommandArguments, context: ToolContext) -> Path:
        folder = resolve(context, arguments.directory)
        if not folder.is_dir():
            raise ToolError(f"{shown(context, folder)} is no folder; the command was not run.")
        if "\0" in arguments.command:
            raise ToolError("The command holds a NUL byte; it was not run.")
        return folder

    async def run(self, arguments: RunCommandArguments, context: ToolContext) -> ToolOutput:
        """Run it."""
        timeout = arguments.timeout_seconds or self._default_timeout
        progress, folder = _Progress(context), self._folder(arguments, context)
        if context.checkpoints is not None:
            await to_completion(context.checkpoints.before_command, arguments.command)
        try:
            result = await run_shell(
                arguments.command,
                cwd=folder,
                environment=context.environment,
                timeout=timeout,
                keep_bytes=COMMAND_BYTES,
                on_output=progress,
            )
        except OSError as error:
            raise ToolError(f"The command could not be started: {error.strerror or error}.") from None
        finally:
            if context.checkpoints is not None:
                # Also after a command that was stopped: it may have got somewhere.
                await to_completion(context.checkpoints.after_command)
        return ToolOutput(_told(result, timeout), ok=result.exit_code == 0, summary=_summary(result))


class _Progress:
    """Shows the newest output while the command runs, a few times a second at most."""

    def __init__(self, context: ToolContext) -> None:
        self._show = context.progress
        self._last = 0.0
        self._newest = b""

    def __call__(self, data: bytes) -> None:
        self._newest = (self._newest + data)[-_PROGRESS_BYTES:]
        now = time.monotonic()
        if now - self._last >= _BETWEEN_PROGRESS:
            self._last = now
            self._show(output_text(self._newest))


def _summary(result: CommandResult) -> str:
    state = "timed out" if result.timed_out else f"exit {result.exit_code}"
    return f"{state}, {result.seconds:.1f} s"


def _told(result: CommandResult, timeout: float) -> str:
    lines = []
    if result.timed_out:
        lines.append(
            f"[ended after {timeout:.0f} s: it took too long, and may have had effects. If it waits for input, use a "
            f"non-interactive flag; if it is slow, set timeout_seconds (at most {_LONGEST:.0f}).]"
        )
    else:
        lines.append(f"[exit code {result.exit_code}, {result.seconds:.1f} s]")
    lines.append(result.output.rstrip("\n") if result.output.strip() else "(no output)")
    if result.left_out:
        lines.append(
            partial(
                f"{result.total_bytes:,} bytes of output, {result.left_out:,} left out of the middle; narrow it (grep, "
                "head, tail, --quiet) or send it to a file and read that"
            )
        )
    if result.left:
        numbers = ", ".join(map(str, result.left[:8]))
        lines.append(f"[still running in the background: process {numbers}; end it with kill when it is not needed]")
    return "\n".join(lines)
