"""The sessions on disk as the dialog of sessions needs them, around the one that is open."""

from __future__ import annotations

import asyncio

from codeagent_tui.agent.session import Session
from codeagent_tui.sessions.store import Place, SessionError, SessionSummary, all_sessions
from codeagent_tui.text import one_line
from codeagent_tui.tui.session_rows import ListedSession

LONGEST_TITLE = 80


class SessionLibrary:
    """Lists, renames and deletes; reading and writing happen in threads."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def current(self) -> str:
        """The id of the session that is open."""
        return self._session.log.session_id

    async def sessions(self, *, everywhere: bool) -> list[ListedSession]:
        """Return the sessions of this folder, or of all, newest first."""
        return await asyncio.to_thread(self._listed, everywhere)

    def _listed(self, everywhere: bool) -> list[ListedSession]:
        store = self._session.store
        found = all_sessions(self._session.paths.history) if everywhere else store.summaries()
        return [
            ListedSession(summary, store.disk_use(summary), summary.path.parent == store.folder) for summary in found
        ]

    async def rename(self, summary: SessionSummary, title: str) -> None:
        """Give a session another title.

        Raises:
            SessionError: when another window writes it, or it cannot be written.
        """
        title = one_line(title, LONGEST_TITLE)
        if summary.session_id == self.current:
            self._session.log.append_title(title)
        else:
            await asyncio.to_thread(self._session.store.rename, summary, title)

    async def delete(self, summary: SessionSummary) -> None:
        """Delete a session for good.

        Raises:
            SessionError: when a window has it open, or something could not be deleted.
        """
        if summary.session_id == self.current:
            raise SessionError("That is the session that is open; /new begins another one, then it can be deleted.")
        await asyncio.to_thread(self._session.store.delete, summary)

    def is_gone(self, summary: SessionSummary) -> bool:
        """Whether the folder of a session cannot be entered any more."""
        return self._session.store.place_of(summary) is Place.GONE
