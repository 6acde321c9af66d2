"""What was typed is there again: kept per workspace, taken once, never lost to a bad file."""

from pathlib import Path

import pytest

from codeagent_tui.paths import Paths
from codeagent_tui.tui.drafts import DraftStore


@pytest.mark.parametrize("text", ["fix the parser", "two\nlines", "你好 👨‍👩‍👧", "a lone surrogate \ud83d here"])
def test_a_draft_comes_back_once(tmp_path: Path, text: str) -> None:
    store = DraftStore(Paths(tmp_path / "home"), tmp_path)
    assert store.keep(text)
    assert DraftStore(Paths(tmp_path / "home"), tmp_path).take() == text.replace("\ud83d", "\ufffd")
    assert store.take() == ""


def test_an_empty_draft_makes_no_file(tmp_path: Path) -> None:
    store = DraftStore(Paths(tmp_path / "home"), tmp_path)
    assert store.keep("  \n")
    assert not store.path.exists()


def test_each_workspace_has_its_own(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "home")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    DraftStore(paths, tmp_path / "a").keep("for a")
    assert DraftStore(paths, tmp_path / "b").take() == ""
    assert DraftStore(paths, tmp_path / "a").take() == "for a"


def test_a_draft_file_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    store = DraftStore(Paths(tmp_path / "home"), tmp_path)
    store.keep("x")
    store.path.write_bytes(b"\xff\xfe\xff")
    assert store.take() == ""
    assert store.path.exists()


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    assert not DraftStore(Paths(tmp_path / "home"), tmp_path).keep("text")
