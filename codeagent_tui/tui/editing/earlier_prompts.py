"""Earlier prompts as the composer uses them: walked through, searched, added to; their file is a thread's work."""

from __future__ import annotations

import asyncio
from pathlib import Path

from codeagent_tui.tui.editing.history_search import HistorySearch
from codeagent_tui.tui.editing.prompt_history import PromptHistory
from codeagent_tui.tui.editing.recall import Recall


class EarlierPrompts:
    """The history of one composer; `search` is the one in progress, if any."""

    def __init__(self, path: Path | None) -> None:
        self._history = PromptHistory(path)
        self._recall = Recall(self._history.entries)
        self.search: HistorySearch | None = None

    async def load(self) -> None:
        """Read what earlier runs have left."""
        self._history.put_before(await asyncio.to_thread(self._history.read_older))

    def add(self, text: str) -> None:
        """Make `text` the newest entry."""
        if self._history.add(text):
            asyncio.get_running_loop().run_in_executor(None, self._history.flush)

    def step(self, by: int, shown: str) -> str | None:
        """Return the entry one older (-1) or newer (1) than the one on show, whose text is now `shown`."""
        return self._recall.older(shown) if by < 0 else self._recall.newer(shown)

    def restart(self) -> None:
        """Begin at the draft again."""
        self._recall.restart()

    def begin_search(self) -> None:
        """Search, with nothing typed yet."""
        self.search = HistorySearch(self._history.entries)

    def take_found(self) -> str | None:
        """End the search and return what was chosen in it."""
        found = self.search.result if self.search is not None else None
        self.search = None
        return found
