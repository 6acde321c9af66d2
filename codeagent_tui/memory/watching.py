"""Watches folders for changes of the files in them, also of folders that do not exist yet.

Folders and not files: editors and `sed -i` replace a file by another one, and a watch on the file would stay with the
old one. A folder's subfolders are not watched. Where the system cannot watch (no watches left, a name that is no
Unicode), the folders are looked at every second instead, and watching is tried again later.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from pathlib import Path
from typing import TypeAlias

_log = logging.getLogger(__name__)
_STEP_MS = 150
"""watchfiles looks so often whether the system has told it anything: 7 wakes a second, less than 0.1 % of a core."""
_BURST_MS = 400
"""Changes that go on and on are told so often."""
_POLL_SECONDS = 1.0
_POLLS_BEFORE_WATCHING = 60

_Changes: TypeAlias = "AsyncGenerator[set[str], None]"
_Snapshot: TypeAlias = "dict[str, tuple[int, int, int]]"


class FolderWatcher:
    """Tells of changes in folders from `start` until `aclose`.

    `folders` is asked before the watch begins and after each change, for absolute paths; it is called in a thread and
    may look at files, but must not raise.
    `changed` gets the paths that appeared, changed or went, directly in those folders; none when it is not known which
    (after each start of the watch, and when a folder itself came or went): then it has to look for itself. It is
    called on the loop, once at a time, within half a second of the change.
    """

    def __init__(
        self,
        folders: Callable[[], Collection[Path]],
        changed: Callable[[frozenset[Path]], Awaitable[None]],
    ) -> None:
        self._folders = folders
        self._changed = changed
        self._task: asyncio.Task[None] | None = None
        self._restart = threading.Event()

    def start(self) -> None:
        """Begin, in a task of its own; nothing happens when it has begun already. Needs a running loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run(), name="watch folders")

    def ask_again(self) -> None:
        """Ask for the folders again: they may be others now."""
        self._restart.set()

    async def aclose(self) -> None:
        """Stop. Nothing is told any more when this returns."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        # In a thread: importing it takes 30 ms.
        await asyncio.to_thread(_import_watchfiles)
        while True:
            self._restart = threading.Event()
            wanted = await self._wanted()
            try:
                await self._watch(wanted)
            except (OSError, RuntimeError, ValueError) as error:
                _log.info("%s cannot be watched (%s); looking every second", ", ".join(map(str, wanted)), error)
                await self._poll(wanted)

    async def _wanted(self) -> frozenset[Path]:
        return frozenset(await asyncio.to_thread(self._folders))

    async def _watch(self, wanted: frozenset[Path]) -> None:
        """Watch until the folders are others; raises what watchfiles raises where it cannot."""
        watched = await asyncio.to_thread(_nearest_existing, wanted)
        changes = _batches(watched, self._restart)
        first = asyncio.create_task(anext(changes, None))
        try:
            # One turn of the loop, and the system watches: what changed before that is seen by looking.
            await asyncio.sleep(0)
            if not first.done():
                if await asyncio.to_thread(_nearest_existing, wanted) != watched:
                    # A folder came while the watch was being set up: what happens in it would not be seen.
                    return
                await self._tell(frozenset())
            batch = await first
            while batch is not None:
                paths = frozenset(map(Path, batch))
                here = frozenset(path for path in paths if path.parent in wanted)
                moved = any(folder.is_relative_to(path) for path in paths for folder in wanted)
                if moved or here:
                    await self._tell(frozenset() if moved else here)
                if moved or await self._wanted() != wanted:
                    return
                batch = await anext(changes, None)
        finally:
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            await changes.aclose()

    async def _poll(self, wanted: frozenset[Path]) -> None:
        """Look at the folders every second, until they are others or it is time to try to watch again."""
        before = await asyncio.to_thread(_snapshot, wanted)
        await self._tell(frozenset())
        for _ in range(_POLLS_BEFORE_WATCHING):
            await asyncio.sleep(_POLL_SECONDS)
            after = await asyncio.to_thread(_snapshot, wanted)
            if after != before or self._restart.is_set() or await self._wanted() != wanted:
                # The next start, of whichever way, begins with telling.
                return

    async def _tell(self, paths: frozenset[Path]) -> None:
        try:
            await self._changed(paths)
        except Exception:  # the worker rim: one look that fails must not end the watch  # noqa: BLE001
            _log.exception("a change of %s could not be taken up", ", ".join(map(str, paths)) or "the watched folders")


def _import_watchfiles() -> None:
    import watchfiles  # noqa: F401


async def _batches(folders: frozenset[Path], stop: threading.Event) -> _Changes:
    from watchfiles import awatch

    batches = awatch(*folders, watch_filter=None, debounce=_BURST_MS, step=_STEP_MS, stop_event=stop, recursive=False)
    try:
        async for batch in batches:
            yield {path for _, path in batch}
    except ExceptionGroup as errors:
        # watchfiles waits in a task group of anyio, which wraps what went wrong.
        raise RuntimeError(str(errors.exceptions[0])) from errors


def _nearest_existing(folders: Collection[Path]) -> frozenset[Path]:
    """Return the folders; for one that is not there the nearest above it that is, so that its coming is seen."""
    found = set()
    for folder in folders:
        while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112  unreadable: no error
            folder = folder.parent
        found.add(folder)
    return frozenset(found)


def _snapshot(folders: Collection[Path]) -> _Snapshot:
    found: _Snapshot = {}
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    found[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            # The folder, or a file in it, has just gone.
            continue
    return found
