"""A long session through the whole program, keys to HTTP, against a server as strict as the strictest provider."""

from __future__ import annotations

from pathlib import Path

from tests.support.screen_session import WINDOW, screen_session


async def test_a_long_session_is_never_refused_and_forgets_nothing(tmp_path: Path) -> None:
    done = await screen_session(tmp_path, 60, facts=15)
    assert (done.turns, done.unfinished) == (60, [])
    assert (done.refused, done.overflows, done.unpaired) == ([], 0, [])
    assert done.missing == []
    assert sum(record.way == "summary" for record in done.compactions) > 4
    assert done.requests["summary"] <= done.summaries_wanted
    assert done.largest < WINDOW and done.on_screen
