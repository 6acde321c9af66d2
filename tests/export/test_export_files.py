"""An export on disk: whole or not at all, and never over another file unasked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from codeagent_tui.export.session_export import ExportFormat, SessionLogFile, export, file_name, format_of
from codeagent_tui.export.writing import write_whole
from tests.support.logged_sessions import KEY, logged_session


@pytest.fixture
def log(tmp_path: Path) -> SessionLogFile:
    made = logged_session(tmp_path / "home", tmp_path)
    return SessionLogFile(made.path, made.session_id)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("wanted", list(ExportFormat))
def test_an_export_masks_secrets_unless_asked_otherwise(tmp_path: Path, log: SessionLogFile, wanted: str) -> None:
    form = ExportFormat(wanted)
    target = tmp_path / f"out.{wanted}"
    done = export(log, target, form)
    assert done.masked == 2 and KEY not in target.read_text() and "2 places" in done.about_secrets
    done = export(log, target, form, with_secrets=True, replace=True)
    assert done.masked is None and KEY in target.read_text() and "left in" in done.about_secrets


def test_it_is_for_its_owner_alone_and_leaves_nothing_beside_it(tmp_path: Path, log: SessionLogFile) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    export(log, folder / "a.md", ExportFormat.MARKDOWN)
    assert names_in(folder) == ["a.md"]
    assert stat.S_IMODE((folder / "a.md").stat().st_mode) == 0o600


def test_a_file_that_is_there_is_not_touched(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_text("mine")
    with pytest.raises(FileExistsError):
        write_whole(target, b"theirs")
    assert target.read_text() == "mine"
    write_whole(target, b"theirs", replace=True)
    assert target.read_text() == "theirs"


def test_one_that_comes_there_meanwhile_is_not_touched_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.md"
    monkeypatch.setattr(os.path, "lexists", lambda path: target.write_text("mine") == 0)
    with pytest.raises(FileExistsError):
        write_whole(target, b"theirs")
    assert target.read_text() == "mine" and names_in(tmp_path) == ["a.md"]


def test_a_file_system_without_links_is_written_to_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_whole(tmp_path / "a.md", b"text")
    assert (tmp_path / "a.md").read_bytes() == b"text" and names_in(tmp_path) == ["a.md"]


def test_s08_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "a.md"
    target.write_text("mine")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write_whole(target, b"theirs", replace=True)
    assert target.read_text() == "mine" and names_in(tmp_path) == ["a.md"]


def test_the_ending_says_the_format() -> None:
    names = ("a.md", "A.HTML", "b.htm", "c.json", "d.txt", "e")
    assert [format_of(name) for name in names] == ["md", "html", "html", "json", None, None]


def test_a_name_is_made_of_the_title() -> None:
    assert file_name("Fix the parser / lexer!", ExportFormat.HTML).startswith("fix-the-parser-lexer-2")
    assert file_name("\u4fee\u590d\u89e3\u6790\u5668", ExportFormat.JSON).startswith("\u4fee\u590d\u89e3\u6790\u5668-")
    assert file_name("../..", ExportFormat.MARKDOWN).startswith("codeagent-")
