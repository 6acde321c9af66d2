"""The file of facts on disk: a lock between processes, what has changed since, damaged files set aside, safe writes."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from codeagent_tui.memory.fact_file import FactFile, Record, parse, render, with_one_more
from codeagent_tui.paths import ensure_private_dir, write_private

LARGEST = 64 * 1024 * 1024
"""Bytes; some 200,000 facts. A larger file is something else, and is left alone."""
_LOCK_SECONDS = 10.0
_LOCK_POLL_SECONDS = 0.003
_BEING_SAVED_SECONDS = 2.0
"""A file that was sound and turns up damaged this soon after it was written may be in the middle of being saved."""
_STALE_SECONDS = 60.0
_SETTLED_SECONDS = 0.1
"""Stamps that are younger say nothing: a second write within the clock's tick would leave them as they are."""

Signature = tuple[int, int, int, int]
_UNKNOWN: Signature = (0, 0, 0, 0)


class FactDisk:
    """Reads and writes one file. Not for several threads at once; `held` is what was read or written last.

    A link is followed: the file that it leads to is read, locked and replaced, and the link stays.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.held = FactFile()
        self.notices: list[str] = []
        self._data: bytes | None = None
        self._signature: Signature | None = None
        self._to_set_aside: bytes | None = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock that all processes take before they change the file.

        The system takes it back from a process that is killed (flock and its like; the file of the lock stays).

        Raises:
            OSError: when it cannot be had.
        """
        # Here, because importing it takes 45 ms, and most sessions save nothing.
        from filelock import FileLock, Timeout

        target = self._target()
        ensure_private_dir(target.parent)
        lock = FileLock(
            target.with_name(f".{target.name}.lock"),
            timeout=_LOCK_SECONDS,
            poll_interval=_LOCK_POLL_SECONDS,
            mode=0o600,
        )
        try:
            with lock:
                yield
        except Timeout:
            raise OSError(errno.EBUSY, "another process holds it for too long; try again") from None

    def read(self, *, patient: bool = False) -> bool:
        """Read the file if its stamps have changed; return whether `held` is another now. Cheap when it is not.

        A damaged file is set aside, its intact facts kept; `patient` keeps what was known of one that may be in the
        middle of being saved.

        Raises:
            OSError: when it is there and cannot be read; `held` stays.
        """
        if self._stamps() == self._signature:
            return False
        found = self._bytes()
        if found is None:
            changed = self._data is not None
            self.held, self._data, self._signature, self._to_set_aside = FactFile(), None, None, None
            return changed
        data, stamps = found
        signature = stamps if _age(stamps) > _SETTLED_SECONDS else _UNKNOWN
        if data == self._data:
            self._signature = signature
            return False
        held = parse(data, {record.line: record for record in self.held.records})
        if held.faults and patient and self._may_be_half_saved(stamps):
            return False
        self.held, self._data, self._signature = held, data, signature
        self._to_set_aside = data if held.faults else None
        if held.faults:
            # One that cannot be copied now (a full disk) can be read all the same; it is tried again before a write.
            with suppress(OSError):
                self._set_aside()
        return True

    def add(self, record: Record) -> None:
        """Add an entry at the end of the file; see `write`."""
        held = self.held
        known = self._data if held.laid_out and held.records else None
        records = (*held.records, record)
        self._write(records, render(records, held.extra) if known is None else with_one_more(known, record))

    def write(self, records: tuple[Record, ...]) -> None:
        """Replace the entries of the file; durable when this returns. Call it with the lock held, after `read`.

        Raises:
            OSError: when it could not be written; file and `held` are as before.
        """
        self._write(records, render(records, self.held.extra))

    def _write(self, records: tuple[Record, ...], data: bytes) -> None:
        if self._to_set_aside is not None:
            self._set_aside()
        if len(data) > LARGEST:
            raise OSError(errno.EFBIG, f"it would be larger than {LARGEST // 1024**2} MB")
        target = self._target()
        write_private(target, data)
        # Only now: what is known in memory never claims more than what is on disk.
        self.held = FactFile(records, self.held.extra, laid_out=True)
        self._data, self._signature = data, _stamped(target, len(data))
        self._sweep(target)

    def _target(self) -> Path:
        return Path(os.path.realpath(self.path))

    def _stamps(self) -> Signature | None:
        try:
            return _signature(self.path.stat())
        except FileNotFoundError:
            return None

    def _bytes(self) -> tuple[bytes, Signature] | None:
        """Return the whole file and its stamps; None when there is none."""
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise OSError(errno.EINVAL, "it is no regular file")
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                if status.st_size > LARGEST:
                    raise OSError(errno.EFBIG, f"it is larger than {LARGEST // 1024**2} MB")
                return file.read(LARGEST), _signature(status)
        except FileNotFoundError:
            return None

    def _may_be_half_saved(self, signature: Signature) -> bool:
        was_sound = self._data is not None and not self.held.faults
        return was_sound and _age(signature) < _BEING_SAVED_SECONDS

    def _set_aside(self) -> None:
        data = self._to_set_aside
        assert data is not None
        target = self._target()
        aside = _copy_of(data, target)
        if aside is None:
            aside = _free_name(target)
            write_private(aside, data)
        self._to_set_aside = None
        kept = len(self.held.entries)
        notice = (
            f"{self.path} is damaged ({'; '.join(self.held.faults)}). It was copied to {aside.name}; "
            f"{kept} intact {'fact is' if kept == 1 else 'facts are'} kept."
        )
        if notice not in self.notices:
            self.notices.append(notice)

    def _sweep(self, target: Path) -> None:
        """Delete what a killed process left of a write: a forgotten fact must not live on in it."""
        with suppress(OSError):
            for left in target.parent.glob(f".{target.name}.*.tmp"):
                if abs(time.time() - left.stat().st_mtime) > _STALE_SECONDS:
                    left.unlink()


def _signature(status: os.stat_result) -> Signature:
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


def _stamped(path: Path, size: int) -> Signature:
    """Give the file that was just written a time to the nanosecond, which no other write shares; return its stamps.

    The time that the system gives has steps of some milliseconds, in which somebody else may write as well.
    """
    try:
        now = time.time_ns()
        os.utime(path, ns=(now, now))
        status = path.stat()
    except OSError:
        return _UNKNOWN
    return _signature(status) if status.st_size == size else _UNKNOWN


def _age(signature: Signature) -> float:
    """Return the seconds between now and the last change, whichever of them the clock says is later."""
    return abs(time.time_ns() - signature[0]) / 1e9


def _copy_of(data: bytes, target: Path) -> Path | None:
    """Return where exactly these bytes were set aside before, so that each start does not make another copy."""
    for aside in sorted(target.parent.glob(f"{target.name}.damaged-*")):
        if aside.stat().st_size == len(data) and aside.read_bytes() == data:
            return aside
    return None


def _free_name(target: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = target.with_name(f"{target.name}.damaged-{stamp}")
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = target.with_name(f"{target.name}.damaged-{stamp}-{number}")
    return aside
