"""Asks for file names while the user types: one question at a time, always the newest, never waited for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

FileProvider: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]
"""Returns paths that could be meant by the beginning that was typed; may be slow, may be cancelled."""

_MOST_NAMES = 1_000

_log = logging.getLogger(__name__)


class FileCompletion:
    """The names that are known for what is being typed; `changed` is called when there are new ones."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.provider: FileProvider | None = None
        self.names: Sequence[str] = ()
        self._changed = changed
        self._asked = ""
        self._task: asyncio.Task[None] | None = None

    def ask(self, query: str) -> None:
        """Look for what fits `query`. While an earlier question is open, only the newest one waits behind it."""
        self._asked = query
        if self.provider is not None and self._task is None:
            self._task = asyncio.create_task(self._answer(self.provider), name="file names")

    def stop(self) -> None:
        """Forget the names and stop asking."""
        self.names = ()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _answer(self, provider: FileProvider) -> None:
        answered = None
        while answered != self._asked:
            answered = self._asked
            try:
                names = await provider(answered)
            except Exception:  # noqa: BLE001  the worker rim: without names the user can still type
                _log.exception("no file names for %r", answered)
                names = ()
            self.names = names[:_MOST_NAMES]
            self._changed()
        self._task = None
