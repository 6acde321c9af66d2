"""An event loop that does not sit out idle time: what takes half an hour of waiting takes seconds, and says so right.

Its clock is the real one plus what was skipped. Time is skipped only while nothing can come from outside: no thread
works, no process runs, no connection is open, and all that is left is to wait for a timer. So work counts at its real
speed and a wait counts at its full length.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

ResultT = TypeVar("ResultT")
ArgumentTs = TypeVarTuple("ArgumentTs")
_OWN_DESCRIPTORS = 1
"""The loop's own, by which threads wake it."""
_CHILD_THREAD = "waitpid-"
"""How asyncio names the thread that waits for the end of a process."""


class _Selector(selectors.DefaultSelector):
    """Skips a wait that only a timer can end."""

    def __init__(self, may_skip: Callable[[], bool], skip: Callable[[float], None]) -> None:
        super().__init__()
        self._may_skip = may_skip
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; wait only where something can become ready."""
        if timeout is None or timeout <= 0 or not self._may_skip():
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self._skip(timeout)
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """The loop. `time()` runs on while it skips."""

    def __init__(self) -> None:
        self.skipped = 0.0
        self._at_work = 0
        self._selecting = _Selector(self._is_alone, self._skip)
        super().__init__(self._selecting)

    def time(self) -> float:
        """Return the real time plus what was skipped."""
        return super().time() + self.skipped

    def _skip(self, seconds: float) -> None:
        self.skipped += seconds

    def _is_alone(self) -> bool:
        if self._at_work or len(self._selecting.get_map()) > _OWN_DESCRIPTORS:
            return False
        return not any(thread.name.startswith(_CHILD_THREAD) for thread in threading.enumerate())

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[ArgumentTs]], ResultT], *args: *ArgumentTs
    ) -> asyncio.Future[ResultT]:
        """Run `func` in a thread; until it is done no time is skipped."""
        future = super().run_in_executor(executor, func, *args)
        self._at_work += 1
        future.add_done_callback(self._one_less)
        return future

    def _one_less(self, future: asyncio.Future[Any]) -> None:
        self._at_work -= 1


def run(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run `work` on a loop of this kind."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(work)
