"""Signals during a run without a screen: the turn ends in order; when that takes too long, the process does."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TypeAlias

from codeagent_tui.exit_codes import ExitCode

PATIENCE = 5.0
"""Seconds that an ordered end may take. A cancelled command is given 2.5 s of them to go by itself."""
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_Handler: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"


class Interruptions:
    """While entered, the first signal that would end the program calls `stop` on the loop instead, once.

    A signal that is being ignored (`nohup`, a job in the background of a script) stays ignored. Only the main thread
    can enter it with effect; elsewhere nothing is caught.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.wanted = False
        """Whether a signal has come."""
        self._patience = patience
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], None] | None = None
        self._came = threading.Event()
        self._over = threading.Event()
        self._before: dict[int, _Handler] = {}

    def __enter__(self) -> Interruptions:
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is None or signal.getsignal(number) is signal.SIG_IGN:
                continue
            try:
                self._before[number] = signal.signal(number, self._on_signal)
            except ValueError:
                return self
        # Started ahead: to start a thread inside a signal handler can wait for a lock that is never released.
        threading.Thread(target=self._end_anyway, name="ending", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._came.set()
        if self._loop is not None and not self._loop.is_closed():
            for number in self._before:
                with suppress(NotImplementedError):
                    self._loop.remove_signal_handler(number)
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Call `stop` on this loop when a signal comes; in a moment when one has come already."""
        self._loop, self._stop = asyncio.get_running_loop(), stop
        for number in self._before:
            # This makes the loop wake up from its sleep at any signal; a handler alone is only run when it wakes.
            with suppress(NotImplementedError):
                self._loop.add_signal_handler(number, lambda: None)
            signal.signal(number, self._on_signal)
        if self.wanted:
            self._loop.call_soon(self._stop_once)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            return
        self.wanted = True
        self._came.set()
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop_once)

    def _stop_once(self) -> None:
        # A second call would cancel what the first one has begun to clean up.
        stop, self._stop = self._stop, None
        if stop is not None:
            stop()

    def _end_anyway(self) -> None:
        self._came.wait()
        if self._over.wait(self._patience):
            return
        process = sys.modules.get("codeagent_tui.tools.process")
        if process is not None:
            process.kill_all()
        # What was said is in the log already: each record is written when it is made.
        os._exit(ExitCode.INTERRUPTED)
