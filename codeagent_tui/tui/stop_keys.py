"""Carries out what `key_rules` decides for esc, ctrl+c and ctrl+d."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual.actions import SkipAction

from codeagent_tui.tui.commands import BY_ID
from codeagent_tui.tui.key_rules import KeyAct, KeyState, Layer, StopKey, decide

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_ARMED_SECONDS = 3.0
"""The second press, which quits or opens the list of turns, must come this soon."""
_ARMS = (KeyAct.ARM_QUIT, KeyAct.ARM_REWIND)


class StopKeys:
    """Knows how to read the state off the screen, and what a second press would do."""

    def __init__(self, app: CodeAgentApp) -> None:
        self._app = app
        self._armed: KeyAct | None = None
        self._armed_until = 0.0

    def press(self, key: StopKey) -> None:
        """Do what `key` means now.

        Raises:
            SkipAction: when the key belongs to the layer or to the composer.
        """
        act = decide(key, self.state())
        if act not in _ARMS:
            self.disarm()
        self._do(act, key)

    def state(self) -> KeyState:
        """Return the state that the rules depend on."""
        app = self._app
        return KeyState(
            layer=self._layer(),
            running=app.host.running,
            draft=bool(app.composer.draft),
            selection=bool(self._selected_text()),
            quit_armed=self._is_armed(KeyAct.ARM_QUIT),
            rewindable=app.host.is_open and app.host.session.log.started,
            rewind_armed=self._is_armed(KeyAct.ARM_REWIND),
        )

    def disarm(self) -> None:
        """Any other act takes the readiness back."""
        if self._armed is not None:
            self._armed = None
            self._app.status.unflash()

    def _arm(self, act: KeyAct, told: str) -> None:
        self._armed = act
        self._armed_until = time.monotonic() + _ARMED_SECONDS
        self._app.status.flash(told, _ARMED_SECONDS)

    def _is_armed(self, act: KeyAct) -> bool:
        return self._armed is act and time.monotonic() < self._armed_until

    def _layer(self) -> Layer:
        app = self._app
        if app.screen.is_modal:
            return Layer.APPROVAL if app.approvals.showing else Layer.DIALOG
        if app.composer.completing:
            return Layer.COMPLETION
        return Layer.INSPECTOR if app.inspector.has_focus else Layer.NONE

    def _selected_text(self) -> str:
        return self._app.screen.get_selected_text() or ""

    def _do(self, act: KeyAct, key: StopKey) -> None:
        app = self._app
        match act:
            case KeyAct.PASS_ON:
                raise SkipAction
            case KeyAct.NOTHING:
                return
            case KeyAct.COPY:
                text = self._selected_text()
                app.copy_to_clipboard(text)
                app.screen.clear_selection()
                app.status.flash(f"copied {len(text):,} characters")
            case KeyAct.CLOSE_DIALOG:
                app.screen.dismiss(None)
            case KeyAct.CLOSE_COMPLETION:
                app.composer.close_completion()
            case KeyAct.LEAVE_INSPECTOR:
                app.inspector.leave()
            case KeyAct.INTERRUPT:
                app.host.interrupt()
            case KeyAct.STASH_DRAFT:
                app.composer.remember(app.composer.draft)
                app.composer.clear()
                app.status.flash("draft put aside; up brings it back")
            case KeyAct.ARM_REWIND:
                self._arm(act, "press esc again to go back to an earlier turn")
            case KeyAct.REWIND:
                app.intents.perform(BY_ID["rewind"])
            case KeyAct.ARM_QUIT:
                self._arm(act, f"press {'ctrl+d' if key is StopKey.CTRL_D else 'ctrl+c'} again to quit")
            case KeyAct.QUIT:
                app.run_worker(app.leave(), group="leave")
