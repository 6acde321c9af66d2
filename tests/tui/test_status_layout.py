"""The status line at every width: what happens first, then as much identity as fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.settings import PermissionMode
from codeagent_tui.tui.pieces import width_of
from codeagent_tui.tui.status_layout import OFFLINE, Activity, Identity, Retry, duration, status_pieces

HERE = Identity("gpt-5-mini", mode=PermissionMode.ASK, folder="~/src/parser", branch="main")
AT_WORK = Activity("thinking", started=100.0, step=3, limit=100, waiting=2)


def line(identity: Identity, activity: Activity, width: int, now: float = 112.0) -> str:
    return "".join(text for text, _ in status_pieces(identity, activity, now, width, "⠋"))


def test_idle_it_shows_model_mode_folder_and_branch() -> None:
    shown = line(HERE, Activity(), 80)
    assert shown.startswith("ready")
    assert shown.endswith("gpt-5-mini · ask · ~/src/parser (main)")


def test_at_work_it_shows_step_time_and_queue() -> None:
    assert line(HERE, AT_WORK, 120).startswith("⠋ thinking · 12 s · step 3/100 · 2 waiting")


def test_while_the_user_is_asked_nothing_moves() -> None:
    asks = Activity("waiting for your answer", started=100.0, step=3, limit=100, asks=True)
    assert line(HERE, asks, 120).startswith("? waiting for your answer · step 3/100")
    assert line(HERE, asks, 120, now=112.0) == line(HERE, asks, 120, now=999.0)


def test_a_retry_counts_down_and_says_why() -> None:
    waits = Activity("thinking", started=100.0, retry=Retry(until=115.5, attempt=1, attempts=4, reason="busy (429)"))
    assert "retry in 4 s (1 of 4 failed: busy (429))" in line(HERE, waits, 100)


def test_offline_is_said_in_whole_words_where_they_fit() -> None:
    offline = Identity(offline=True, folder="~/src")
    assert OFFLINE in line(offline, Activity(), 80)
    assert "offline" in line(offline, Activity(), 30)


def test_new_output_below_is_announced_idle_and_at_work() -> None:
    assert "↓ new output below" in line(HERE, Activity(unseen=True), 80)
    assert "↓ new output below" in line(HERE, Activity("answering", unseen=True), 80)


def test_a_flash_takes_the_place_of_the_rest() -> None:
    assert line(HERE, Activity("thinking", flash="press ctrl+c again to quit"), 80).startswith(
        "press ctrl+c again to quit"
    )


@pytest.mark.parametrize(("seconds", "shown"), [(0.2, "0 s"), (59.9, "59 s"), (60, "1 min 00 s"), (125, "2 min 05 s")])
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@given(
    width=st.integers(0, 220),
    model=st.text(max_size=60),
    folder=st.text(max_size=80),
    branch=st.text(max_size=40),
    mode=st.sampled_from(PermissionMode),
    offline=st.booleans(),
    activity=st.sampled_from([Activity(), AT_WORK, Activity(unseen=True), Activity(flash="x" * 90)]),
)
def test_it_never_takes_more_than_its_width(
    width: int, model: str, folder: str, branch: str, mode: PermissionMode, offline: bool, activity: Activity
) -> None:
    pieces = status_pieces(Identity(model, offline, mode, folder, branch), activity, 112.0, width, "⠋")
    assert width_of(pieces) <= width


def test_at_ten_columns_it_still_says_what_happens() -> None:
    assert line(HERE, AT_WORK, 10).startswith("⠋ thinki")
