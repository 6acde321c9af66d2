"""U-09: esc, ctrl+c and ctrl+d in every state, as the written table says."""

import itertools

import pytest

from codeagent_tui.tui.key_rules import KeyAct, KeyState, Layer, StopKey, decide

TABLE = [
    # state, esc, ctrl+c, ctrl+d
    (KeyState(), KeyAct.NOTHING, KeyAct.ARM_QUIT, KeyAct.QUIT),
    (KeyState(quit_armed=True), KeyAct.NOTHING, KeyAct.QUIT, KeyAct.QUIT),
    (KeyState(draft=True), KeyAct.NOTHING, KeyAct.STASH_DRAFT, KeyAct.PASS_ON),
    (KeyState(running=True), KeyAct.INTERRUPT, KeyAct.INTERRUPT, KeyAct.ARM_QUIT),
    (KeyState(running=True, quit_armed=True), KeyAct.INTERRUPT, KeyAct.INTERRUPT, KeyAct.QUIT),
    (KeyState(running=True, draft=True), KeyAct.INTERRUPT, KeyAct.INTERRUPT, KeyAct.PASS_ON),
    (KeyState(selection=True), KeyAct.NOTHING, KeyAct.COPY, KeyAct.QUIT),
    (KeyState(selection=True, running=True, draft=True), KeyAct.INTERRUPT, KeyAct.COPY, KeyAct.PASS_ON),
    (KeyState(Layer.COMPLETION, draft=True), KeyAct.CLOSE_COMPLETION, KeyAct.STASH_DRAFT, KeyAct.PASS_ON),
    (KeyState(Layer.COMPLETION, running=True), KeyAct.CLOSE_COMPLETION, KeyAct.INTERRUPT, KeyAct.PASS_ON),
    (KeyState(Layer.INSPECTOR), KeyAct.LEAVE_INSPECTOR, KeyAct.ARM_QUIT, KeyAct.QUIT),
    (KeyState(Layer.INSPECTOR, running=True), KeyAct.LEAVE_INSPECTOR, KeyAct.INTERRUPT, KeyAct.ARM_QUIT),
    (KeyState(Layer.DIALOG), KeyAct.PASS_ON, KeyAct.CLOSE_DIALOG, KeyAct.NOTHING),
    (KeyState(Layer.DIALOG, running=True), KeyAct.PASS_ON, KeyAct.INTERRUPT, KeyAct.NOTHING),
    (KeyState(Layer.APPROVAL, running=True), KeyAct.PASS_ON, KeyAct.INTERRUPT, KeyAct.NOTHING),
]


@pytest.mark.parametrize(("state", "escape", "ctrl_c", "ctrl_d"), TABLE)
def test_the_table(state: KeyState, escape: KeyAct, ctrl_c: KeyAct, ctrl_d: KeyAct) -> None:
    assert [decide(key, state) for key in StopKey] == [escape, ctrl_c, ctrl_d]


ALL_STATES = [
    KeyState(layer, running, draft, selection, armed)
    for layer, running, draft, selection, armed in itertools.product(Layer, *([(False, True)] * 4))
]


def test_no_key_ever_quits_while_something_is_typed() -> None:
    assert all(decide(key, s) is not KeyAct.QUIT for key in StopKey for s in ALL_STATES if s.draft)


def test_a_running_turn_stops_within_two_presses_of_ctrl_c() -> None:
    for state in ALL_STATES:
        if not state.running:
            continue
        act = decide(StopKey.CTRL_C, state)
        if act is KeyAct.COPY:
            # Copying takes the selection away.
            act = decide(StopKey.CTRL_C, KeyState(state.layer, running=True, draft=state.draft))
        assert act is KeyAct.INTERRUPT, state


def test_escape_stops_the_turn_once_nothing_lies_on_top() -> None:
    for state in ALL_STATES:
        if state.running and state.layer is Layer.NONE:
            assert decide(StopKey.ESCAPE, state) is KeyAct.INTERRUPT
        elif state.running:
            assert decide(StopKey.ESCAPE, state) is not KeyAct.INTERRUPT, "the topmost layer takes the key"


def test_nothing_quits_at_the_first_press_but_ctrl_d_on_an_empty_idle_line() -> None:
    quitting = {
        (key, s.layer) for key in StopKey for s in ALL_STATES if not s.quit_armed and decide(key, s) is KeyAct.QUIT
    }
    assert quitting == {(StopKey.CTRL_D, Layer.NONE), (StopKey.CTRL_D, Layer.INSPECTOR)}
