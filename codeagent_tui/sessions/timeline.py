"""What happened to files, read from a log: from it follows how each was at any moment since the session began."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.sessions.file_record import FileKind, FileRecord

_LATEST = 20


@dataclass(frozen=True, slots=True)
class FileHistory:
    """What happened to one file since a moment.

    `then` is its state at that moment; `known` are the states that CodeAgent brought about or found afterwards;
    `foreign` says that somebody else changed it in between, before CodeAgent changed it again.
    """

    then: FileRecord
    known: tuple[FileRecord, ...]
    foreign: bool


@dataclass(slots=True)
class Timeline:
    """File events in the order of the log. Files have one past: a rewind of the conversation does not branch it."""

    _events: list[tuple[bool, FileRecord]] = field(default_factory=list)
    _commands: list[tuple[int, str]] = field(default_factory=list)
    _moves: list[tuple[int, str]] = field(default_factory=list)
    _moments: dict[str, int] = field(default_factory=dict)
    _times: dict[str, float] = field(default_factory=dict)
    _turns: dict[str, int] = field(default_factory=dict)
    _turn: int = 0
    unfinished_rewind: str = ""
    """The id of a rewind of files that did not come to its end."""
    last_rewind: str = ""

    def apply(self, record: Mapping[str, object]) -> None:
        """Take the next record of the log."""
        match record.get("type"):
            case "checkpoint" | "written":
                held = FileRecord.from_json(record)
                if held is not None:
                    self._events.append((record["type"] == "checkpoint", held))
            case "command":
                self._commands.append((len(self._events), str(record.get("command", ""))))
                if record.get("moved"):
                    self._moves.append((len(self._events), str(record["moved"])))
            case "message":
                message = record.get("message")
                if isinstance(message, dict) and message.get("role") == "user":
                    self._mark(str(message.get("id")), record)
            case "rewind":
                self.last_rewind = str(record.get("id"))
                self._mark(self.last_rewind, record)
                if record.get("scope") != "conversation":
                    self.unfinished_rewind = self.last_rewind
            case "rewound":
                self.unfinished_rewind = ""
        turn = record.get("turn")
        # Headers are written with the first words after them, and count these already.
        if isinstance(turn, int) and record.get("type") not in ("session", "open"):
            self._turn = turn

    def _mark(self, moment: str, record: Mapping[str, object]) -> None:
        at = record.get("at")
        self._moments[moment] = len(self._events)
        self._turns[moment] = self._turn
        self._times[moment] = float(at) if isinstance(at, (int, float)) else 0.0

    def time_of(self, moment: str) -> float:
        """Return when the message or rewind with that id was recorded, in seconds since the epoch."""
        return self._times.get(moment, 0.0)

    def turns_at(self, moment: str) -> int:
        """Return how many things the user had said before that."""
        return self._turns.get(moment, 0)

    def latest(self) -> list[Path]:
        """Return the files of the last events: what a process was at when it ended."""
        return [record.path for _, record in self._events[-_LATEST:]]

    def tracked(self) -> list[Path]:
        """Return the files that CodeAgent has changed in this session."""
        return list(dict.fromkeys(record.path for _, record in self._events))

    def since(self, moment: str) -> list[FileHistory]:
        """Return what happened to each file since the message or rewind with that id, in the order of first changes."""
        histories: dict[Path, list[tuple[bool, FileRecord]]] = {}
        for before, record in self._events[self._moments.get(moment, len(self._events)) :]:
            histories.setdefault(record.path, []).append((before, record))
        return [_history(events) for events in histories.values()]

    def commands_since(self, moment: str) -> list[str]:
        """Return the commands that were run since then."""
        start = self._moments.get(moment, len(self._events))
        return [command for at, command in self._commands if at >= start and command]

    def moves_since(self, moment: str) -> list[str]:
        """Return how commands moved the repository to other commits since then, in words."""
        start = self._moments.get(moment, len(self._events))
        return [move for at, move in self._moves if at >= start]

    def changed_between(self, moment: str, until: str | None) -> int:
        """Return how many files were changed after `moment` and before `until` (None: the end)."""
        end = self._moments.get(until, len(self._events)) if until else len(self._events)
        events = self._events[self._moments.get(moment, end) : end]
        return len({record.path for _, record in events})


def _unknown(path: Path) -> FileRecord:
    return FileRecord(path, FileKind.OTHER, kept=False, note="the record of how it was is damaged")


def _history(events: list[tuple[bool, FileRecord]]) -> FileHistory:
    foreign = False
    for at, (before, record) in enumerate(events):
        # A write that was noted may have failed, so any earlier state is one that the agent knows of.
        if before and at and not any(record.same_as(earlier) for _, earlier in events[:at]):
            foreign = True
    first = events[0][1] if events[0][0] else _unknown(events[0][1].path)
    return FileHistory(first, tuple(record for _, record in events), foreign)
