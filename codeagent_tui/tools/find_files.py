"""find_files: files whose path matches a pattern."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.tools.glob_pattern import compile_glob
from codeagent_tui.tools.ignore_rules import Walked, walk
from codeagent_tui.tools.output import FOUND_FILES, partial
from codeagent_tui.tools.paths import missing, resolve, shown
from codeagent_tui.tools.threads import stoppable
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput

_SECONDS = 10.0


class FindFilesArguments(Arguments):
    """Which files."""

    pattern: str = Field(description="Glob: `*.py` (anywhere), `src/**/test_*.{ts,tsx}`")
    path: str = Field(".", description="Folder to look in")
    include_ignored: bool = Field(False, description="Also what .gitignore leaves out")


class FindFiles(Tool[FindFilesArguments]):
    """Finds files by name."""

    name: ClassVar[str] = "find_files"
    description: ClassVar[str] = (
        "Find files by a glob pattern. Paths come relative to the workspace; ignored files are left out."
    )
    kind: ClassVar[ToolKind] = ToolKind.READ
    arguments: ClassVar[type[Arguments]] = FindFilesArguments

    def title(self, arguments: FindFilesArguments) -> str:
        """Return one line for people."""
        return f"find_files {arguments.pattern}" + (f" in {arguments.path}" if arguments.path != "." else "")

    async def access(self, arguments: FindFilesArguments, context: ToolContext) -> Access:
        """Say which folder it reads."""
        path = resolve(context, arguments.path)
        return Access(self.kind, self.title(arguments), paths=(path,), body=str(path))

    async def run(self, arguments: FindFilesArguments, context: ToolContext) -> ToolOutput:
        """Look."""
        path = resolve(context, arguments.path)
        if not path.exists():
            raise await asyncio.to_thread(missing, context, path)
        if not path.is_dir():
            raise ToolError(f"{shown(context, path)} is a file; give a folder.")
        if not arguments.pattern.strip():
            raise ToolError("The pattern is empty.")
        return await stoppable(lambda go_on: _found(path, arguments, context, go_on))


def _found(path: Path, arguments: FindFilesArguments, context: ToolContext, go_on: Callable[[], bool]) -> ToolOutput:
    matches = compile_glob(_below(arguments.pattern.strip(), path))
    deadline = time.monotonic() + _SECONDS
    walked = Walked()
    entries = walk(
        path,
        root=context.workspace.root,
        include_ignored=arguments.include_ignored,
        keep_going=lambda: go_on() and time.monotonic() < deadline,
        walked=walked,
    )
    hits = sorted(entry.relative for entry in entries if not entry.is_dir and matches(entry.relative))
    lines = [shown(context, path / hit) for hit in hits[:FOUND_FILES]]
    if not hits:
        lines.append(f"No file matches {arguments.pattern!r} in {shown(context, path)}.")
        if walked.ignored:
            lines.append(f"({walked.ignored} ignored entries were not looked at; include_ignored=true looks there too)")
    showed = f"showed {min(len(hits), FOUND_FILES):,} of {len(hits):,}"
    if walked.stopped:
        lines.append(partial(f"{showed} found in {_SECONDS:.0f} s, then stopped; look in a smaller folder"))
    elif len(hits) > FOUND_FILES:
        lines.append(partial(f"{showed}; narrow the pattern or the folder"))
    return ToolOutput("\n".join(lines), summary=f"{len(hits):,} file{'' if len(hits) == 1 else 's'}")


def _below(pattern: str, path: Path) -> str:
    """Return `pattern` as seen from `path`, in case it was written as a whole path."""
    return pattern.removeprefix(f"{path}/") if pattern.startswith("/") else pattern
