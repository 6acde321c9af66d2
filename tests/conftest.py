"""What every test relies on, wherever the tests were started from."""

from __future__ import annotations

import signal

# A shell's background job is started with SIGINT ignored, and its children inherit that: ctrl+c could not be tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
