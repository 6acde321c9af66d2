"""How long saving one fact takes beside many, and how much of that is the disk's own time (fsync)."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.fact_file import record_of, render
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreStatus

_SAVES = 30


@dataclass(frozen=True, slots=True)
class StoreSpeed:
    """Medians in milliseconds. `fsync` is what the calls of `os.fsync` took, `written` a plain write of as much."""

    whole: float
    fsync: float
    without_fsync: float
    longest: float
    written: float
    megabytes: float


def measure_store(facts: int) -> StoreSpeed:
    """Save one fact after another into a file of `facts` facts."""
    with tempfile.TemporaryDirectory(prefix="codeagent-bench-") as folder:
        path = Path(folder) / "long_term_memory.json"
        path.write_bytes(render(tuple(record_of(_fact(number)) for number in range(facts)), {}))
        memory = LongTermMemory(path)
        memory.store("the first save is not counted", Scope.GLOBAL)
        whole, synced = [], []
        with _fsync_timed() as waits:
            for number in range(_SAVES):
                waits.clear()
                started = time.perf_counter()
                result = memory.store(f"saved while measured, number {number}", Scope.GLOBAL)
                whole.append((time.perf_counter() - started) * 1e3)
                synced.append(sum(waits) * 1e3)
                assert result.status is StoreStatus.SAVED
        data = path.read_bytes()
        plain = [_plain_write(Path(folder) / "plain", data) for _ in range(_SAVES)]
    without = [both - disk for both, disk in zip(whole, synced, strict=True)]
    medians = (statistics.median(values) for values in (whole, synced, without))
    return StoreSpeed(*medians, max(whole), statistics.median(plain), len(data) / 1e6)


def _fact(number: int) -> MemoryEntry:
    return MemoryEntry(MemoryType.FACT, f"the service number {number} listens on port {number}", scope=Scope.GLOBAL)


def _plain_write(path: Path, data: bytes) -> float:
    started = time.perf_counter()
    path.write_bytes(data)
    return (time.perf_counter() - started) * 1e3


@contextmanager
def _fsync_timed() -> Iterator[list[float]]:
    """Collect the seconds that each call of `os.fsync` takes."""
    waits: list[float] = []
    real = os.fsync

    def timed(fd: int) -> None:
        started = time.perf_counter()
        try:
            real(fd)
        finally:
            waits.append(time.perf_counter() - started)

    os.fsync = timed  # type: ignore[assignment]  # the very function that the store calls, put back below
    try:
        yield waits
    finally:
        os.fsync = real
