"""What esc, ctrl+c and ctrl+d do, in every state: one pure function.

The rules: the topmost layer takes the key; a selection is copied; a running turn stops; a first press never loses
text (a cleared draft comes back with `up`, queued messages return to the composer when their turn is stopped).

=====================  ==========================  ===========================  =========================
state                  esc                         ctrl+c                       ctrl+d
=====================  ==========================  ===========================  =========================
text is selected       as without                  copies, selection goes       as without
approval dialog        refuses this one call       stops the turn               nothing
other dialog, help     closes it                   idle: closes it;             nothing
                                                   running: stops the turn
completion list        closes it                   as without                   to the composer
inspector has focus    back to the composer        as without                   as without
running, queue, draft  stops the turn; the queued  stops the turn; the queued   draft: to the composer;
                       messages go before the      messages go before the       empty: "press again",
                       draft                       draft                        second press quits
idle, draft            nothing                     clears it into the history   to the composer
idle, empty            "press again", then the     "press again", then quits    quits
                       list of turns to go back to
=====================  ==========================  ===========================  =========================

Alt combinations (`esc b` within the terminal's escape delay) are keys of their own and never count as esc.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StopKey(StrEnum):
    """The keys whose meaning depends on the state."""

    ESCAPE = "escape"
    CTRL_C = "ctrl+c"
    CTRL_D = "ctrl+d"


class Layer(StrEnum):
    """What lies on top of the conversation."""

    NONE = "none"
    COMPLETION = "completion"
    INSPECTOR = "inspector"
    DIALOG = "dialog"
    APPROVAL = "approval"


class KeyAct(StrEnum):
    """What is to be done."""

    PASS_ON = "pass_on"
    """The layer or the composer handles the key itself."""
    NOTHING = "nothing"
    COPY = "copy"
    CLOSE_DIALOG = "close_dialog"
    CLOSE_COMPLETION = "close_completion"
    LEAVE_INSPECTOR = "leave_inspector"
    INTERRUPT = "interrupt"
    STASH_DRAFT = "stash_draft"
    ARM_REWIND = "arm_rewind"
    REWIND = "rewind"
    ARM_QUIT = "arm_quit"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class KeyState:
    """Everything that the decision depends on. `rewindable` is whether there are turns to go back to."""

    layer: Layer = Layer.NONE
    running: bool = False
    draft: bool = False
    selection: bool = False
    quit_armed: bool = False
    rewindable: bool = False
    rewind_armed: bool = False


def decide(key: StopKey, state: KeyState) -> KeyAct:
    """Return what `key` does in `state`; see the table above."""
    if key is StopKey.CTRL_C and state.selection:
        return KeyAct.COPY
    if state.layer in (Layer.DIALOG, Layer.APPROVAL):
        return _on_dialog(key, state)
    if key is StopKey.ESCAPE:
        return _escape(state)
    if key is StopKey.CTRL_D and (state.draft or state.layer is Layer.COMPLETION):
        return KeyAct.PASS_ON
    if key is StopKey.CTRL_C and state.running:
        return KeyAct.INTERRUPT
    if state.draft:
        return KeyAct.STASH_DRAFT
    if state.quit_armed or (key is StopKey.CTRL_D and not state.running):
        return KeyAct.QUIT
    return KeyAct.ARM_QUIT


def _on_dialog(key: StopKey, state: KeyState) -> KeyAct:
    if key is StopKey.CTRL_D:
        return KeyAct.NOTHING
    if key is StopKey.CTRL_C:
        return KeyAct.INTERRUPT if state.running else KeyAct.CLOSE_DIALOG
    return KeyAct.PASS_ON


def _escape(state: KeyState) -> KeyAct:
    if state.layer is Layer.COMPLETION:
        return KeyAct.CLOSE_COMPLETION
    if state.layer is Layer.INSPECTOR:
        return KeyAct.LEAVE_INSPECTOR
    if state.running:
        return KeyAct.INTERRUPT
    if state.draft or not state.rewindable:
        return KeyAct.NOTHING
    return KeyAct.REWIND if state.rewind_armed else KeyAct.ARM_REWIND
