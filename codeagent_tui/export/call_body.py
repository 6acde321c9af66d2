"""What a tool call wanted, as people read it: the lines of an edit, a command, the text of a new file."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from codeagent_tui.conversation.call_title import arguments_of
from codeagent_tui.conversation.messages import ToolCall

_MOST_COMPARED = 1_500
"""Lines of both sides together; difflib takes quadratic time, beyond it one side is shown after the other."""


class BodyKind(StrEnum):
    """How the text is to be shown."""

    NONE = "none"
    DIFF = "diff"
    """Lines that begin with `+`, `-` or a blank."""
    CODE = "code"
    """Text in `language`."""


@dataclass(frozen=True, slots=True)
class CallBody:
    """The text that belongs to a call beside its title."""

    kind: BodyKind = BodyKind.NONE
    text: str = ""
    language: str = ""


def body_of(call: ToolCall) -> CallBody:
    """Return what belongs below the title of `call`; nothing where the title says it all."""
    arguments = arguments_of(call)
    old, new = arguments.get("old_text"), arguments.get("new_text")
    if isinstance(old, str) and isinstance(new, str):
        return CallBody(BodyKind.DIFF, line_diff(old, new))
    content, command, path = (arguments.get(name) for name in ("content", "command", "path"))
    if isinstance(content, str):
        ending = PurePosixPath(str(path or "")).suffix.lstrip(".")
        return CallBody(BodyKind.CODE, content, ending if ending.isalnum() and ending.isascii() else "")
    if isinstance(command, str):
        return CallBody(BodyKind.CODE, command, "sh") if "\n" in command or len(arguments) > 1 else CallBody()
    if len(arguments) <= 1 and all(isinstance(value, str) and len(value) < 100 for value in arguments.values()):
        return CallBody()
    text = json.dumps(arguments, ensure_ascii=False, indent=2) if arguments else call.arguments
    return CallBody(BodyKind.CODE, text, "json")


def line_diff(old: str, new: str) -> str:
    """Return the lines that differ between two pieces of text with three around them, each behind its sign."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > _MOST_COMPARED:
        return "\n".join((*(f"-{line}" for line in before), *(f"+{line}" for line in after)))
    # The first lines name files and a place, which a piece of a file does not know.
    compared = list(difflib.unified_diff(before, after, lineterm="", n=3))[3:]
    return "\n".join("⋯" if line.startswith("@@") else line for line in compared)
