"""CodeAgentApp: composes the screen and wires it to the core. It knows no rule of memory, tools or compaction."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.actions import SkipAction
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.containers import Horizontal
from textual.screen import Screen
from textual.signal import Signal
from textual.types import CSSPathType
from textual.worker import WorkerFailed

from codeagent_tui.paths import Paths, styles_dir
from codeagent_tui.settings import Settings
from codeagent_tui.text import clean_text
from codeagent_tui.tui.approvals import ApprovalDesk
from codeagent_tui.tui.budget_gauge import BudgetGauge
from codeagent_tui.tui.commands import BY_ID, BY_SLASH
from codeagent_tui.tui.composer import CommandHint, Composer
from codeagent_tui.tui.core_loading import SessionOpener, open_real_session, prepare_model
from codeagent_tui.tui.drafts import DraftStore
from codeagent_tui.tui.inspector.dock import InspectorDock
from codeagent_tui.tui.instruments import Instruments
from codeagent_tui.tui.intents import Intents
from codeagent_tui.tui.key_bar import KeyBar
from codeagent_tui.tui.key_bindings import app_bindings
from codeagent_tui.tui.repository import current_branch
from codeagent_tui.tui.session_host import SessionHost
from codeagent_tui.tui.status_line import StatusLine
from codeagent_tui.tui.steady_stylesheet import SteadyStylesheet
from codeagent_tui.tui.themes import DARK, DEFAULTS, THEMES
from codeagent_tui.tui.transcript import Transcript
from codeagent_tui.tui.waiting_list import TodoLine, WaitingList
from codeagent_tui.tui.welcome import welcome_text

if TYPE_CHECKING:
    from codeagent_tui.tui.file_names import FileNames
    from codeagent_tui.tui.stop_keys import StopKeys
    from codeagent_tui.tui.turn_view import TurnView

_STYLES = (
    "app",
    "transcript",
    "composer",
    "status_line",
    "budget_gauge",
    "key_bar",
    "waiting_list",
    "line_view",
    "inspector",
)
OFFLINE_NAME = "offline"
"""How the embedded engine is called; importing it only to ask for that would be dear."""
_TYPING_SECONDS = 1.0
"""Whoever changed the draft within this time is taken to be typing still."""


def _table_provider() -> type[Provider]:
    from codeagent_tui.tui.palette import TableProvider

    return TableProvider


class CodeAgentApp(App[int], inherit_bindings=False):
    """The screen. `opener` opens a session; tests pass one that uses a scripted model."""

    TITLE = "CodeAgent"
    CSS_PATH: ClassVar[CSSPathType | None] = [styles_dir() / f"{name}.tcss" for name in _STYLES]
    BINDINGS: ClassVar[list[BindingType]] = app_bindings()
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_table_provider}
    AUTO_FOCUS = None
    # Textual's own declaration makes these instance variables to a type checker.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-bare"), (5, "-tiny"), (10, "-low"), (20, "-high")]  # noqa: RUF012

    def __init__(
        self,
        settings: Settings,
        paths: Paths,
        workspace: Path,
        *,
        resume: str | None = None,
        message: str | None = None,
        opener: SessionOpener = open_real_session,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.paths = paths
        self.workspace = workspace
        self._resume = resume
        self._message = message
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = settings.theme if settings.theme in self.available_themes else DARK
        self.stylesheet = SteadyStylesheet(variables=self.get_css_variables())
        self.drafts = DraftStore(paths, workspace)
        self.transcript = Transcript()
        self.composer = Composer(paths.prompt_history)
        self.status = StatusLine()
        self.key_bar = KeyBar()
        self.gauge = BudgetGauge()
        self.waiting = WaitingList()
        self.todos = TodoLine()
        self.approvals = ApprovalDesk(self)
        self._instruments = Instruments(self.transcript, self.status, self.gauge, self.waiting, self.todos)
        self.host = SessionHost(
            self,
            self._instruments,
            make_view=self._make_view,
            opener=opener,
            changed=self.show_session,
            running_changed=self.key_bar.show_stop,
            give_back=self.give_back,
        )
        self.intents = Intents(self)
        self._stop_keys: StopKeys | None = None
        self.inspector = InspectorDock(self)
        self.request_changed: Signal[None] = Signal(self, "request-changed")
        """Published when the next request may have become another."""
        self.host.on_step = self._tell_of_request
        self.crash: BaseException | None = None
        self.when_leaving: Callable[[int], None] = lambda _: None
        self.all_folded = False
        self._file_names: FileNames | None = None
        self._typed_at = 0.0
        self._leaving = False

    def get_default_screen(self) -> Screen[object]:
        """Return the screen with the classes of its size already: else all styles are made twice at the start."""
        classes = [_at_least(self.HORIZONTAL_BREAKPOINTS, self.size.width)]
        classes.append(_at_least(self.VERTICAL_BREAKPOINTS, self.size.height))
        return Screen(id="_default", classes=" ".join(classes))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return what themes that are not ours lack."""
        return dict(DEFAULTS)

    def compose(self) -> ComposeResult:
        """Lay the screen out: transcript, what waits, status, composer, keys, gauge."""
        with Horizontal(id="upper"):
            yield self.transcript
        yield self.waiting
        yield self.todos
        yield self.status
        yield self.composer
        yield self.key_bar
        yield self.gauge

    def on_mount(self) -> None:
        """Take keys at once; everything slow comes after the first frame."""
        self.composer.placeholder = "Ask, or / for commands, @ for files, ! for a shell line, # for a note"
        # At once, not with the next message as `focus` would: a key that was pressed before the first frame counts.
        self.screen.set_focus(self.composer, scroll_visible=False)
        self.composer.set_text(self.drafts.take())
        self.composer.set_providers(
            commands=[CommandHint(c.slash, c.argument, c.summary) for c in BY_SLASH.values()],
            files=self._complete_file,
        )
        self.status.identify(folder=_shown_folder(self.workspace), mode=self.settings.mode)
        # After `fg` the terminal shows the shell's text; Textual draws only what has changed since.
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))
        if self._message:
            self.host.send(self._message)
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        self.run_worker(self._open_session(), group="open")

    async def _open_session(self) -> None:
        await self.host.open(self.settings, self.paths, self.workspace, self._resume)
        if self.host.is_open:
            await prepare_model(self.host.session)
            if self._resume is None:
                from codeagent_tui.tui.unfinished import offer_unfinished

                await offer_unfinished(self)
        await self.read_branch()
        if self.host.is_open:
            from codeagent_tui.tui.acts.memory import offer_adoption

            await offer_adoption(self)
        if self.status.identity.offline and self.settings.discover:
            from codeagent_tui.tui.local_servers import offer_local_servers

            await offer_local_servers(self)

    async def read_branch(self) -> None:
        """Show the branch that the workspace is on."""
        self.status.identify(branch=await asyncio.to_thread(current_branch, self.workspace))

    async def _complete_file(self, beginning: str) -> list[str]:
        from codeagent_tui.tui.file_names import FileNames

        if self._file_names is None:
            self._file_names = FileNames(self.workspace)
        return await asyncio.to_thread(self._file_names.matching, beginning)

    def show_session(self) -> None:
        """Bring the instruments up to date with the session."""
        if not self.host.is_open:
            return
        agent = self.host.session.agent
        offline = agent.model.name == OFFLINE_NAME
        self.status.identify(model=agent.model.name, offline=offline, mode=agent.gate.mode)
        self.transcript.set_welcome(welcome_text(_shown_folder(self.workspace), offline=offline))
        self.gauge.show(agent.reading())
        self.gauge.show_cost(self.host.session.log.cost)
        self.gauge.show_condensing(agent.memory.compressing)
        if not agent.compaction.running and not self.host.in_turn:
            self.gauge.show_compaction(None)
        self.todos.show(agent.todos)
        self._tell_of_request()

    def _tell_of_request(self) -> None:
        self.inspector.refresh()
        self.request_changed.publish(None)

    def notice(self, text: str, level: str = "info") -> None:
        """Say something in the transcript; `level` is a `NoticeLevel` or its value."""
        self.transcript.add_notice(level, clean_text(text))

    def _make_view(self) -> TurnView:
        from codeagent_tui.tui.turn_view import TurnView

        return TurnView(self._instruments, self.approvals.ask)

    @property
    def typing(self) -> bool:
        """Whether the user is in the middle of typing."""
        return time.monotonic() - self._typed_at < _TYPING_SECONDS

    @on(Composer.Changed)
    def _note_typing(self, event: Composer.Changed) -> None:
        """Note that the user types."""
        self._typed_at = time.monotonic()
        if self._stop_keys is not None:
            self._stop_keys.disarm()

    @on(Composer.Submitted)
    def take(self, event: Composer.Submitted) -> None:
        """Take what was sent."""
        self._typed_at = 0.0
        self.intents.submit(event.text)

    def give_back(self, texts: tuple[str, ...]) -> None:
        """Put messages that were not sent before the draft."""
        self.composer.set_text("\n\n".join((*texts, *filter(None, [self.composer.draft]))))

    @on(Transcript.FollowChanged)
    def show_what_is_below(self, event: Transcript.FollowChanged) -> None:
        """Show or hide the hint that there is output below."""
        self.status.unseen(event.unseen and not event.following)

    @on(Transcript.Copied)
    def say_copied(self, event: Transcript.Copied) -> None:
        """Say that something was copied."""
        self.status.flash(f"copied {len(event.text):,} characters")

    def action_perform(self, command_id: str) -> None:
        """Do the command of a key; keys of the app do not reach through a dialog."""
        self._only_without_dialog()
        self.intents.perform(BY_ID[command_id])

    def action_stop_key(self, key: str) -> None:
        """Do what esc, ctrl+c or ctrl+d mean now."""
        from codeagent_tui.tui.key_rules import StopKey
        from codeagent_tui.tui.stop_keys import StopKeys

        if self._stop_keys is None:
            self._stop_keys = StopKeys(self)
        self._stop_keys.press(StopKey(key))

    def action_scroll_transcript(self, where: str) -> None:
        """Scroll the transcript while the composer keeps the focus."""
        self._only_without_dialog()
        if not self.composer.has_focus_within or (where == "end" and self.composer.draft):
            raise SkipAction
        self.transcript.scroll_by_key(where)

    def action_command_palette(self) -> None:
        """Open the palette, unless a dialog waits for an answer."""
        self._only_without_dialog()
        super().action_command_palette()

    def _only_without_dialog(self) -> None:
        if self.screen.is_modal:
            raise SkipAction

    async def leave(self, status: int = 0) -> None:
        """End the program in order: the draft is kept, the session closed."""
        if self._leaving:
            return
        self._leaving = True
        self.when_leaving(status)
        self.keep_draft()
        try:
            await self.host.close()
        finally:
            self.exit(status)

    def leave_soon(self, status: int) -> None:
        """Begin to leave; for callers outside the app's own tasks."""
        self.run_worker(self.leave(status), group="leave")

    def keep_draft(self) -> None:
        """Store what is typed and what waits, for the next start here."""
        self.drafts.keep("\n\n".join(filter(None, (*self.waiting.texts, self.composer.draft))))

    def _handle_exception(self, error: Exception) -> None:
        # Textual would print a traceback with every local variable over the terminal; it goes to a log instead.
        self.crash = self.crash or (error.error if isinstance(error, WorkerFailed) else error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()


def _at_least(breakpoints: list[tuple[int, str]], cells: int) -> str:
    return next(name for least, name in reversed(breakpoints) if cells >= least)


def _shown_folder(folder: Path) -> str:
    home = Path.home()
    return f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else str(folder)


def run_app(
    settings: Settings, paths: Paths, workspace: Path, *, resume: str | None = None, message: str | None = None
) -> int:
    """Show the screen until the user leaves; return the exit status."""
    from codeagent_tui.tui.terminal_run import run_in_terminal

    return run_in_terminal(CodeAgentApp(settings, paths, workspace.resolve(), resume=resume, message=message))
