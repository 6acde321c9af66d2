"""Enter within a burst of keys is part of a paste; a person's enter sends."""

import pytest

from codeagent_tui.tui.editing.key_burst import Enter, KeyBurst


def enters(keys: str, gap: float) -> list[Enter]:
    """Return how each enter (`\\n`) of `keys` is judged when they come `gap` seconds apart."""
    burst = KeyBurst()
    judged = []
    for number, key in enumerate(keys):
        if key == "\n":
            judged.append(burst.enter(number * gap))
        else:
            burst.press(number * gap)
    return judged


def test_u08_lines_replayed_as_keys_send_nothing() -> None:
    assert enters("line1\nline2\n", 0.002) == [Enter.LINE_END, Enter.LINE_END]


@pytest.mark.parametrize("gap", [0.011, 0.03, 0.06, 0.2])
def test_typed_lines_send(gap: float) -> None:
    assert enters("hello\n", gap) == [Enter.SEND]


def test_short_lines_are_unclear_until_the_next_key_comes() -> None:
    assert enters("y\nn\n", 0.002) == [Enter.UNCLEAR, Enter.LINE_END]


def test_the_last_letter_of_a_quick_typist_does_not_make_a_paste() -> None:
    burst = KeyBurst()
    for time in (0.0, 0.08, 0.16):
        burst.press(time)
    assert burst.enter(0.165) is Enter.UNCLEAR


def test_enter_after_a_pasted_piece_sends_when_it_is_deliberate() -> None:
    burst = KeyBurst()
    for number in range(5):
        burst.press(number * 0.001)
    assert burst.enter(0.15) is Enter.SEND


def test_a_long_paste_may_pause_between_its_pieces() -> None:
    burst = KeyBurst()
    for number in range(20):
        burst.press(number * 0.001)
    assert burst.enter(0.05) is Enter.LINE_END
    assert burst.enter(0.2) is Enter.SEND
