"""The file of earlier prompts: private, appended to, and never worse than shorter."""

import json
import stat
from pathlib import Path

import pytest

from codeagent_tui.tui.editing.prompt_history import PromptHistory


def reopened(path: Path) -> list[str]:
    """Return what another run finds in `path`."""
    history = PromptHistory(path)
    history.put_before(history.read_older())
    return history.entries


def filled(path: Path, *texts: str) -> PromptHistory:
    """Return a history that `texts` were added to and written."""
    history = PromptHistory(path)
    for text in texts:
        history.add(text)
    history.flush()
    return history


def test_entries_are_there_in_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "home" / "prompt_history.jsonl"
    filled(path, "one", "two\nlines", "三")
    filled(path, "four")
    assert reopened(path) == ["one", "two\nlines", "三", "four"]


def test_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "home" / "prompt_history.jsonl"
    filled(path, "secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_blank_entries_and_repeats_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    filled(path, "same", "same", "  \n", "other", "same")
    filled(path, "same")
    assert reopened(path) == ["same", "other", "same"]


@pytest.mark.parametrize(
    "damage",
    [b"{not json}\n", b"\xff\xfe\n", b"[1, 2]\n", b'{"text": 3}\n', b"null\n", b"[" * 100_000 + b"\n", b"\n\n"],
)
def test_damaged_lines_are_skipped(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "h.jsonl"
    filled(path, "before")
    with path.open("ab") as file:
        file.write(damage)
    filled(path, "after")
    assert reopened(path) == ["before", "after"]


def test_a_torn_last_line_does_not_take_the_next_entry_with_it(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    filled(path, "before")
    with path.open("ab") as file:
        file.write(b'{"text": "to')
    filled(path, "after")
    assert reopened(path) == ["before", "after"]


def test_what_comes_from_the_file_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    path.write_text(json.dumps({"text": "red\x1b[31m \ud83c"}) + "\n")
    assert reopened(path) == ["red \ufffd"]


def test_s03_half_pairs_are_stored(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    filled(path, "caf\udce9")
    assert reopened(path) == ["caf\ufffd"]


def test_only_the_end_of_a_big_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    with path.open("w") as file:
        for number in range(50_000):
            file.write(json.dumps({"text": f"entry {number} " + "x" * 80}) + "\n")
    entries = reopened(path)
    assert len(entries) == 1_000
    assert entries[-1].startswith("entry 49999 ")


def test_a_huge_entry_is_kept_while_the_program_runs_but_not_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    history = filled(path, "x" * 200_000, "small")
    assert history.entries == ["x" * 200_000, "small"]
    assert reopened(path) == ["small"]


def test_entries_added_before_loading_stay_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    filled(path, "old")
    history = PromptHistory(path)
    older = history.read_older()
    history.add("new")
    history.put_before(older)
    assert history.entries == ["old", "new"]


def test_without_a_place_to_write_the_entries_live_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for path in (None, tmp_path / "file" / "h.jsonl"):
        history = PromptHistory(path)
        history.add("one")
        history.flush()
        assert history.read_older() == []
        assert history.entries == ["one"]
