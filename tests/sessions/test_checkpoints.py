"""Checkpoints: each file as it was before it was first changed in a turn, whatever kind of file it was."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import user
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.file_record import FileKind, FileRecord, look
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.reading import read_log
from codeagent_tui.sessions.rewind import FileAction, RewindPlan, plan_rewind
from codeagent_tui.sessions.rewinding import RewindResult, carry_out


class Scratch:
    """A log and its checkpoints over a folder, without an agent."""

    def __init__(self, tmp_path: Path, **bounds: int) -> None:
        self.root = tmp_path / "proj"
        self.root.mkdir()
        self.log = SessionLog(tmp_path / "history" / "s.jsonl", session_id="s", cwd=self.root)
        self.checkpoints = Checkpoints(self.log, self.root, **bounds)
        self.log.append_message(user("first"))

    def write(self, name: str, data: bytes) -> None:
        """Change a file as a tool does."""
        path = self.root / name
        self.checkpoints.before_write(path, hashlib.sha256(data).hexdigest())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def plan(self, turn: int = 0) -> RewindPlan:
        return plan_rewind(self.log, self.root, turn)

    def rewind(self, turn: int = 0) -> RewindResult:
        return carry_out(self.log, self.checkpoints, self.plan(turn), "files", "refuse")

    def kept(self) -> list[bytes]:
        return sorted(path.read_bytes() for path in self.log.files_folder.iterdir())


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)


def test_a_file_is_kept_once_a_turn_and_each_content_once(scratch: Scratch) -> None:
    for name in ("a", "b"):
        (scratch.root / name).write_bytes(b"same")
    for data in (b"1", b"2", b"3"):
        scratch.write("a", data)
        scratch.write("b", data)
    assert scratch.kept() == [b"same"]
    scratch.log.append_message(user("second"))
    scratch.write("a", b"4")
    assert scratch.kept() == [b"3", b"same"]
    assert scratch.rewind(1).restored == ("a",) and (scratch.root / "a").read_bytes() == b"3"
    assert set(scratch.rewind(0).restored) == {"a", "b"} and (scratch.root / "a").read_bytes() == b"same"


def test_what_is_kept_is_private(scratch: Scratch) -> None:
    (scratch.root / "a").write_bytes(b"secret")
    scratch.write("a", b"1")
    [kept] = scratch.log.files_folder.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600 and scratch.log.files_folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "data", [b"", b"a\r\nb\r\n", b"a\r\nb\n\r", bytes(range(256)) * 10, b"\xef\xbb\xbfbom", "繁體\n".encode("big5")]
)
def test_every_byte_and_the_mode_come_back(scratch: Scratch, data: bytes) -> None:
    path = scratch.root / "f"
    path.write_bytes(data)
    path.chmod(0o751)
    scratch.write("f", b"other")
    path.chmod(0o751)
    assert scratch.rewind().restored == ("f",)
    assert path.read_bytes() == data and path.stat().st_mode & 0o777 == 0o751


def test_a_name_that_is_no_utf8_comes_back_too(scratch: Scratch) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    try:
        (scratch.root / name).write_bytes(b"old")
    except OSError:
        pytest.skip("this file system takes no such name")
    scratch.write(name, b"new")
    scratch.rewind()
    assert (scratch.root / name).read_bytes() == b"old"


def test_folders_made_for_a_file_go_with_it_unless_somebody_moved_in(scratch: Scratch) -> None:
    scratch.write("new/a/f", b"1")
    scratch.write("other/b/f", b"1")
    (scratch.root / "other" / "mine").write_text("x")
    assert set(scratch.rewind().deleted) == {"new/a/f", "other/b/f"}
    assert sorted(p.name for p in scratch.root.rglob("*")) == ["mine", "other"]


def test_a_file_that_is_too_large_is_noted_and_never_put_back_wrongly(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path, largest=10)
    (scratch.root / "f").write_bytes(b"x" * 11)
    scratch.write("f", b"new")
    [change] = scratch.plan().files
    assert change.action is FileAction.LOST and "larger than 10 bytes" in change.note
    assert "larger" in scratch.rewind().failed[0] and (scratch.root / "f").read_bytes() == b"new"


def test_the_sum_of_what_is_kept_is_bounded(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path, largest_sum=10)
    for name in ("a", "b"):
        (scratch.root / name).write_bytes(name.encode() * 6)
        scratch.write(name, b"new")
    assert [change.action for change in scratch.plan().files] == [FileAction.RESTORE, FileAction.LOST]
    assert "more than 10 bytes" in scratch.plan().files[1].note


def test_a_content_that_could_not_be_kept_is_noted_and_the_change_goes_on(scratch: Scratch) -> None:
    (scratch.root / "f").write_bytes(b"old")
    scratch.log.files_folder.write_text("in the way")
    scratch.write("f", b"new")
    [change] = scratch.plan().files
    assert change.action is FileAction.LOST and "could not be kept" in change.note


def test_kept_contents_that_were_deleted_by_hand_are_missed_honestly(scratch: Scratch) -> None:
    (scratch.root / "f").write_bytes(b"old")
    scratch.write("f", b"new")
    for path in scratch.log.files_folder.iterdir():
        path.unlink()
    [change] = scratch.plan().files
    assert change.action is FileAction.LOST and "no longer kept" in change.note


def test_the_record_is_written_before_the_change(scratch: Scratch) -> None:
    (scratch.root / "f").write_bytes(b"old")
    scratch.checkpoints.before_write(scratch.root / "f", "0" * 64)
    # Killed here: the file was not changed, and a rewind knows it.
    assert [change.action for change in scratch.plan().files] == [FileAction.UNCHANGED]


def test_a_write_that_failed_is_no_change_of_somebody_elses(scratch: Scratch) -> None:
    (scratch.root / "f").write_bytes(b"old")
    scratch.checkpoints.before_write(scratch.root / "f", "0" * 64)
    scratch.log.append_message(user("second"))
    scratch.write("f", b"new")
    assert scratch.plan(0).conflicts == () and scratch.plan(1).conflicts == ()


def test_a_change_by_hand_within_the_turn_is_a_conflict(scratch: Scratch) -> None:
    scratch.write("f", b"one")
    (scratch.root / "f").write_bytes(b"mine")
    scratch.write("f", b"two")
    assert [change.shown for change in scratch.plan().conflicts] == ["f"]


def test_a_change_of_the_mode_by_hand_is_a_conflict(scratch: Scratch) -> None:
    path = scratch.root / "f"
    path.write_bytes(b"old")
    scratch.write("f", b"new")
    path.chmod(0o700)
    assert len(scratch.plan().conflicts) == 1


def test_links_and_other_things_are_told_apart(scratch: Scratch, tmp_path: Path) -> None:
    link = scratch.root / "link"
    link.symlink_to("target")
    assert (look(link).kind, look(link).link) == (FileKind.LINK, "target")
    assert look(scratch.root).kind is FileKind.OTHER
    assert look(link / "below").kind is FileKind.ABSENT
    scratch.checkpoints.before_change(FileRecord(link, FileKind.ABSENT))
    link.unlink()
    assert scratch.rewind().restored == ("link",) and str(link.readlink()) == "target"


@pytest.mark.parametrize("kind", list(FileKind))
def test_records_come_back_equal(kind: FileKind) -> None:
    record = FileRecord(Path("/a/b"), kind, "ab", 0o644, 3, "to", False, "why", "/a", True)
    assert FileRecord.from_json(record.to_json()) == record
    plain = FileRecord(Path("/a/b"), kind)
    assert FileRecord.from_json(plain.to_json()) == plain


@pytest.mark.parametrize("data", [{}, {"path": "/a"}, {"path": "/a", "kind": "odd"}, {"path": 3, "kind": "file"}])
def test_what_is_no_record_is_refused(data: dict[str, object]) -> None:
    assert FileRecord.from_json(data) is None


def test_a_damaged_checkpoint_is_not_taken_for_a_new_file(scratch: Scratch) -> None:
    (scratch.root / "f").write_bytes(b"old")
    scratch.write("f", b"new")
    scratch.log.close()
    data = scratch.log.path.read_bytes().replace(b'"type":"checkpoint"', b'"type":"checkpoint')
    scratch.log.path.write_bytes(data)
    assert read_log(scratch.log.path).skipped == 1
    [change] = scratch.plan().files
    assert change.action is FileAction.LOST and "damaged" in change.note
