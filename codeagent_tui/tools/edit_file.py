"""edit_file: an exact piece of a file replaced by another."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text import replace_surrogates
from codeagent_tui.tools.diffs import count_changes, unified_diff
from codeagent_tui.tools.file_state import digest_of
from codeagent_tui.tools.paths import missing, resolve, shown
from codeagent_tui.tools.replacement import replace_exact
from codeagent_tui.tools.text_file import UTF8, TextFile, load, replace_content
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput


class EditFileArguments(Arguments):
    """What to replace by what."""

    path: str = Field(description="File, relative to the workspace or absolute")
    old_text: str = Field(description="The exact text to replace, unique in the file; empty only for a new file")
    new_text: str = Field(description="What to put in its place, literally")
    replace_all: bool = Field(False, description="Replace every occurrence")


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit worked out but not done."""

    old: TextFile | None
    text: str


class EditFile(Tool[EditFileArguments]):
    """Replaces text in a file."""

    name: ClassVar[str] = "edit_file"
    description: ClassVar[str] = (
        "Replace an exact piece of text in a file that you have read. old_text must be in it exactly once (or set "
        "replace_all): copy it without the line numbers, with its indentation and enough lines around it."
    )
    kind: ClassVar[ToolKind] = ToolKind.WRITE
    arguments: ClassVar[type[Arguments]] = EditFileArguments

    def title(self, arguments: EditFileArguments) -> str:
        """Return one line for people."""
        return f"edit_file {arguments.path}"

    async def access(self, arguments: EditFileArguments, context: ToolContext) -> Access:
        """Say which file it changes, with the diff."""
        path = resolve(context, arguments.path)
        edit = await asyncio.to_thread(_plan, path, arguments, context)
        diff = await asyncio.to_thread(
            unified_diff, shown(context, path), edit.old.text if edit.old else None, edit.text
        )
        return Access(self.kind, self.title(arguments), paths=(path,), body=diff, body_kind="diff")

    async def run(self, arguments: EditFileArguments, context: ToolContext) -> ToolOutput:
        """Change the file."""
        path = resolve(context, arguments.path)
        async with context.file_state.lock(path):
            return await asyncio.to_thread(_apply, path, arguments, context)


def _plan(path: Path, arguments: EditFileArguments, context: ToolContext) -> _Edit:
    name = shown(context, path)
    if path.is_dir():
        raise ToolError(f"{name} is a folder.")
    old_text, new_text = replace_surrogates(arguments.old_text), replace_surrogates(arguments.new_text)
    if not path.exists():
        if old_text:
            raise missing(context, path)
        return _Edit(None, new_text)
    old = load(path, name)
    if not old_text:
        raise ToolError(f"{name} exists; an empty old_text only makes a new file. Give the text to replace.")
    context.file_state.check(path, old.digest, name, whole=False)
    return _Edit(old, replace_exact(old.text, old_text, new_text, every=arguments.replace_all, shown=name))


def _apply(path: Path, arguments: EditFileArguments, context: ToolContext) -> ToolOutput:
    name = shown(context, path)
    edit = _plan(path, arguments, context)
    data = (edit.old.encoding if edit.old else UTF8).encode(edit.text)
    replace_content(path, data, expected=edit.old.digest if edit.old else None, shown=name)
    if edit.old is None:
        context.file_state.saw(path, digest_of(data), whole=True)
    else:
        context.file_state.changed(path, digest_of(data))
    diff = unified_diff(name, edit.old.text if edit.old else None, edit.text)
    return ToolOutput(f"{name} was changed ({count_changes(diff)}).\n{diff}", summary=count_changes(diff), diff=diff)
