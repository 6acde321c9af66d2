"""Changes a file of facts in children that are killed (SIGKILL) one step further each time; a JSON line a child.

Steps are what reaches the system: each audited call (open, rename, remove, mkdir, flock ...), each fsync, and the
middle of the write of the file's bytes. `python -m tests.support.killed_store <folder>`
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import filelock  # noqa: F401  loaded before the children are made, so that their steps are those of the change

from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.long_term_memory import LongTermMemory

_AUDITED = ("open", "os.", "fcntl.", "shutil.", "tempfile.", "glob.")
_OLD = ("one", "two", "three")


def acts(memory: LongTermMemory) -> dict[str, Callable[[], object]]:
    """The changes, by name; they begin from the facts of `_OLD`."""
    first, second = (entry.id for entry in memory.entries()[:2])
    gone = memory.entries()[2]
    return {
        "store": lambda: memory.store("four", Scope.GLOBAL),
        "edit": lambda: memory.edit(first, "uno"),
        "move": lambda: memory.move(first, Scope.PROJECT, "p"),
        "delete": lambda: memory.delete_many([first, second]),
        "restore": lambda: memory.restore([gone]),
    }


def prepare(path: Path) -> None:
    """Make the file that each act begins with."""
    for left in path.parent.glob(".*.tmp"):
        left.unlink()
    path.unlink(missing_ok=True)
    memory = LongTermMemory(path)
    for text in _OLD:
        memory.store(text, Scope.GLOBAL)


class Killer:
    """Kills this process at a step."""

    def __init__(self, at: int) -> None:
        self._left = at

    def step(self) -> None:
        """One more step."""
        self._left -= 1
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def arm(self) -> None:
        """Count from now on."""

        def hook(event: str, _: tuple[object, ...]) -> None:
            if event.startswith(_AUDITED) and event != "os.kill":
                self.step()

        real_sync, real_open = os.fsync, os.fdopen

        def sync(fd: int) -> None:
            self.step()
            real_sync(fd)

        def half(fd: int, mode: str = "r", *rest: Any, **named: Any) -> IO[Any]:
            file = real_open(fd, mode, *rest, **named)
            write = file.write

            def in_two(data: bytes) -> int:
                write(data[: len(data) // 2])
                file.flush()
                self.step()
                return len(data) // 2 + write(data[len(data) // 2 :])

            file.write = in_two  # type: ignore[method-assign, assignment]
            return file

        os.fsync, os.fdopen = sync, half  # type: ignore[assignment]
        sys.addaudithook(hook)


def child(path: Path, act: str, at: int, told: int) -> None:
    """Do `act` and tell of it when it is done, unless killed before."""
    memory = LongTermMemory(path)
    todo = acts(memory)[act]
    if act == "restore":
        memory.delete(memory.entries()[2].id)
    Killer(at).arm()
    todo()
    os.write(told, b"done")
    os._exit(0)


def contents(path: Path) -> list[str]:
    """What a new process sees."""
    memory = LongTermMemory(path)
    assert not memory.notices, memory.notices
    return [f"{entry.scope}: {entry.content}" for entry in memory.entries()]


def main(folder: Path) -> None:
    """Kill a child at each step of each act."""
    path = folder / "facts.json"
    for act in ("store", "edit", "move", "delete", "restore"):
        at, killed = 0, True
        while killed:
            at += 1
            prepare(path)
            reader, writer = os.pipe()
            pid = os.fork()
            if pid == 0:
                child(path, act, at, writer)
            os.close(writer)
            _, status = os.waitpid(pid, 0)
            killed = os.WIFSIGNALED(status)
            done = os.read(reader, 16) == b"done"
            os.close(reader)
            after = contents(path)
            for left in folder.glob(".*.tmp"):
                os.utime(left, (time.time() - 3_600,) * 2)
            later = LongTermMemory(path).store("later", Scope.GLOBAL).status.value
            report = {
                "act": act,
                "step": at,
                "killed": killed,
                "done": done,
                "after": after,
                "later": later,
                "at_the_end": contents(path),
                "left": [left.name for left in folder.glob(".*.tmp")],
                "modes": sorted({oct(file.stat().st_mode & 0o777) for file in folder.iterdir()}),
            }
            sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
