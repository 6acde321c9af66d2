"""edit_file: an exact piece of a file replaced by another."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.text_encoding import UTF8
from codeagent_tui.tools.atomic_replace import replace_content
from codeagent_tui.tools.diffs import Diff, unified_diff
from codeagent_tui.tools.paths import missing, resolve, shown
from codeagent_tui.tools.replacement import Replacement, replace_exact
from codeagent_tui.tools.text_file import TextFile, encode, load
from codeagent_tui.tools.threads import to_completion
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolError, ToolOutput


class EditFileArguments(Arguments):
    """What to replace by what."""

    path: str = Field(description="File, relative to the workspace or absolute")
    old_text: str = Field(description="The exact text to replace, unique in the file; empty only for a new file")
    new_text: str = Field(description="What to put in its place, literally")
    replace_all: bool = Field(False, description="Replace every occurrence")


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit worked out but not done; `old` is None when it makes a new file."""

    path: Path
    name: str
    old: TextFile | None
    replacement: Replacement

    @property
    def diff(self) -> Diff:
        return unified_diff(self.name, self.old.text if self.old else None, self.replacement.text)


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
        edit = await asyncio.to_thread(_plan, arguments, context)
        diff = await asyncio.to_thread(lambda: edit.diff)
        return Access(self.kind, self.title(arguments), paths=(edit.path,), body=diff.text, body_kind="diff")

    async def run(self, arguments: EditFileArguments, context: ToolContext) -> ToolOutput:
        """Change the file."""
        async with context.file_state.lock(resolve(context, arguments.path)):
            return await to_completion(_apply, arguments, context)


def _plan(arguments: EditFileArguments, context: ToolContext) -> _Edit:
    path = resolve(context, arguments.path)
    name = shown(context, path)
    if path.is_dir():
        raise ToolError(f"{name} is a folder.")
    old_text, new_text = arguments.old_text, arguments.new_text
    if not path.exists():
        if old_text:
            raise missing(context, path)
        return _Edit(path, name, None, Replacement(new_text.removeprefix("\ufeff"), ()))
    old = load(path, name)
    if not old_text:
        raise ToolError(f"{name} exists; an empty old_text only makes a new file. Give the text to replace.")
    context.file_state.check_known(path, old.text, name)
    replacement = replace_exact(old.text, old_text, new_text, every=arguments.replace_all, shown=name)
    context.file_state.check_places(path, old.text, [before for before, _ in replacement.places], name)
    return _Edit(path, name, old, replacement)


def _apply(arguments: EditFileArguments, context: ToolContext) -> ToolOutput:
    edit = _plan(arguments, context)
    text = edit.replacement.text
    data = encode(text, edit.old.encoding if edit.old else UTF8)
    replace_content(
        edit.path,
        data,
        expected=edit.old.digest if edit.old else None,
        shown=edit.name,
        checkpoints=context.checkpoints,
    )
    diff = edit.diff
    if edit.old is None:
        context.file_state.saw_all(edit.path, text)
        return ToolOutput(f"{edit.name} was created ({len(data):,} bytes).", summary=diff.counts, diff=diff.text)
    context.file_state.changed(edit.path, edit.old.text, text, edit.replacement.places)
    told = f"{edit.name} was changed in {_where(edit.replacement)} ({diff.counts})."
    return ToolOutput(told, summary=diff.counts, diff=diff.text)


def _where(replacement: Replacement) -> str:
    if len(replacement.places) > 1:
        return f"{len(replacement.places):,} places"
    start, end = replacement.places[0][1]
    first, last = (replacement.text.count("\n", 0, at) + 1 for at in (start, max(start, end - 1)))
    return f"line {first}" if first == last else f"lines {first}-{last}"
