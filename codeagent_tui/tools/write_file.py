"""write_file: a whole file, new or replaced."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text_encoding import UTF8
from codeagent_tui.tools.atomic_replace import replace_content
from codeagent_tui.tools.diffs import unified_diff
from codeagent_tui.tools.paths import resolve, shown
from codeagent_tui.tools.text_file import TextFile, encode, load
from codeagent_tui.tools.threads import to_completion
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput


class WriteFileArguments(Arguments):
    """What to write."""

    path: str = Field(description="File, relative to the workspace or absolute")
    content: str = Field(description="The whole new content")


class WriteFile(Tool[WriteFileArguments]):
    """Writes a whole file."""

    name: ClassVar[str] = "write_file"
    description: ClassVar[str] = (
        "Write a whole file; missing folders are made. To replace a file that exists, read it whole first. "
        "For a change inside a file use edit_file."
    )
    kind: ClassVar[ToolKind] = ToolKind.WRITE
    arguments: ClassVar[type[Arguments]] = WriteFileArguments

    def title(self, arguments: WriteFileArguments) -> str:
        """Return one line for people."""
        return f"write_file {arguments.path}"

    async def access(self, arguments: WriteFileArguments, context: ToolContext) -> Access:
        """Say which file it writes, with the diff."""
        path, name, old = await asyncio.to_thread(_look, arguments, context)
        diff = await asyncio.to_thread(unified_diff, name, old.text if old else None, _content(arguments, old))
        return Access(self.kind, self.title(arguments), paths=(path,), body=diff.text, body_kind="diff")

    async def run(self, arguments: WriteFileArguments, context: ToolContext) -> ToolOutput:
        """Write."""
        async with context.file_state.lock(resolve(context, arguments.path)):
            return await to_completion(_write, arguments, context)


def _look(arguments: WriteFileArguments, context: ToolContext) -> tuple[Path, str, TextFile | None]:
    """Return the real path, its name, and the file that is there, if there is one that may be replaced."""
    path = resolve(context, arguments.path)
    name = shown(context, path)
    if path.is_dir():
        raise ToolError(f"{name} is a folder; a file cannot be written in its place.")
    if not path.exists():
        return path, name, None
    old = load(path, name)
    if old.text:
        context.file_state.check_whole(path, old.text, name)
    return path, name, old


def _write(arguments: WriteFileArguments, context: ToolContext) -> ToolOutput:
    path, name, old = _look(arguments, context)
    content = _content(arguments, old)
    if old is not None and old.text == content:
        return ToolOutput(f"{name} already has exactly this content; nothing was written.", summary="unchanged")
    data = encode(content, old.encoding if old else UTF8)
    replace_content(path, data, expected=old.digest if old else None, shown=name, checkpoints=context.checkpoints)
    context.file_state.saw_all(path, content)
    diff = unified_diff(name, old.text if old else None, content)
    verb = "replaced" if old else "created"
    return ToolOutput(f"{name} was {verb} ({len(data):,} bytes).", summary=f"{verb}, {diff.counts}", diff=diff.text)


def _content(arguments: WriteFileArguments, old: TextFile | None) -> str:
    """Return the content as the file is to hold it: with the line endings that it had, when those were all CRLF, and
    without a byte order mark, which belongs to the encoding."""
    content = arguments.content.removeprefix("\ufeff")
    if old and "\r\n" in old.text and "\n" not in old.text.replace("\r\n", ""):
        return content.replace("\r\n", "\n").replace("\n", "\r\n")
    return content
