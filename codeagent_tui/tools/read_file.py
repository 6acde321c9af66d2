"""read_file: lines of a text file, numbered, with a way to get the rest."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text import clean_text
from codeagent_tui.tools.image_header import HEADER_BYTES, describe_image
from codeagent_tui.tools.line_window import LineWindow, read_window
from codeagent_tui.tools.output import LINE_CHARACTERS, READ_CHARACTERS, READ_LINES, partial
from codeagent_tui.tools.paths import missing, resolve, shown
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput


class ReadFileArguments(Arguments):
    """What to read."""

    path: str = Field(description="File, relative to the workspace or absolute")
    offset: int = Field(1, ge=1, description="First line, from 1")
    limit: int = Field(READ_LINES, ge=1, le=READ_LINES, description="Lines at most")
    char_offset: int = Field(0, ge=0, description="For a very long line at `offset`: its first character to show")


class ReadFile(Tool[ReadFileArguments]):
    """Reads a window of lines."""

    name: ClassVar[str] = "read_file"
    description: ClassVar[str] = (
        "Read a text file. Lines come as `number<tab>text`. Long files and lines come in parts; the mark at the end "
        "says how to go on. Images and binary files are named, not shown."
    )
    kind: ClassVar[ToolKind] = ToolKind.READ
    arguments: ClassVar[type[Arguments]] = ReadFileArguments

    def title(self, arguments: ReadFileArguments) -> str:
        """Return one line for people."""
        start = f" from line {arguments.offset}" if arguments.offset > 1 else ""
        return f"read_file {arguments.path}{start}"

    async def access(self, arguments: ReadFileArguments, context: ToolContext) -> Access:
        """Say which file it touches."""
        path = resolve(context, arguments.path)
        return Access(self.kind, self.title(arguments), paths=(path,), body=str(path))

    async def run(self, arguments: ReadFileArguments, context: ToolContext) -> ToolOutput:
        """Read."""
        path = resolve(context, arguments.path)
        name = shown(context, path)
        paging = arguments.char_offset > 0
        try:
            if path.is_dir():
                raise ToolError(f"{name} is a folder; use list_directory.")
            if path.exists() and not path.is_file():
                raise ToolError(f"{name} is no regular file; it cannot be read.")
            window = await asyncio.to_thread(
                read_window,
                path,
                offset=arguments.offset,
                limit=1 if paging else arguments.limit,
                char_offset=arguments.char_offset,
                line_limit=READ_CHARACTERS if paging else LINE_CHARACTERS,
            )
        except FileNotFoundError:
            raise missing(context, path) from None
        except OSError as error:
            raise ToolError(f"{name} cannot be read: {error.strerror}.") from None
        if window is None:
            return await self._binary(path, name)
        context.file_state.saw(path, window.digest, whole=window.whole)
        return self._rendered(window, arguments, name)

    async def _binary(self, path: Path, name: str) -> ToolOutput:
        def look() -> tuple[str, int]:
            with path.open("rb") as file:
                return describe_image(file.read(HEADER_BYTES)), path.stat().st_size

        image, size = await asyncio.to_thread(look)
        what = image or "binary file"
        return ToolOutput(f"{name}: {what}, {size:,} bytes. It is not shown as text.", summary=what)

    def _rendered(self, window: LineWindow, arguments: ReadFileArguments, name: str) -> ToolOutput:
        if not window.size:
            return ToolOutput(f"{name} is empty.", summary="empty")
        if arguments.offset > window.total_lines:
            raise ToolError(f"{name} has {window.total_lines:,} lines; offset {arguments.offset:,} is beyond its end.")
        rendered: list[str] = []
        hints: list[str] = []
        for number, text, length in window.lines:
            end = arguments.char_offset + len(text)
            rest = f"… [line of {length:,} characters]" if end < length else ""
            rendered.append(f"{number}\t{_visible(text)}{rest}")
            if rest and len(hints) < 3:
                hints.append(f"line {number} goes on with offset={number} char_offset={end}")
        if arguments.char_offset and window.lines and arguments.char_offset >= window.lines[0][2]:
            raise ToolError(f"Line {arguments.offset} of {name} has {window.lines[0][2]:,} characters.")
        last = window.lines[-1][0]
        if last < window.total_lines:
            hints.append(
                f"showed lines {window.lines[0][0]}-{last} of {window.total_lines:,}; go on with offset={last + 1}"
            )
        if hints:
            rendered.append(partial("; ".join(hints)))
        return ToolOutput("\n".join(rendered), summary=f"{len(window.lines):,} of {window.total_lines:,} lines")


def _visible(text: str) -> str:
    """Return a line so that it stays one: a lone carriage return is shown, the one of a CRLF is not."""
    return clean_text(text.removesuffix("\r").replace("\r", "\\r"))
