"""Decides what the completion list offers, follows the typing, and takes the choice."""

from __future__ import annotations

from collections.abc import Sequence

from codeagent_tui.tui.editing.completion import (
    Choice,
    CommandHint,
    Kind,
    Trigger,
    command_choices,
    file_choices,
    find_trigger,
    replacement,
)
from codeagent_tui.tui.editing.file_completion import FileCompletion


class Completer:
    """The choices for the word at the cursor; there is something to show while `choices` is not empty."""

    def __init__(self, files: FileCompletion) -> None:
        self.commands: Sequence[CommandHint] = ()
        self.files = files
        self.choices: list[Choice] = []
        self.chosen = 0
        self._trigger: Trigger | None = None
        self._dismissed: tuple[Kind, int] | None = None

    def follow(self, text: str, cursor: int) -> None:
        """Offer what fits the word at the cursor after something was typed or deleted."""
        trigger = find_trigger(text, cursor)
        if trigger is None:
            self._dismissed = None
            self.close()
        elif (trigger.kind, trigger.start) == self._dismissed:
            self.close()
        else:
            self._trigger, self._dismissed = trigger, None
            if trigger.kind is Kind.FILE:
                self.files.ask(trigger.query)
            self.offer()

    def offer(self) -> None:
        """Choose again from what is known; for when file names arrive."""
        trigger = self._trigger
        if trigger is None:
            return
        if trigger.kind is Kind.COMMAND:
            self.choices = command_choices(trigger.query, self.commands)
        else:
            self.choices = file_choices(trigger.query, self.files.names)
        self.chosen = 0

    def keep(self, cursor: int) -> None:
        """Close when the cursor has left the word."""
        if self._trigger is not None and cursor != self._trigger.end:
            self.close()

    def step(self, by: int) -> None:
        """Choose the next or the one before, round the ends."""
        self.chosen = (self.chosen + by) % len(self.choices)

    def is_complete(self, text: str) -> bool:
        """Whether what is typed already is what is chosen."""
        trigger = self._trigger
        if trigger is None:
            return True
        return text[trigger.start : trigger.end] == self.choices[self.chosen].insert.rstrip()

    def take(self, text: str) -> tuple[int, int, str]:
        """Return start, end and text of the edit that takes the choice, and close."""
        assert self._trigger is not None
        edit = replacement(text, self._trigger, self.choices[self.chosen])
        self.close()
        return edit

    def argument_hint(self, text: str) -> str:
        """Return what comes after a slash command that is typed out and has no argument yet; "" otherwise."""
        for hint in self.commands:
            if hint.argument_hint and text == f"/{hint.name.removeprefix('/')} ":
                return hint.argument_hint
        return ""

    def dismiss(self) -> None:
        """Close, and stay closed while the same word is typed on."""
        if self._trigger is not None:
            self._dismissed = (self._trigger.kind, self._trigger.start)
        self.close()

    def restart(self) -> None:
        """Close, and forget what was dismissed: the draft is another one."""
        self._dismissed = None
        self.close()

    def close(self) -> None:
        """Offer nothing."""
        self._trigger = None
        self.choices = []
        self.chosen = 0
        self.files.stop()
