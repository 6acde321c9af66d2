"""Start a command in a pseudo-terminal, type a letter, see it echoed, and quit: `starts_in_a_terminal.py COMMAND`."""

from __future__ import annotations

import os
import select
import sys
import time

import pyte
from ptyprocess import PtyProcess

ROWS, COLUMNS, PATIENCE = 40, 120, 30.0


def main(command: list[str]) -> int:
    """Return 0 when the screen comes up, echoes a key and ends on ctrl+c twice."""
    environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    process = PtyProcess.spawn(command, env=environment, dimensions=(ROWS, COLUMNS))
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    deadline = time.monotonic() + PATIENCE

    def wait_for(wanted: str) -> bool:
        while time.monotonic() < deadline:
            if wanted in "\n".join(screen.display):
                return True
            if select.select([process.fd], [], [], 0.2)[0]:
                try:
                    stream.feed(os.read(process.fd, 65536))
                except OSError:
                    return False
        return False

    try:
        os.write(process.fd, b"zqzq")
        if not wait_for("zqzq"):
            print("no echo; the screen shows:\n" + "\n".join(screen.display))
            return 1
        os.write(process.fd, b"\x03")
        wait_for("again")
        os.write(process.fd, b"\x03\x03")
        while process.isalive() and time.monotonic() < deadline:
            if select.select([process.fd], [], [], 0.2)[0]:
                try:
                    os.read(process.fd, 65536)
                except OSError:
                    break
        print("the screen started, echoed and ended" if not process.isalive() else "it did not end")
        return 1 if process.isalive() else 0
    finally:
        process.close(force=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
