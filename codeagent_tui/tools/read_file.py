"""read_file: lines of a text file, numbered, with a way to get the rest."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text import clean_text
from codeagent_tui.tools.binary_kinds import describe_binary
from codeagent_tui.tools.image_header import HEADER_BYTES
from codeagent_tui.tools.line_window import LineWindow, read_window
from codeagent_tui.tools.output import LINE_CHARACTERS, READ_CHARACTERS, READ_LINES, partial
from codeagent_tui.tools.paths import missing, resolve, shown
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput

_LONG_LINES_HINTED = 3
# The control pictures of Unicode (U+2400 on) stand in the order of what they picture.
_PICTURES = {**{code: 0x2400 + code for code in range(32) if code != 9}, 0x7F: 0x2421}


class ReadFileArguments(Arguments):
    """What to read."""

    path: str = Field(description="File, relative to the workspace or absolute")
    offset: int = Field(1, ge=0, description="First line, from 1")
    limit: int = Field(READ_LINES, ge=1, description=f"Lines, at most {READ_LINES}")
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
        try:
            window = await asyncio.to_thread(_read, path, name, arguments)
        except FileNotFoundError:
            raise await asyncio.to_thread(missing, context, path) from None
        except OSError as error:
            raise ToolError(f"{name} cannot be read: {error.strerror}.") from None
        if window is None:
            return await self._binary(path, name)
        if window.text is not None:
            await asyncio.to_thread(context.file_state.saw, path, window.text, window.spans())
        return _rendered(window, arguments, name)

    async def _binary(self, path: Path, name: str) -> ToolOutput:
        def look() -> tuple[str, int]:
            with path.open("rb") as file:
                return describe_binary(file.read(HEADER_BYTES)), path.stat().st_size

        what, size = await asyncio.to_thread(look)
        return ToolOutput(f"{name}: {what}, {size:,} bytes. It is not shown as text.", summary=what)


def _read(path: Path, name: str, arguments: ReadFileArguments) -> LineWindow | None:
    if path.is_dir():
        raise ToolError(f"{name} is a folder; use list_directory.")
    # Reading a pipe or a device would wait for ever, or never end.
    if path.exists() and not path.is_file():
        raise ToolError(f"{name} is no regular file; it cannot be read.")
    paging = arguments.char_offset > 0
    return read_window(
        path,
        offset=max(1, arguments.offset),
        limit=1 if paging else min(arguments.limit, READ_LINES),
        char_offset=arguments.char_offset,
        line_limit=READ_CHARACTERS if paging else LINE_CHARACTERS,
    )


def _rendered(window: LineWindow, arguments: ReadFileArguments, name: str) -> ToolOutput:
    if not window.characters:
        return ToolOutput(f"{name} is empty.", summary="empty")
    if not window.lines:
        raise ToolError(f"{name} has {window.total_lines:,} lines; offset {arguments.offset:,} is beyond its end.")
    first, last = window.lines[0], window.lines[-1]
    if arguments.char_offset > first.length:
        raise ToolError(f"Line {first.number} of {name} has {first.length:,} characters.")
    rendered: list[str] = []
    hints: list[str] = []
    for line in window.lines:
        cut = line.end < line.length
        rest = f"… [line of {line.length:,} characters]" if cut else ""
        rendered.append(f"{line.number}\t{visible(line.text)}{rest}")
        if cut and len(hints) < _LONG_LINES_HINTED:
            hints.append(f"line {line.number} goes on with offset={line.number} char_offset={line.end}")
    if last.number < window.total_lines:
        hints.append(
            f"showed lines {first.number}-{last.number} of {window.total_lines:,}; go on with offset={last.number + 1}"
        )
    if notes := _notes(window):
        rendered.append(f"[{', '.join(notes)}]")
    if hints:
        rendered.append(partial("; ".join(hints)))
    return ToolOutput("\n".join(rendered), summary=f"{len(window.lines):,} of {window.total_lines:,} lines")


def _notes(window: LineWindow) -> list[str]:
    """Return what the lines do not show of how the file is written, where it is not the usual."""
    notes = []
    if window.encoding is not None and (window.encoding.name != "utf-8" or window.encoding.mark):
        notes.append(window.encoding.name + (" with a byte order mark" if window.encoding.mark else ""))
    if any(line.text.endswith("\r") for line in window.lines):
        notes.append("CRLF line endings")
    if window.lines[-1].number == window.total_lines and not window.ends_with_newline:
        notes.append("no newline at the end of the file")
    return notes


def visible(line: str) -> str:
    """Return a line so that it stays one, and shows its control characters (ESC as ␛) but the CR of a CRLF."""
    return clean_text(line.removesuffix("\r").translate(_PICTURES))
