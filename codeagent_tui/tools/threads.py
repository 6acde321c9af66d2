"""Blocking work beside the loop, and what becomes of it when the turn is interrupted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


async def to_completion(work: Callable[P, ResultT], /, *args: P.args, **kwargs: P.kwargs) -> ResultT:
    """Return what `work` returns in a thread. For short work that must not be left half done.

    Cancelling waits for its end: a thread cannot be stopped, and nobody else may start on the same file meanwhile.
    """
    task = asyncio.create_task(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        # What it raised, if it did, is of no interest to a turn that was interrupted.
        if not task.cancelled():
            task.exception()
        raise


async def stoppable(work: Callable[[Callable[[], bool]], ResultT]) -> ResultT:
    """Return what `work` returns in a thread. It is given a question, "go on?", to ask as often as it can.

    Cancelling makes the answer no, and returns at once.
    """
    stopped = threading.Event()
    try:
        return await asyncio.to_thread(work, lambda: not stopped.is_set())
    finally:
        stopped.set()
