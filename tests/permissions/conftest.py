"""A gate over a scratch home and project."""

from pathlib import Path

import pytest

from tests.support.permissions import ScratchGate


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScratchGate:
    home = tmp_path / "home"
    (home / "proj" / "src").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("UNSET", raising=False)
    monkeypatch.delenv("CDPATH", raising=False)
    return ScratchGate(home)
