"""write_file: a whole file, new or replaced."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text import replace_surrogates
from codeagent_tui.tools.diffs import count_changes, unified_diff
from codeagent_tui.tools.file_state import digest_of
from codeagent_tui.tools.paths import resolve, shown
from codeagent_tui.tools.text_file import UTF8, TextFile, load, replace_content
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
        path = resolve(context, arguments.path)
        old = await asyncio.to_thread(_existing, path, shown(context, path), context)
        diff = await asyncio.to_thread(
            unified_diff, shown(context, path), old.text if old else None, _content(arguments, old)
        )
        return Access(self.kind, self.title(arguments), paths=(path,), body=diff, body_kind="diff")

    async def run(self, arguments: WriteFileArguments, context: ToolContext) -> ToolOutput:
        """Write."""
        path = resolve(context, arguments.path)
        async with context.file_state.lock(path):
            return await asyncio.to_thread(self._write, path, arguments, context)

    def _write(self, path: Path, arguments: WriteFileArguments, context: ToolContext) -> ToolOutput:
        name = shown(context, path)
        old = _existing(path, name, context)
        content = _content(arguments, old)
        if old is not None and old.text == content:
            return ToolOutput(f"{name} already has exactly this content; nothing was written.", summary="unchanged")
        data = (old.encoding if old else UTF8).encode(content)
        replace_content(path, data, expected=old.digest if old else None, shown=name)
        context.file_state.saw(path, digest_of(data), whole=True)
        diff = unified_diff(name, old.text if old else None, content)
        verb = "replaced" if old else "created"
        return ToolOutput(
            f"{name} was {verb} ({len(data):,} bytes).", summary=f"{verb}, {count_changes(diff)}", diff=diff
        )


def _existing(path: Path, name: str, context: ToolContext) -> TextFile | None:
    """Return the file that is there, when it may be replaced; None when there is none."""
    if path.is_dir():
        raise ToolError(f"{name} is a folder; a file cannot be written in its place.")
    if not path.exists():
        return None
    old = load(path, name)
    if old.text:
        context.file_state.check(path, old.digest, name, whole=True)
    return old


def _content(arguments: WriteFileArguments, old: TextFile | None) -> str:
    """Return the content with the line ends that the file had, when those were all CRLF."""
    content = replace_surrogates(arguments.content)
    if old and "\r\n" in old.text and "\n" not in old.text.replace("\r\n", ""):
        return content.replace("\r\n", "\n").replace("\n", "\r\n")
    return content
