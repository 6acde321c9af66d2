"""Puts large pastes aside and cleans them while the loop does other things."""

from __future__ import annotations

import asyncio

from codeagent_tui.text import clean_text
from codeagent_tui.tui.editing.pastes import Paste, PasteShelf


class PasteCleaning:
    """Owns the tasks that clean the pastes of one composer."""

    def __init__(self, shelf: PasteShelf) -> None:
        self._shelf = shelf
        self._tasks: set[asyncio.Task[None]] = set()

    def shelve(self, text: str) -> str:
        """Put `text` on the shelf and return its stand-in.

        It is cleaned in small steps; whoever asks for its text earlier gets it cleaned at once.
        """
        try:
            stand_in, paste = self._shelf.put(text)
        except OverflowError:
            # Slow to edit, but whole.
            return clean_text(text)
        task = asyncio.create_task(_clean(paste), name="clean a paste")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return stand_in

    def stop(self) -> None:
        """Leave the pastes as they are."""
        for task in self._tasks:
            task.cancel()


async def _clean(paste: Paste) -> None:
    for _ in paste.clean_by_steps():
        await asyncio.sleep(0)
