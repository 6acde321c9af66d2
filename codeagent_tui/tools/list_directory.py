"""list_directory: what is in a folder, some levels deep."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.tools.ignore_rules import Entry, Walked, walk
from codeagent_tui.tools.output import LISTED_ENTRIES, partial
from codeagent_tui.tools.paths import missing, resolve, show_name, shown
from codeagent_tui.tools.threads import stoppable
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput

_MOST_COUNTED = 20_000


class ListDirectoryArguments(Arguments):
    """Which folder."""

    path: str = Field(".", description="Folder, relative to the workspace or absolute")
    depth: int = Field(1, ge=1, le=5, description="Levels to show")
    include_ignored: bool = Field(False, description="Also what .gitignore leaves out")


class ListDirectory(Tool[ListDirectoryArguments]):
    """Lists a folder."""

    name: ClassVar[str] = "list_directory"
    description: ClassVar[str] = (
        "List a folder; folders end in /, links show their target. What .gitignore leaves out is not listed."
    )
    kind: ClassVar[ToolKind] = ToolKind.READ
    arguments: ClassVar[type[Arguments]] = ListDirectoryArguments

    def title(self, arguments: ListDirectoryArguments) -> str:
        """Return one line for people."""
        return f"list_directory {arguments.path}"

    async def access(self, arguments: ListDirectoryArguments, context: ToolContext) -> Access:
        """Say which folder it reads."""
        path = resolve(context, arguments.path)
        return Access(self.kind, self.title(arguments), paths=(path,), body=str(path))

    async def run(self, arguments: ListDirectoryArguments, context: ToolContext) -> ToolOutput:
        """List."""
        path = resolve(context, arguments.path)
        if not path.exists():
            raise await asyncio.to_thread(missing, context, path)
        if not path.is_dir():
            raise ToolError(f"{shown(context, path)} is a file; use read_file.")
        return await stoppable(lambda go_on: _listed(path, arguments, context, go_on))


def _listed(
    path: Path, arguments: ListDirectoryArguments, context: ToolContext, go_on: Callable[[], bool]
) -> ToolOutput:
    walked = Walked()
    found = walk(
        path,
        root=context.workspace.root,
        include_ignored=arguments.include_ignored,
        depth=arguments.depth,
        keep_going=go_on,
        walked=walked,
    )
    entries = sorted(islice(found, _MOST_COUNTED), key=lambda entry: entry.relative.split("/"))
    if not entries and walked.unreadable:
        raise ToolError(f"{shown(context, path)} cannot be read.")
    lines = [_line(entry) for entry in entries[:LISTED_ENTRIES]] or ["(empty)"]
    if walked.unreadable:
        lines.append(f"({walked.unreadable} folders could not be read)")
    if walked.ignored:
        names = ", ".join(map(show_name, walked.first_ignored))
        more = ", …" if walked.ignored > len(walked.first_ignored) else ""
        lines.append(f"({walked.ignored} ignored: {names}{more}; include_ignored=true lists them)")
    if len(entries) > LISTED_ENTRIES:
        more = "more than " if len(entries) == _MOST_COUNTED else ""
        lines.append(
            partial(
                f"showed {LISTED_ENTRIES} of {more}{len(entries):,} entries; list a folder in it, or use find_files"
            )
        )
    return ToolOutput("\n".join(lines), summary=f"{len(entries):,} entr{'y' if len(entries) == 1 else 'ies'}")


def _line(entry: Entry) -> str:
    name = show_name(entry.relative.rsplit("/", 1)[-1])
    mark = "/" if entry.is_dir else f" -> {_target(entry.path)}" if Path(entry.path).is_symlink() else ""
    return "  " * (entry.depth - 1) + name + mark


def _target(path: str) -> str:
    try:
        return show_name(os.fspath(Path(path).readlink()))
    except OSError:
        return "?"
