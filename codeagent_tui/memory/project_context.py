"""Project memory as its files are now: read again when they change, watched, what changed told once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from codeagent_tui.memory.project_changes import State, changes, lines_by_file
from codeagent_tui.memory.project_memory import ProjectMemory, ProjectMemoryLoader
from codeagent_tui.memory.watching import FolderWatcher

_Written = TypeVar("_Written")
_PAUSE = 0.05
_MOST_PAUSES = 6
"""An editor that truncates a file, or moves it away, and then writes it is given 0.3 s."""


class ProjectContext:
    """Holds the text for the prompt. `start` it on a loop to be told of changes; `aclose` it then.

    What is not async may be called from any thread.
    """

    def __init__(self, loader: ProjectMemoryLoader, root: Path, pause: Callable[[float], None] = time.sleep) -> None:
        """`root` is where the paths in what is told are from; `pause` waits for an editor, in seconds."""
        self._loader = loader
        self._root = root
        self._pause = pause
        self._lock = threading.Lock()
        self._memory = ProjectMemory()
        self._loaded = False
        # Filled in a thread, taken on the loop, which must not wait for the lock.
        self._changes: deque[str] = deque()
        self._notices: deque[str] = deque()
        self._names: frozenset[str] = frozenset()
        self._watched: frozenset[Path] = frozenset()
        self._watcher = FolderWatcher(self._folders, self._look)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.on_news: Callable[[], None] = lambda: None
        """Told on the loop's thread, after `start`, when there is something to take or the text has changed."""

    @property
    def memory(self) -> ProjectMemory:
        """What was read last; touches no file."""
        return self._memory

    def resize(self, budget_tokens: int) -> None:
        """Keep to another bound from the next look on."""
        self._loader.budget_tokens = budget_tokens

    def read_foreign(self, wanted: bool) -> None:
        """Read AGENTS.md and CLAUDE.md where there is no CODEAGENT.md, or leave them, from the next look on."""
        self._loader.read_foreign = wanted

    def current(self) -> ProjectMemory:
        """Return project memory as the files are now. Touches files."""
        with self._lock:
            self._refresh()
            return self._memory

    def edit(self, write: Callable[[], _Written]) -> _Written:
        """Let `write` change the files without that being told as somebody else's change; return what it returns."""
        with self._lock:
            self._refresh()
            try:
                return write()
            finally:
                self._load(told=False)

    def take_changes(self) -> list[str]:
        """Return what changed since this was asked last, a line for each time."""
        return _taken(self._changes)

    def take_notices(self) -> list[str]:
        """Return what the user should know of the files, each thing once."""
        return _taken(self._notices)

    def start(self) -> None:
        """Read the files and watch them from now on. Needs a running loop."""
        self._loop = asyncio.get_running_loop()
        self._watcher.start()

    async def aclose(self) -> None:
        """Stop watching."""
        self._loop = None
        await self._watcher.aclose()

    def _folders(self) -> frozenset[Path]:
        self.current()
        return self._watched

    async def _look(self, paths: frozenset[Path]) -> None:
        # Most of what happens in a folder concerns other files.
        if not paths or any(path.name in self._names for path in paths):
            await asyncio.to_thread(self.current)

    def _refresh(self) -> None:
        if self._loader.changed():
            self._load(told=self._loader.files_changed())

    def _load(self, *, told: bool) -> None:
        before, stamps = self._memory, self._loader.stamps
        after = self._loader.load()
        if self._loaded:
            after = self._settled(before, after)
            then, now = State(before, stamps), State(after, self._loader.stamps)
            if told and (what := changes(then, now, self._root)):
                self._changes.append(what)
        known = frozenset(before.notices) if self._loaded else frozenset()
        self._notices.extend(notice for notice in after.notices if notice not in known)
        news = bool(self._changes or self._notices) or after != before
        self._memory, self._loaded = after, True
        self._note_folders()
        if news:
            self._tell()

    def _settled(self, before: ProjectMemory, after: ProjectMemory) -> ProjectMemory:
        """Return `after`, or what is there a moment later when a file is just being written."""
        held = [path for path, lines in lines_by_file(before).items() if lines]
        for _ in range(_MOST_PAUSES):
            now = lines_by_file(after)
            if all(now.get(path) or _has_content(path) for path in held):
                break
            self._pause(_PAUSE)
            if self._loader.changed():
                after = self._loader.load()
        return after

    def _note_folders(self) -> None:
        """Note the folders of all files that matter, and those above them in the project: they may come and go."""
        paths = self._loader.stamps
        everywhere = {*paths, *(Path(os.path.realpath(path)) for path in paths)}
        folders = {path.parent for path in everywhere}
        folders |= {above for folder in folders for above in folder.parents if above.is_relative_to(self._root)}
        self._names = frozenset(path.name for path in everywhere)
        if folders != self._watched:
            self._watched = frozenset(folders)
            self._watcher.ask_again()

    def _tell(self) -> None:
        loop = self._loop
        if loop is not None:
            # The loop may have ended between here and there; then nobody listens.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell_now)

    def _tell_now(self) -> None:
        if self._loop is not None:
            self.on_news()


def _taken(told: deque[str]) -> list[str]:
    """Empty `told` and return what it held."""
    taken = []
    with contextlib.suppress(IndexError):
        while True:
            taken.append(told.popleft())
    return taken


def _has_content(path: Path) -> bool:
    """Whether there is something in the file: what it lost was taken out on purpose."""
    try:
        return path.stat().st_size > 0
    except (OSError, ValueError):
        return False
