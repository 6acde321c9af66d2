"""SIGKILL at any act on the file system: in an append, a checkpoint, a compaction, a rewind, an export."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.kills import kill_again_and_again


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_s_04_a_killed_session_goes_on_with_nothing_lost(tmp_path: Path) -> None:
    done = kill_again_and_again(tmp_path, kills=14, seed=20261201)
    assert done.faults == []
    assert done.kills == 14 and done.files > 0 and done.sent > 0
