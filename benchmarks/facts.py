"""Saving facts among many, with the disk's own part apart: `python -m benchmarks.facts [FACTS ...]`."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.terminal import report
from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.fact_file import record_of, render
from codeagent_tui.memory.long_term_memory import LongTermMemory

_SAVES = 40


class Disk:
    """Counts the seconds that fsync takes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._sync = os.fsync
        os.fsync = self.sync  # type: ignore[assignment]

    def sync(self, fd: int) -> None:
        """Sync, with a watch running."""
        started = time.perf_counter()
        self._sync(fd)
        self.seconds += time.perf_counter() - started


def fact(number: int) -> MemoryEntry:
    """Return one of many facts."""
    return MemoryEntry(
        MemoryType.FACT, f"\u4e8b\u5b9e {number}: the service {number} listens on port {number}", scope=Scope.GLOBAL
    )


def measure(count: int, folder: Path, disk: Disk) -> None:
    """Load, save and take up another process's save among `count` facts."""
    path = folder / f"{count}.json"
    path.write_bytes(render([record_of(fact(number)) for number in range(count)], {}))
    started = time.perf_counter()
    mine, other = LongTermMemory(path), LongTermMemory(path)
    report(f"{count:,} facts: load", [(time.perf_counter() - started) * 500], "ms")
    mine.store("the first save imports and indexes", Scope.GLOBAL)
    saves, work, syncs, news = [], [], [], []
    for number in range(_SAVES):
        before, started, busy = disk.seconds, time.perf_counter(), time.thread_time()
        mine.store(f"new fact {number}", Scope.GLOBAL)
        work.append((time.thread_time() - busy) * 1_000)
        syncs.append((disk.seconds - before) * 1_000)
        saves.append((time.perf_counter() - started) * 1_000 - syncs[-1])
        started = time.perf_counter()
        other.reload_if_changed()
        news.append((time.perf_counter() - started) * 1_000)
    report(f"{count:,} facts: save but fsync", saves, "ms")
    report(f"{count:,} facts: of it CPU", work, "ms")
    report(f"{count:,} facts: two fsyncs", syncs, "ms")
    report(f"{count:,} facts: taken up", news, "ms")


def main(counts: list[int]) -> None:
    """Measure with each number of facts."""
    disk = Disk()
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            measure(count, Path(folder), disk)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [100, 1_000, 10_000])
