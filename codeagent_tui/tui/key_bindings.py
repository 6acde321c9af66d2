"""The app's key bindings, made from the table of commands."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from codeagent_tui.tui.commands import COMMANDS, Command, key_name


def app_bindings() -> list[BindingType]:
    """Return a binding for each key of the table.

    They have priority over the focused widget: the composer would take most of them as editing keys. What must not
    act in a state (a dialog is open, a draft needs the key) raises `SkipAction` there, and the key goes on.
    """
    return [
        Binding(
            key,
            action_of(command),
            command.summary,
            show=False,
            key_display=key_name(key),
            priority=True,
            id=f"{command.id}.{key}",
        )
        for command in COMMANDS
        for key in command.keys
    ]


def action_of(command: Command) -> str:
    """Return the Textual action that does `command`."""
    return command.action or f"perform('{command.id}')"
