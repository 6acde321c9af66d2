"""The table of commands as Markdown, for the README: a test there compares, so that it cannot go stale."""

from __future__ import annotations

from codeagent_tui.tui.commands import COMMANDS

_KEYS = {"escape": "esc", "pageup": "page up", "pagedown": "page down"}


def keys_table() -> str:
    """Return the keys with what they do."""
    rows = [
        (" or ".join(f"`{_KEYS.get(key, key)}`" for key in command.keys), command.summary)
        for command in COMMANDS
        if command.keys
    ]
    return _table(("key", "what it does"), rows)


def commands_table() -> str:
    """Return what can be typed with what it does."""
    rows = [(f"`{command.usage}`", command.summary) for command in COMMANDS if command.usage]
    return _table(("command", "what it does"), rows)


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    lines = [head, ("---", "---"), *rows]
    return "\n".join(f"| {left} | {right} |" for left, right in lines) + "\n"
