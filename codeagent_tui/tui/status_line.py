"""The status line: what happens now, and with which model, mode and folder. Its timer runs only while needed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.timer import Timer

from codeagent_tui.settings import PermissionMode
from codeagent_tui.text import one_line
from codeagent_tui.tui.instrument import Instrument
from codeagent_tui.tui.pieces import Piece
from codeagent_tui.tui.status_layout import SPINNER, Activity, Identity, Retry, status_pieces

_FRAMES_PER_SECOND = 8
_STILL_MARK = "●"
_LONGEST_REASON = 80


class StatusLine(Instrument):
    """One line between transcript and composer."""

    PREFIX = "status"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"status--{role}"
        for role in (
            "spinner",
            "word",
            "detail",
            "retry",
            "unseen",
            "flash",
            "model",
            "offline",
            "place",
            "dot",
            "mode-ask",
            "mode-accept-edits",
            "mode-plan",
            "mode-unattended",
        )
    }

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(id="status")
        self.identity = Identity()
        self.activity = Activity()
        self._clock = clock
        self._ticker: Timer | None = None
        self._flash_timer: Timer | None = None
        self._frame = 0
        self._stopping = False

    def pieces(self, width: int) -> list[Piece]:
        """Return the line."""
        still = self.app.animation_level == "none"
        frame = _STILL_MARK if still else SPINNER[self._frame % len(SPINNER)]
        return status_pieces(self.identity, self.activity, self._clock(), width, frame)

    def identify(
        self,
        *,
        model: str | None = None,
        offline: bool | None = None,
        mode: PermissionMode | None = None,
        folder: str | None = None,
        branch: str | None = None,
    ) -> None:
        """Change what is given of the right part."""
        old = self.identity
        self.identity = Identity(
            model=old.model if model is None else one_line(model, 60),
            offline=old.offline if offline is None else offline,
            mode=old.mode if mode is None else mode,
            folder=old.folder if folder is None else one_line(folder),
            branch=old.branch if branch is None else one_line(branch, 40),
        )
        if self.identity != old:
            self.refresh()

    def begin(self, word: str) -> None:
        """A turn (or another long work) begins: the clock and the spinner start."""
        self._stopping = False
        self._set(replace(self.activity, word=word, started=self._clock(), step=0, limit=0, retry=None, asks=False))

    def stopping(self) -> None:
        """Say that what runs is being stopped, until it has ended."""
        self._stopping = True
        self._set(replace(self.activity, word="stopping", retry=None, asks=False))

    def doing(self, word: str) -> None:
        """Say what the running work does now; a scheduled retry is over by that."""
        if self.activity.word and not self._stopping:
            self._set(replace(self.activity, word=one_line(word, 60), retry=None, asks=False))

    def asking(self) -> None:
        """Say that the user's answer is waited for; spinner and clock rest until the work goes on."""
        if self.activity.word and not self._stopping:
            self._set(replace(self.activity, word="waiting for your answer", asks=True))

    def step(self, step: int, limit: int) -> None:
        """Show the step of the turn."""
        self._set(replace(self.activity, step=step, limit=limit))

    def retry(self, delay: float, attempt: int, attempts: int, reason: str) -> None:
        """Count down `delay` seconds to the next try."""
        scheduled = Retry(self._clock() + delay, attempt, attempts, one_line(reason, _LONGEST_REASON))
        self._set(replace(self.activity, retry=scheduled))

    def end(self) -> None:
        """The work is over; spinner and clock stop."""
        self._stopping = False
        self._set(replace(self.activity, word="", step=0, limit=0, retry=None, asks=False))

    def waiting(self, count: int) -> None:
        """Show how many messages are queued."""
        self._set(replace(self.activity, waiting=count))

    def unseen(self, unseen: bool) -> None:
        """Show or hide the hint that there is output below."""
        self._set(replace(self.activity, unseen=unseen))

    def flash(self, text: str, seconds: float = 3.0) -> None:
        """Say `text` for a moment."""
        if self._flash_timer is not None:
            self._flash_timer.stop()
        self._set(replace(self.activity, flash=one_line(text)))
        self._flash_timer = self.set_timer(seconds, self.unflash)

    def unflash(self) -> None:
        """Take the momentary text away."""
        if self._flash_timer is not None:
            self._flash_timer.stop()
            self._flash_timer = None
        self._set(replace(self.activity, flash=""))

    def _set(self, activity: Activity) -> None:
        if activity == self.activity:
            return
        self.activity = activity
        self._run_ticker(bool(activity.word) and not activity.asks)
        self.refresh()

    def _run_ticker(self, wanted: bool) -> None:
        if wanted and self._ticker is None:
            still = self.app.animation_level == "none"
            self._ticker = self.set_interval(1.0 if still else 1 / _FRAMES_PER_SECOND, self._tick)
        elif not wanted and self._ticker is not None:
            self._ticker.stop()
            self._ticker = None

    def _tick(self) -> None:
        self._frame += 1
        self.refresh()
