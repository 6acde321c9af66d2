"""The processes of a group: who is still alive, and how they are ended."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

_GENTLE = 1.0
_FIRM = 1.5
_PAUSE = 0.02


def living_members(group: int) -> list[int]:
    """Return the ids of the living processes of `group`, and of the session it leads; zombies do not count."""
    found = []
    for entry in _processes():
        try:
            # The command's name stands in parentheses and may hold anything; what follows the last one is fixed:
            # state, parent, group, session (proc(5)).
            fields = Path(f"/proc/{entry}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] not in "ZX" and group in (int(fields[2]), int(fields[3])):
            found.append(int(entry))
    return found


def _processes() -> list[str]:
    try:
        return [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208  names are all that is wanted
    except OSError:
        return []


def end_group(group: int, reap: Callable[[], object]) -> None:
    """End every process of `group`: TERM, then KILL for who does not go. `reap` collects our own child meanwhile.

    Takes 2.5 s at most. Our own group is never signalled.
    """
    if group == os.getpgrp():
        return
    for number, patience in ((signal.SIGTERM, _GENTLE), (signal.SIGKILL, _FIRM)):
        if not _signal(group, number):
            return
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            reap()
            if not _alive(group):
                return
            time.sleep(_PAUSE)


def _signal(group: int, number: signal.Signals) -> bool:
    """Send a signal to the group and to members of its session that moved to a group of their own."""
    reached = False
    for member in living_members(group):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(member, number)
            reached = True
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        reached = True
    return reached


def _alive(group: int) -> bool:
    if Path("/proc/self/stat").exists():
        return bool(living_members(group))
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
