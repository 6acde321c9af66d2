"""What a ledger holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that was changed: how the last time, and how often."""

    path: str
    how: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command that was run: how it ended the last time (`exit 0`, `did not finish`), and how often it was run."""

    command: str
    outcome: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What the user decided when asked: `how` is `refused` or what was allowed; `reason` the user's own words."""

    title: str
    how: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A line of the to-do list; `status` is `pending`, `in_progress` or `done`."""

    text: str
    status: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything in the order in which it happened last. `left_out` counts what had to go for want of room."""

    requests: tuple[str, ...] = ()
    files: tuple[FileChange, ...] = ()
    commands: tuple[CommandRun, ...] = ()
    answers: tuple[Answer, ...] = ()
    items: tuple[WorkItem, ...] = ()
    left_out: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return not (self.requests or self.files or self.commands or self.answers or self.items)

    @property
    def open_items(self) -> tuple[WorkItem, ...]:
        """The items that are still to do."""
        return tuple(item for item in self.items if item.status != "done")
