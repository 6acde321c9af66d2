"""The help, made from the table of commands: one group after the other, keys and slash words in two columns."""

from __future__ import annotations

from collections.abc import Iterator

from codeagent_tui.text import cell_width
from codeagent_tui.tui.commands import COMMANDS, Command, Group, key_name
from codeagent_tui.tui.editing.keymap import HELP as EDITING_KEYS
from codeagent_tui.tui.pieces import Piece

_INTRO = (
    "Type what you want done and press enter. A message sent while the agent works waits for its turn.",
    "@ completes a file's path, / a command; a line that begins with ! runs in your shell,",
    "one that begins with # is added to CODEAGENT.md (## or \\# sends a heading as a message).",
)


def help_lines(width: int) -> list[Piece]:
    """Return the help as lines for `width` columns; the role `title` marks the groups."""
    keys = max(cell_width(_keys(command)) for command in COMMANDS)
    words = max(cell_width(command.usage) for command in COMMANDS)
    lines: list[Piece] = [(line, "text") for line in _INTRO]
    for group in Group:
        lines += [("", "text"), (group.value, "title")]
        for command in COMMANDS:
            if command.group is group:
                lines += _entry(command, keys, words, width)
    return [*lines, ("", "text"), ("While you type", "title"), *_editing(width)]


def _editing(width: int) -> Iterator[Piece]:
    """Yield what the composer's own keys do."""
    keys = max(cell_width(names) for names, _ in EDITING_KEYS)
    for names, does in EDITING_KEYS:
        line = f"  {_padded(names, keys)}  {does}"
        if cell_width(line) <= width:
            yield line, "text"
        else:
            yield f"  {names}", "key"
            yield f"    {does}", "text"


def _keys(command: Command) -> str:
    return " ".join(key_name(key) for key in command.keys)


def _entry(command: Command, keys: int, words: int, width: int) -> Iterator[Piece]:
    left = f"  {_padded(_keys(command), keys)}  {_padded(command.usage, words)}  "
    if cell_width(left) + cell_width(command.summary) <= width:
        yield left + command.summary, "text"
    else:
        yield f"  {' · '.join(filter(None, (_keys(command), command.usage)))}", "key"
        yield f"    {command.summary}", "text"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_width(text))
