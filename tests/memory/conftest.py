"""A user's home with a data folder, and a project in it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a user whose home is a scratch folder."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    folder = tmp_path / "user" / ".code-agent-cli"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def proj(tmp_path: Path) -> Path:
    """Return a project's folder."""
    folder = tmp_path / "user" / "proj"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
