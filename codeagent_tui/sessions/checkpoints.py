"""Checkpoints: how each file was before the agent first changed it in a turn, noted in the log before it happens."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from pathlib import Path

from codeagent_tui.sessions.command_changes import CommandWatch
from codeagent_tui.sessions.contents import LARGEST_SUM, Contents
from codeagent_tui.sessions.file_record import LARGEST_KEPT, FileKind, FileRecord, capture, look
from codeagent_tui.sessions.log import SessionLog

_log = logging.getLogger(__name__)


class Checkpoints:
    """Notes the files of one session as they are about to be changed. Its methods block; call them in a thread.

    The content of a file up to `largest` bytes is kept, `largest_sum` bytes for the session; beyond that only the
    digest is, and the record says that the content is not.
    """

    def __init__(
        self, log: SessionLog, root: Path, *, largest: int = LARGEST_KEPT, largest_sum: int = LARGEST_SUM
    ) -> None:
        """`root` is the workspace; commands are watched in it."""
        self._log = log
        self._largest = largest
        self._contents = Contents(log.files_folder, largest_sum=largest_sum)
        self._commands = CommandWatch(root, self._contents)
        self._seen: dict[Path, list[FileRecord]] = {}
        """The states of each file in this turn, as they were noted."""
        self._epoch = -1
        self._guard = threading.Lock()

    @property
    def contents(self) -> Contents:
        """The contents that are kept."""
        return self._contents

    def track(self, paths: list[Path]) -> None:
        """Watch these files too when commands run: the agent changed them earlier in the session."""
        self._commands.track(paths)

    def before_write(self, path: Path, sha256: str | None) -> None:
        """Note how `path` is, if this turn has not yet, and that it is about to hold `sha256` (None: to be deleted)."""
        if sha256 is None:
            self.before_change(FileRecord(path, FileKind.ABSENT))
        else:
            self.before_change(FileRecord(path, FileKind.FILE, sha256, look(path).mode))

    def before_change(self, to: FileRecord) -> None:
        """Note how the file of `to` is, if this turn has not yet, and that it is about to become `to`."""
        with self._guard:
            self._begin_epoch()
            states = self._seen.get(to.path, [])
            now = look(to.path) if states else None
            if now is None or not any(now.same_as(state) for state in states):
                now = capture(to.path, self._contents, largest=self._largest)
            self._note(now, to)
            self._commands.track([to.path])

    def before_command(self, command: str) -> None:
        """Look at what `command` may change, as far as that is cheap."""
        with self._guard:
            self._log.append_command(command)
            self._commands.look()

    def after_command(self) -> None:
        """Note what the command has changed."""
        with self._guard:
            self._begin_epoch()
            changes = self._commands.changes()
            for before, after in changes.files:
                self._note(before, replace(after, by_command=True))
            if changes.moved:
                self._log.append_command("", moved=changes.moved)

    def _note(self, before: FileRecord, after: FileRecord) -> None:
        """Note a change; how it was before only if that is news: the first time in a turn, or somebody was at it."""
        states = self._seen.setdefault(before.path, [])
        if not any(before.same_as(state) for state in states):
            self._log.append_file("checkpoint", before.to_json())
            states.append(before)
        self._log.append_file("written", after.to_json())
        states.append(after)

    def _begin_epoch(self) -> None:
        if self._epoch != self._log.epoch:
            self._epoch = self._log.epoch
            self._seen.clear()
