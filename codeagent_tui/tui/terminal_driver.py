"""Textual's driver for POSIX terminals, made to survive the terminal's end.

Left alone it goes on reading a terminal that is gone at full speed (end of file is ignored), a write that fails ends
the writing thread, after which the loop blocks for ever on a full queue, and it wakes ten times a second at rest.
"""

from __future__ import annotations

import os
import selectors
import signal
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Paste

from codeagent_tui.tui.bracketed_paste import Pasted, PasteReader

_POLL_SECONDS = 0.02
"""How often it is looked whether a lone escape byte has waited long enough to be a key of its own."""
_WAKE_SECONDS = 1.0
_READ_BYTES = 4096


class SurvivingFile:
    """A terminal's output that swallows what is written after the terminal went away, and says so once."""

    def __init__(self, file: IO[str], lost: Callable[[], None]) -> None:
        self._file = file
        self._lost = lost
        self._is_lost = False

    def write(self, text: str) -> int:
        """Write `text`, or drop it when nobody can see it."""
        if not self._is_lost:
            try:
                return self._file.write(text)
            except (OSError, ValueError):
                self._lose()
        return len(text)

    def flush(self) -> None:
        """Flush, or do nothing when nobody can see it."""
        if not self._is_lost:
            try:
                self._file.flush()
            except (OSError, ValueError):
                self._lose()

    def fileno(self) -> int:
        """Return the file's descriptor."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether it is (or was) a terminal."""
        return True

    def _lose(self) -> None:
        self._is_lost = True
        self._lost()


def hang_up() -> None:
    """Treat a terminal that is gone like the signal that should have told of it."""
    os.kill(os.getpid(), signal.SIGHUP)


class TerminalDriver(LinuxDriver):
    """The driver with an end: a lost terminal raises SIGHUP in this process."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        if self._file is not None:
            # The base class only writes, flushes and asks for the descriptor.
            self._file = SurvivingFile(self._file, hang_up)  # type: ignore[assignment]
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)

    def start_application_mode(self) -> None:
        """Take the terminal; wake-ups from before are void."""
        self._forget_wakes()
        # The base class leaves the method without types.
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def _forget_wakes(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._wake_read, _READ_BYTES)

    def disable_input(self) -> None:
        """Stop the thread that reads, which sleeps until there is something to read."""
        os.write(self._wake_write, b".")
        super().disable_input()

    def run_input_thread(self) -> None:
        """Read keys until the driver stops or the terminal is gone."""
        parser = XTermParser(self._debug)
        pastes = PasteReader()
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._wake_read, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                pending = parser._timeout_time is not None
                ready = {key.fd for key, _ in selector.select(_POLL_SECONDS if pending else None)}
                if self._wake_read in ready:
                    # The base class sets the event right after the wake-up, and waits for this thread.
                    self._forget_wakes()
                    self.exit_event.wait(_WAKE_SECONDS)
                    continue
                if self.fileno in ready:
                    try:
                        data = os.read(self.fileno, _READ_BYTES)
                    except OSError:
                        data = b""
                    if not data:
                        hang_up()
                        return
                    for piece in pastes.feed(decode(data)):
                        for event in [Paste(piece.text)] if isinstance(piece, Pasted) else parser.feed(piece):
                            self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)

    def _disable_mouse_support(self) -> None:
        super()._disable_mouse_support()
        if self._mouse_pixels:
            self.write("\x1b[?1016l")
            self.flush()
