"""What the user wants: a slash command, a shell line, a note, a message; and whether it can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagent_tui.tui.commands import BY_ID, BY_SLASH, Command, nearest_slash, parse_slash
from codeagent_tui.tui.fact_line import fact_line
from codeagent_tui.tui.note_line import note_in, unescaped

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_SHELL = "!"


class Intents:
    """Takes what was submitted or chosen and sees to it; what cannot be done is said, and not lost."""

    def __init__(self, app: CodeAgentApp) -> None:
        self._app = app

    def submit(self, text: str) -> None:
        """Do what `text` says."""
        slash = parse_slash(text)
        if slash is not None:
            self._slash(text, *slash)
        elif text.startswith(_SHELL) and text[1:].strip():
            self.perform(BY_ID["shell"], text[1:].strip(), typed=text)
        elif note_in(text):
            self.perform(BY_ID["note"], text, typed=text)
        elif text.strip():
            self._app.transcript.follow()
            self._app.host.send(unescaped(text))

    def _slash(self, text: str, word: str, argument: str) -> None:
        command = BY_SLASH.get(word)
        if command is not None:
            self.perform(command, argument, typed=text)
            return
        meant = nearest_slash(word)
        hint = f"Did you mean {meant}?" if meant else "/help lists them."
        self._app.notice(f"There is no command {word}. {hint}")
        self._app.composer.set_text(text)

    def perform(self, command: Command, argument: str = "", *, typed: str = "") -> None:
        """Do `command`, or say why that is not possible now; words that were `typed` for it come back then."""
        app = self._app
        refusal = self._refusal(command)
        if refusal:
            app.notice(f"{command.usage or command.summary}: {refusal}", "warning")
            if argument and typed:
                app.give_back((typed,))
        elif command.opening and not argument:
            app.composer.set_text(fact_line(app) if command.id == "save" else command.opening)
            app.composer.focus()
        else:
            from codeagent_tui.tui.acts import act

            app.run_worker(act(app, command, argument), group="acts", exit_on_error=False)

    def _refusal(self, command: Command) -> str:
        if command.while_running and self._app.host.in_turn:
            return command.while_running
        if command.needs_session and not self._app.host.is_open:
            return "The session is still opening; try again in a moment."
        return ""
