"""find_files: files whose path matches a pattern."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from pathspec import GitIgnoreSpec
from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.tools.ignore_rules import Walked, walk
from codeagent_tui.tools.output import FOUND_FILES, partial
from codeagent_tui.tools.paths import missing, resolve, show_name, shown
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput

_SECONDS = 10.0


class FindFilesArguments(Arguments):
    """Which files."""

    pattern: str = Field(description="Glob such as `*.py`, `src/**/test_*.ts`; without / it matches names anywhere")
    path: str = Field(".", description="Folder to look in")
    include_ignored: bool = Field(False, description="Also what .gitignore leaves out")


class FindFiles(Tool[FindFilesArguments]):
    """Finds files by name."""

    name: ClassVar[str] = "find_files"
    description: ClassVar[str] = "Find files by a glob pattern on their path. Ignored files are left out."
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
            raise missing(context, path)
        if not path.is_dir():
            raise ToolError(f"{shown(context, path)} is a file; give a folder.")
        if not arguments.pattern.strip():
            raise ToolError("The pattern is empty.")
        return await asyncio.to_thread(_found, path, arguments, context.workspace.root)


def _found(path: Path, arguments: FindFilesArguments, root: Path) -> ToolOutput:
    matches = compile_glob(arguments.pattern)
    deadline = time.monotonic() + _SECONDS
    walked = Walked()
    hits = [
        entry.relative
        for entry in walk(
            path,
            root=root,
            include_ignored=arguments.include_ignored,
            keep_going=lambda: time.monotonic() < deadline,
            walked=walked,
        )
        if not entry.is_dir and matches(entry.relative)
    ]
    hits.sort()
    lines = [show_name(hit) for hit in hits[:FOUND_FILES]]
    if not hits:
        lines.append(f"No file matches {arguments.pattern!r}.")
    if walked.ignored and not hits:
        lines.append(f"({walked.ignored} ignored entries were not looked at; include_ignored=true looks there too)")
    if walked.stopped:
        lines.append(partial(f"stopped after {_SECONDS:.0f} s; look in a smaller folder"))
    elif len(hits) > FOUND_FILES:
        lines.append(partial(f"showed {FOUND_FILES} of {len(hits):,}; narrow the pattern or the folder"))
    return ToolOutput("\n".join(lines), summary=f"{len(hits):,} files")


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """Return a test for paths (with `/`, relative to the folder looked in); patterns are those of .gitignore."""
    pattern = pattern.strip().removeprefix("./")
    # A leading `!` or `#` would mean something else in an ignore file.
    spec = GitIgnoreSpec.from_lines([f"\\{pattern}" if pattern[:1] in "!#" else pattern])
    return lambda relative: bool(spec.match_file(relative))
