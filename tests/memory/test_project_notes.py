"""Notes to project memory: where they go, and that what is there stays as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.memory import project_notes
from codeagent_tui.memory.memory_file import (
    ChangedMeanwhile,
    MemoryFile,
    MemoryFileError,
    read_memory_file,
    replace_memory_file,
)
from codeagent_tui.memory.project_layers import Layer
from codeagent_tui.memory.project_memory import ProjectMemoryLoader
from codeagent_tui.memory.project_notes import NoteAdded, add_note
from tests.support.files import put


def add(note: str, proj: Path, home: Path, layer: Layer = Layer.PROJECT) -> NoteAdded:
    return add_note(note, layer, proj, home)


@pytest.mark.parametrize("layer", list(Layer))
def test_a_file_that_is_not_there_is_created_with_a_heading(proj: Path, home: Path, layer: Layer) -> None:
    added = add("use uv, not pip", proj, home, layer)
    assert added.created and not added.known
    text = added.path.read_text(encoding="utf-8")
    assert text.startswith("# ") and text.endswith("\n\n- use uv, not pip\n")
    assert "use uv, not pip" in ProjectMemoryLoader(proj, home).load().text
    expected = {
        Layer.USER: home / "CODEAGENT.md",
        Layer.PROJECT: proj / "CODEAGENT.md",
        Layer.LOCAL: proj / "CODEAGENT.local.md",
    }
    assert added.path == expected[layer]
    assert (added.path.stat().st_mode & 0o077 == 0) == (layer is Layer.USER)


def test_the_teams_file_that_is_there_is_taken(proj: Path, home: Path) -> None:
    path = put(proj / ".codeagent" / "CODEAGENT.md", "# Rules\n")
    assert add("new", proj, home).path == path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Rules\n", "# Rules\n\n- N\n"),
        ("# Rules", "# Rules\n\n- N"),
        ("- a\n- b\n", "- a\n- b\n- N\n"),
        ("* a\n  more of a\n", "* a\n  more of a\n* N\n"),
        ("- a\n\n", "- a\n\n- N\n"),
        ("text\n- a\n", "text\n- a\n\n- N\n"),
        ("# R\r\n\r\n- a\r\n", "# R\r\n\r\n- a\r\n- N\r\n"),
        ("# R\r\n\r\n- a", "# R\r\n\r\n- a\r\n- N"),
        ("# R\r- a\r", "# R\r- a\r\r- N\r"),
        ("mixed\r\nmostly\nunix\n", "mixed\r\nmostly\nunix\n\n- N\n"),
        ("```\ncode\n```\n", "```\ncode\n```\n\n- N\n"),
    ],
)
def test_line_endings_and_the_last_line_end_stay(proj: Path, home: Path, before: str, after: str) -> None:
    path = put(proj / "CODEAGENT.md", before)
    assert not add("N", proj, home).created
    assert path.read_bytes() == after.encode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_m_08_a_note_is_written_in_the_files_own_encoding(proj: Path, home: Path, encoding: str) -> None:
    before = "# 规范\r\n\r\n- 提交信息用中文,写明原因\r\n"
    path = put(proj / "CODEAGENT.md", before.encode(encoding))
    add("测试先行", proj, home)
    assert path.read_bytes() == f"{before}- 测试先行\r\n".encode(encoding)
    assert "测试先行" in ProjectMemoryLoader(proj, home).load().text


def test_m_08_files_that_we_make_are_utf_8_whatever_the_locale(
    proj: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.GBK")
    path = add("规范", proj, home).path
    assert "规范" in path.read_bytes().decode("utf-8")


def test_a_character_that_the_file_cannot_hold_is_said(proj: Path, home: Path) -> None:
    path = put(proj / "CODEAGENT.md", "# Café naïve déjà\n".encode("cp1252"))
    with pytest.raises(MemoryFileError, match="Save it as UTF-8"):
        add("规范", proj, home)
    assert path.read_bytes() == "# Café naïve déjà\n".encode("cp1252")


def test_stray_bytes_stay(proj: Path, home: Path) -> None:
    path = put(proj / "CODEAGENT.md", "# 规范 good 中文\n".encode() + b"stray \xff byte\n")
    add("N", proj, home)
    assert path.read_bytes() == "# 规范 good 中文\n".encode() + b"stray \xff byte\n\n- N\n"


def test_what_is_there_already_is_not_written_again(proj: Path, home: Path) -> None:
    path = put(proj / "CODEAGENT.md", "* use uv\n")
    before = path.stat().st_mtime_ns
    assert add("- use uv", proj, home).known
    assert path.stat().st_mtime_ns == before and path.read_text(encoding="utf-8") == "* use uv\n"


def test_an_agents_md_is_not_put_out_of_force(proj: Path, home: Path) -> None:
    put(proj / "AGENTS.md", "AGENTS RULES")
    assert "AGENTS RULES" in ProjectMemoryLoader(proj, home).load().text
    add("new", proj, home)
    memory = ProjectMemoryLoader(proj, home).load()
    assert "AGENTS RULES" in memory.text and "new" in memory.text and memory.notices == ()


def test_a_note_that_begins_with_a_list_mark_gets_no_second_one(proj: Path, home: Path) -> None:
    assert add("  * bullets  are   mine ", proj, home).note == "bullets  are   mine"
    with pytest.raises(MemoryFileError, match="empty"):
        add("  ", proj, home)


def test_m_09_what_is_no_text_file_is_left_alone(proj: Path, home: Path) -> None:
    path = proj / "CODEAGENT.md"
    path.mkdir()
    with pytest.raises(MemoryFileError, match="is a folder"):
        add("N", proj, home)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(MemoryFileError, match="no regular file"):
        add("N", proj, home)
    path.unlink()
    put(path, b"\x89PNG\r\n\x1a\n\0\0\0")
    with pytest.raises(MemoryFileError, match="no text file"):
        add("N", proj, home)
    put(path, "```\nopen\n")
    with pytest.raises(MemoryFileError, match="not closed"):
        add("N", proj, home)
    with path.open("wb") as file:
        file.truncate(300_000_000)
    with pytest.raises(MemoryFileError, match="too large"):
        add("N", proj, home)


def test_links_are_followed_in_the_project_and_not_out_of_it(proj: Path, home: Path, tmp_path: Path) -> None:
    real = put(proj / "docs" / "rules.md", "- a\n")
    (proj / "CODEAGENT.md").symlink_to(real)
    add("N", proj, home)
    assert (proj / "CODEAGENT.md").is_symlink() and real.read_text(encoding="utf-8") == "- a\n- N\n"
    outside = put(tmp_path / "theirs.md", "- a\n")
    (proj / "CODEAGENT.local.md").symlink_to(outside)
    with pytest.raises(MemoryFileError, match="outside the project"):
        add("N", proj, home, Layer.LOCAL)
    assert outside.read_text(encoding="utf-8") == "- a\n"


def test_mode_stays_and_a_protected_file_is_not_replaced(
    proj: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(proj / "CODEAGENT.md", "- a\n")
    path.chmod(0o640)
    add("b", proj, home)
    assert path.stat().st_mode & 0o777 == 0o640
    # Not by its mode: the tests may run as root, who may write anything.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(MemoryFileError, match="write-protected"):
        add("c", proj, home)
    assert path.read_text(encoding="utf-8") == "- a\n- b\n"


def test_a_disk_that_is_full_leaves_the_file_as_it_was(proj: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(proj / "CODEAGENT.md", "- a\n")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MemoryFileError, match="No space left"):
        add("b", proj, home)
    assert path.read_text(encoding="utf-8") == "- a\n" and list(proj.iterdir()) == [path]


def test_an_edit_that_comes_between_is_kept(proj: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(proj / "CODEAGENT.md", "- a\n")
    edits = iter(["- a\n- theirs\n"])

    def read(path: Path) -> MemoryFile:
        file = read_memory_file(path)
        for edit in edits:
            put(path, edit)
            break
        return file

    monkeypatch.setattr(project_notes, "read_memory_file", read)
    add("mine", proj, home)
    assert path.read_text(encoding="utf-8") == "- a\n- theirs\n- mine\n"


def test_a_file_that_was_changed_is_not_replaced(proj: Path) -> None:
    path = put(proj / "CODEAGENT.md", "old\n")
    file = read_memory_file(path)
    put(path, "theirs\n")
    with pytest.raises(ChangedMeanwhile):
        replace_memory_file(file, "ours\n")
    missing = read_memory_file(proj / "new.md")
    put(proj / "new.md", "theirs\n")
    with pytest.raises(ChangedMeanwhile):
        replace_memory_file(missing, "ours\n")


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(st.sampled_from(["# h", "", "- a", "* b", "text", "  deep", "1. one", "规"]), max_size=8),
    newline=st.sampled_from(["\n", "\r\n"]),
    ended=st.booleans(),
)
def test_everything_before_the_note_stays(proj: Path, home: Path, before: list[str], newline: str, ended: bool) -> None:
    text = newline.join(before) + (newline if ended and before else "")
    path = put(proj / "CODEAGENT.md", text)
    add("THE NOTE", proj, home)
    after = path.read_bytes().decode()
    if text.strip():
        assert after.startswith(text)
        assert after.endswith(("\n", "\r")) == text.endswith(("\n", "\r"))
    assert after.rstrip("\r\n").splitlines()[-1][2:] == "THE NOTE"
