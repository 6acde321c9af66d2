"""Sees to it that the program ends when it must, leaves the terminal as it was, and says why it fell.

Signals and crashes first take the ordinary way out (draft kept, session closed, terminal restored by Textual). A
countdown beside it ends the process anyway when that way is blocked: a hanging thread, a terminal that nobody reads.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

ENDING_SECONDS = 2.4
"""The ordinary way out may take this long; the process is gone within three seconds of the reason to end."""
_RESTORING_SECONDS = 0.3
# Off: mouse (four protocols and pixels), paste, focus and resize reports, kitty keys; on: wrapping, the cursor; last
# back from the alternate screen. The reverse of what Textual's driver switches on.
_MODES_OFF = (
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?1004l\x1b[?2048l"
    "\x1b[<u\x1b[?7h\x1b[?1049l\x1b[?25h"
)
_SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")


class Lifeline:
    """One per process that shows the screen. `leave` starts the ordinary way out; it is called at most once."""

    def __init__(self) -> None:
        self._leave: Callable[[int], None] = lambda _: None
        self._rescue: Callable[[], None] = lambda: None
        self._ending = False
        self._terminal_attributes: list[object] | None = None

    def install(self, leave: Callable[[int], None], rescue: Callable[[], None]) -> None:
        """Catch the signals that end a program. `leave` must be safe to call in a signal handler (it gets the exit
        status); `rescue` keeps, quickly and from any thread, what would be lost by ending at once."""
        self._leave, self._rescue = leave, rescue
        self._remember_terminal()
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                signal.signal(number, self._on_signal)

    def _remember_terminal(self) -> None:
        with suppress(ImportError, OSError, ValueError, AttributeError):
            import termios

            with suppress(termios.error):
                self._terminal_attributes = termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        status = 128 + number
        if not self._ending:
            self.count_down(status)
            self._leave(status)

    def count_down(self, status: int) -> None:
        """End the process with `status` in `ENDING_SECONDS`, whatever still runs then."""
        if not self._ending:
            self._ending = True
            threading.Thread(target=self._end_anyway, args=(status,), name="ending", daemon=True).start()

    def _end_anyway(self, status: int) -> None:
        time.sleep(ENDING_SECONDS)
        # The terminal may block the thread that writes to it, so another one does.
        restorer = threading.Thread(target=self._last_acts, name="restoring", daemon=True)
        restorer.start()
        restorer.join(_RESTORING_SECONDS)
        os._exit(status)

    def _last_acts(self) -> None:
        try:
            kill_children()
            self._rescue()
        finally:
            self.restore_terminal()

    def restore_terminal(self) -> None:
        """Write the modes off and set the line discipline back, past whatever holds the ordinary output."""
        with suppress(ImportError, OSError, ValueError, AttributeError):
            import termios

            os.write(sys.__stderr__.fileno(), _MODES_OFF.encode())  # type: ignore[union-attr]
            if self._terminal_attributes is not None:
                with suppress(termios.error):
                    termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, self._terminal_attributes)  # type: ignore[union-attr, arg-type]


def kill_children() -> None:
    """Kill what tools have started, if any tool was ever loaded."""
    module = sys.modules.get("codeagent_tui.tools.process")
    if module is not None:
        module.kill_all()
