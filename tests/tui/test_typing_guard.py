"""A key that was meant for the composer never answers a dialog that has just appeared."""

from codeagent_tui.tui.dialogs.typing_guard import DEAF_SECONDS, PAUSE_SECONDS, TypingGuard


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_the_first_moment_is_deaf() -> None:
    clock = Clock()
    guard = TypingGuard(clock, typing=False)
    assert not guard.accepts()
    clock.now += DEAF_SECONDS
    assert guard.accepts()


def test_a_typist_is_not_heard_before_a_pause() -> None:
    clock = Clock()
    guard = TypingGuard(clock, typing=True)
    for _ in range(40):
        clock.now += 0.15
        assert not guard.accepts()
    clock.now += PAUSE_SECONDS
    assert guard.accepts()
    assert guard.accepts()


def test_who_was_not_typing_is_heard_at_the_second_key() -> None:
    clock = Clock()
    guard = TypingGuard(clock, typing=False)
    assert not guard.accepts()
    clock.now += DEAF_SECONDS
    assert guard.accepts()
