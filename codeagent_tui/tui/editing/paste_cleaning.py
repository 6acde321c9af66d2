"""Cleans large pastes while the loop does other things."""

from __future__ import annotations

import asyncio

from codeagent_tui.tui.editing.pastes import Paste


class PasteCleaning:
    """Owns the tasks that clean the pastes of one composer."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, paste: Paste) -> None:
        """Clean `paste` in small steps; whoever asks for its text earlier gets it cleaned at once."""
        task = asyncio.create_task(_clean(paste), name="clean a paste")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Leave the pastes as they are."""
        for task in self._tasks:
            task.cancel()


async def _clean(paste: Paste) -> None:
    for _ in paste.clean_by_steps():
        await asyncio.sleep(0)
