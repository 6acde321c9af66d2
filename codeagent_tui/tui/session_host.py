"""Owns the session for the screen: opens it after the first frame, sends what the user says, stops, closes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.app import App
from textual.worker import Worker

from codeagent_tui.paths import Paths
from codeagent_tui.settings import Settings
from codeagent_tui.text import clean_text
from codeagent_tui.tui.core_loading import SessionOpener
from codeagent_tui.tui.instruments import Instruments

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session
    from codeagent_tui.conversation.events import AgentEvent
    from codeagent_tui.sessions.log import SessionLog
    from codeagent_tui.tui.turn_view import TurnView

ResultT = TypeVar("ResultT")

_log = logging.getLogger(__name__)
_CLOSING_TIME = 1.5
"""Seconds that closing may take; the process ends within three in any case."""


_GIVES_BACK = ("interrupted", "failed")
"""After these ends (values of `EndReason`) what was queued is not sent unasked."""


class NoSession(Exception):
    """The session is not open yet; the message says what to do."""


class SessionHost:
    """The one owner of the session and of the tasks that use it.

    `changed` is called when a session was opened, exchanged or renamed; `give_back` gets queued messages that were
    not sent, so that they return to the composer.
    """

    def __init__(
        self,
        app: App[int],
        on: Instruments,
        *,
        make_view: Callable[[], TurnView],
        opener: SessionOpener,
        changed: Callable[[], None],
        running_changed: Callable[[bool], None],
        give_back: Callable[[tuple[str, ...]], None],
    ) -> None:
        self._app = app
        self._on = on
        self._make_view = make_view
        self._view: TurnView | None = None
        self._opener = opener
        self._changed = changed
        self._running_changed = running_changed
        self._give_back = give_back
        self._session: Session | None = None
        self._early: list[str] = []
        self._untold: list[str] = []
        self._recalled: tuple[SessionLog, str] | None = None
        self._turn: Worker[None] | None = None
        self._side_works: set[Worker[None]] = set()
        self._stopping = False
        self._failed_log: SessionLog | None = None
        self.on_step: Callable[[], None] = lambda: None
        """Told when the next request has become another within a turn."""

    @property
    def session(self) -> Session:
        """The open session.

        Raises:
            NoSession: before it is open.
        """
        if self._session is None:
            raise NoSession("The session is still opening; try again in a moment.")
        return self._session

    @property
    def view(self) -> TurnView:
        """What shows the events; it is made when it is first needed, for its imports would delay the first frame."""
        if self._view is None:
            self._view = self._make_view()
        return self._view

    def _notice(self, level: str, text: str) -> None:
        self._on.transcript.add_notice(level, clean_text(text))

    @property
    def is_open(self) -> bool:
        """Whether there is a session."""
        return self._session is not None

    @property
    def running(self) -> bool:
        """Whether there is something that esc would stop."""
        return self._turn is not None or bool(self._side_works)

    @property
    def in_turn(self) -> bool:
        """Whether the agent works."""
        return self._turn is not None

    async def open(self, settings: Settings, paths: Paths, workspace: Path, resume: str | None) -> None:
        """Open the session, show what it resumes, and send what was typed meanwhile."""
        try:
            self._session = await self._opener(settings, paths, workspace, resume)
        except Exception as error:  # noqa: BLE001  the worker rim: a screen that says what is wrong beats a traceback
            _log.exception("the session could not be opened")
            self._notice("error", f"{error} A new session is opened instead." if resume else f"{error}")
            if resume is None:
                self._notice("error", "Without a session nothing can be sent. Mend it and start again.")
                return
            await self.open(settings, paths, workspace, None)
            return
        session = self._session
        if session.agent.history.messages:
            self._on.transcript.load(session.agent.history.messages)
        for notice in filter(None, (*session.notices, session.agent.gate.notice)):
            self._notice("warning", notice)
        session.agent.memory.on_compression = lambda _: self._changed()
        session.agent.memory.on_compressing = self._on.gauge.show_condensing
        session.agent.on_background = self._show_beside
        session.agent.memory.on_change = self._memory_changed
        session.agent.memory.watch()
        self._tell_notices()
        self._changed()
        self._send_early()

    def _send_early(self) -> None:
        """Send what was typed while there was no session to send it to."""
        early, self._early = self._early, []
        self._on.waiting.show(())
        for text in early:
            self.send(text)

    def _show_beside(self, event: AgentEvent) -> None:
        """Show what goes on while no turn is running: a compaction."""
        if self._app.is_running:
            self.view.show(event)
            self._changed()

    def _memory_changed(self) -> None:
        if self._session is None or not self._app.is_running:
            return
        for change in self._session.agent.memory.take_changes():
            self._notice("info", f"{change}. It counts from the next request on.")
        self._tell_notices()
        self._changed()
        if not self.in_turn:
            # Not a coroutine made here: one that is displaced before it begins would never be awaited.
            _: Worker[None] = self._app.run_worker(
                self._take_up_files, group="files", exclusive=True, exit_on_error=False
            )

    async def _take_up_files(self) -> None:
        """Let the gauge and the inspector show the next request as it would be with the files as they are now."""
        if self._session is not None:
            await self._session.agent.core.refresh_project_context()
            self._changed()

    def _tell_notices(self) -> None:
        for notice in self.session.agent.memory.take_notices():
            self._notice("warning", notice)
        self._tell_log()

    def _tell_log(self) -> None:
        """Say it when the session can no longer be written to disk, and when it can again; each once."""
        if self._session is None:
            return
        log = self._session.log
        failure = log.failure
        if failure is not None and self._failed_log is not log:
            self._failed_log = log
            why = f"{failure.strerror or failure}"
            self._notice(
                "error", f"This session cannot be written to disk ({why}). It goes on in memory and is tried again."
            )
        elif failure is None and self._failed_log is log:
            self._failed_log = None
            self._notice("info", "This session is written to disk again; nothing of it was lost.")

    async def resume(self, wanted: str) -> tuple[str, ...]:
        """Go on with the session whose id begins with `wanted`; return its notices. What is sent meanwhile waits.

        Raises:
            SessionError: when it is not there or cannot be read; the current one goes on then.
        """
        return await self.exchanged(lambda session: asyncio.to_thread(session.resume, wanted))

    async def exchanged(self, change: Callable[[Session], Awaitable[ResultT]]) -> ResultT:
        """Let `change` exchange the conversation and return what it does. What is sent meanwhile waits."""
        session, self._session = self.session, None
        try:
            return await change(session)
        finally:
            self._session = session
            self._send_early()

    def send(self, text: str) -> None:
        """Send `text`: at once, after the running turn, or as soon as the session is open."""
        if self._session is None:
            self._early.append(text)
            self._on.waiting.show(self._early)
        elif self.in_turn:
            self._session.agent.queue(text)
        else:
            self._tell_recalled(self._session)
            self.follow(self._session.agent.run(text))

    def recall(self, block: str) -> None:
        """Let the agent read `block` just before the user's next message, once; another one takes its place."""
        self._recalled = (self.session.log, block) if block else None

    def _tell_recalled(self, session: Session) -> None:
        recalled, self._recalled = self._recalled, None
        # What was looked up in one conversation is not told in another.
        if recalled is not None and recalled[0] is session.log:
            from codeagent_tui.conversation.messages import Message, MessageKind, Role

            session.agent.core.record(Message(Role.USER, recalled[1], kind=MessageKind.RECALLED))

    def follow(self, events: AsyncIterator[AgentEvent]) -> None:
        """Show `events` to their end, as the turn that can be stopped."""
        self._stopping = False
        self.view.last_end = None
        self._on.status.begin("working")
        self._turn = self._app.run_worker(self._consume(events), group="turn", exit_on_error=False)
        self._running_changed(True)

    async def _consume(self, events: AsyncIterator[AgentEvent]) -> None:
        try:
            async for event in events:
                self.view.show(event)
                self._tell_log()
                self._tell_of_step(event)
        except Exception as error:  # noqa: BLE001  the turn rim
            _log.exception("the screen could not follow a turn")
            self._notice("error", f"The turn broke off: {type(error).__name__}: {error}")
        finally:
            self._turn = None
            self._after_turn()

    def _tell_of_step(self, event: AgentEvent) -> None:
        from codeagent_tui.conversation.events import ContextMeasured

        if isinstance(event, ContextMeasured):
            self.on_step()

    def _after_turn(self) -> None:
        stopped, self._stopping = self._stopping, False
        if not self._app.is_running:
            return
        self._tell()
        if self._session is not None:
            self._tell_notices()
        ended = self.view.last_end
        left = self._session.agent.take_back_queue() if self._session is not None else ()
        self._on.waiting.show(())
        self._on.status.waiting(0)
        if not self._side_works:
            self.view.finish()
        self._changed()
        self._running_changed(self.running)
        if stopped or (ended is not None and ended.reason in _GIVES_BACK):
            if left:
                self._give_back(left)
        elif left:
            # Queued during a compaction, or between the turn's end and this moment: nobody else would send it.
            self.send("\n\n".join(left))

    def tell_agent(self, text: str) -> None:
        """Let the agent know `text` with its next request; a running turn is not disturbed by it."""
        self._untold.append(text)
        if not self.in_turn:
            self._tell()

    def _tell(self) -> None:
        if self._session is not None and self._untold:
            from codeagent_tui.conversation.messages import user

            untold, self._untold = self._untold, []
            for text in untold:
                self._session.agent.core.record(user(text))
            self._on.gauge.show(self._session.agent.reading())

    def beside(self, work: Coroutine[None, None, None], word: str) -> None:
        """Run `work` (a shell line) beside the conversation; esc stops it too."""
        if not self.running:
            self._on.status.begin(word)

        async def guarded() -> None:
            try:
                await work
            except Exception as error:  # noqa: BLE001  the worker rim
                _log.exception("%s failed", word)
                self._notice("error", f"{word} failed: {error}")
            finally:
                self._side_works.discard(worker)
                if not self.running:
                    self.view.finish()
                self._running_changed(self.running)

        worker = self._app.run_worker(guarded(), group="side", exit_on_error=False)
        self._side_works.add(worker)
        self._running_changed(True)

    def interrupt(self) -> None:
        """Stop what runs: first the way that lets it end in order; pressed again, whatever is left of it."""
        for worker in list(self._side_works):
            worker.cancel()
        if self._turn is None or self._session is None:
            return
        self._on.status.stopping()
        if self._stopping:
            self._turn.cancel()
        else:
            self._stopping = True
            self._session.agent.interrupt()

    async def close(self) -> None:
        """Close the session, within a bounded time."""
        session, self._session = self._session, None
        if session is None:
            return
        try:
            async with asyncio.timeout(_CLOSING_TIME):
                await session.aclose()
        except TimeoutError:
            _log.warning("the session did not close in time")
