"""Prepares a compaction beside the conversation; whoever owns the history puts it in place at a safe point."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

from codeagent_tui.context.outcome import NotCompacted, PreparedCompaction

_log = logging.getLogger(__name__)


class BackgroundCompaction:
    """At most one compaction at a time. Call it from the event loop's thread only; `aclose` it."""

    def __init__(self, finished: Callable[[], None]) -> None:
        """`finished` is called on the loop when there is something to `take`."""
        self._finished = finished
        self._task: asyncio.Task[PreparedCompaction] | None = None

    @property
    def running(self) -> bool:
        """Whether one is being prepared."""
        return self._task is not None and not self._task.done()

    def start(self, work: Coroutine[object, object, PreparedCompaction]) -> None:
        """Begin `work`; what an earlier one left is forgotten.

        Raises:
            RuntimeError: when one is running.
        """
        if self.running:
            work.close()
            raise RuntimeError("A compaction is being prepared already.")
        task = self._task = asyncio.create_task(work, name="compact history")
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[PreparedCompaction]) -> None:
        if not task.cancelled() and task is self._task:
            self._finished()

    def take(self) -> PreparedCompaction | NotCompacted | None:
        """Return how the finished one ended, once; None when there is nothing new."""
        task = self._task
        if task is None or not task.done():
            return None
        self._task = None
        if task.cancelled():
            return NotCompacted("It was cancelled; nothing was changed.")
        error = task.exception()
        if error is None:
            return task.result()
        if isinstance(error, NotCompacted):
            return error
        _log.error("a compaction failed", exc_info=error)
        return NotCompacted(f"An internal error ended it ({type(error).__name__}); nothing was changed.")

    async def wait(self) -> None:
        """Wait until the running one has ended. Cancelling the wait leaves it running."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def aclose(self) -> None:
        """Stop what runs; nothing is left to take."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def forget(self) -> None:
        """Stop what runs without waiting for it: it belongs to a conversation that is gone.

        The one method that any thread may call: a session is resumed in one.
        """
        task, self._task = self._task, None
        if task is not None and not task.done():
            task.get_loop().call_soon_threadsafe(task.cancel)
