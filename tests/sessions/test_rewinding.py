"""A rewind carried out: noted first, whole files only, and what was cut short is said at the next resume."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import assistant, user
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.contents import Contents
from codeagent_tui.sessions.file_diff import MOST_LINES, change_diff
from codeagent_tui.sessions.file_record import FileKind, FileRecord, look
from codeagent_tui.sessions.leftovers import remove_leftovers, remove_orphans, temporary_beside
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.reading import read_log
from codeagent_tui.sessions.rewind import plan_rewind, plan_undo
from codeagent_tui.sessions.rewinding import carry_out
from codeagent_tui.sessions.store import SessionStore


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "proj").mkdir()
    return tmp_path / "proj"


@pytest.fixture
def store(tmp_path: Path, root: Path) -> SessionStore:
    return SessionStore(tmp_path / "history", root)


def written(log: SessionLog, checkpoints: Checkpoints, path: Path, data: bytes) -> None:
    checkpoints.before_write(path, hashlib.sha256(data).hexdigest())
    path.write_bytes(data)


def begun(store: SessionStore, root: Path) -> tuple[SessionLog, Checkpoints]:
    """Return a log of two turns that changed `a` and `b` in each."""
    log = store.create()
    checkpoints = Checkpoints(log, root)
    for turn in (b"one", b"two"):
        log.append_message(user(f"make it {turn.decode()}"))
        for name in "ab":
            written(log, checkpoints, root / name, turn)
        log.append_message(assistant("done"))
    return log, checkpoints


def test_a_file_that_changes_between_plan_and_act_is_left_alone(store: SessionStore, root: Path) -> None:
    log, checkpoints = begun(store, root)
    plan = plan_rewind(log, root, 1)
    (root / "a").write_bytes(b"mine")
    result = carry_out(log, checkpoints, plan, "both", "refuse")
    assert result.restored == ("b",) and result.failed == ("a: it changed in this very moment",)
    assert (root / "a").read_bytes() == b"mine" and (root / "b").read_bytes() == b"one"


def test_one_that_was_cut_short_is_said_and_can_be_finished(store: SessionStore, root: Path) -> None:
    log, _ = begun(store, root)
    # Killed after the first record of the rewind.
    log.append_rewind("r", "both", before=plan_rewind(log, root, 1).turn.message_id, turns=1)  # type: ignore[union-attr]
    log.close()
    loaded = store.load(store.find(""))
    assert "cut short" in loaded.notices[0]
    assert [m.content for m in loaded.messages if m.starts_turn] == ["make it one"]
    undo = plan_undo(loaded.log, root)
    assert undo is not None and undo.turns_left == 2
    carry_out(loaded.log, Checkpoints(loaded.log, root), undo, "both", "refuse")
    loaded.log.close()
    again = store.load(store.find(""))
    assert again.notices == () and [m.content for m in again.messages if m.starts_turn] == [
        "make it one",
        "make it two",
    ]
    assert again.log.turns == 2


def test_rewinds_of_rewinds_come_back_to_where_one_was(store: SessionStore, root: Path) -> None:
    log, checkpoints = begun(store, root)
    for expected in (b"one", b"two", b"one", b"two"):
        plan = plan_rewind(log, root, 1) if log.turns == 2 else plan_undo(log, root)
        assert plan is not None
        assert carry_out(log, checkpoints, plan, "both", "refuse").failed == ()
        assert (root / "a").read_bytes() == expected


def test_there_is_nothing_to_take_back_before_the_first_rewind(store: SessionStore, root: Path) -> None:
    log, _ = begun(store, root)
    assert plan_undo(log, root) is None
    with pytest.raises(IndexError):
        plan_rewind(log, root, 2)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(store: SessionStore, root: Path) -> None:
    log, checkpoints = begun(store, root)
    root.chmod(0o500)
    try:
        result = carry_out(log, checkpoints, plan_rewind(log, root, 1), "both", "refuse")
    finally:
        root.chmod(0o700)
    assert len(result.failed) == 2 and (root / "a").read_bytes() == b"two"


def test_what_a_dead_process_left_is_removed_and_nothing_else(store: SessionStore, root: Path) -> None:
    log, _ = begun(store, root)
    log.close()
    dead = 2**22 + 1
    gone = [
        root / f".codeagent-{dead}-0123456789abcdef.tmp",
        log.path.parent / f".x.jsonl.{dead}.01234567.tmp",
        log.files_folder / f".abc.{dead}.01234567.tmp",
    ]
    stay = [temporary_beside(root / "a"), root / "mine.tmp", root / ".codeagent-x.tmp"]
    for path in (*gone, *stay):
        path.write_text("half")
    store.load(store.find(""))
    assert not any(path.exists() for path in gone) and all(path.exists() for path in stay)
    assert remove_leftovers([root / "nowhere"]) == 0


def test_contents_without_a_log_are_removed_when_nobody_can_be_at_it(store: SessionStore, root: Path) -> None:
    log, _ = begun(store, root)
    for name, age in (("old", 1.0), ("new", None)):
        orphan = store.folder / f"{name}.files"
        orphan.mkdir()
        if age is not None:
            os.utime(orphan, (age, age))
    os.utime(log.files_folder, (1.0, 1.0))
    remove_orphans(store.folder)
    assert sorted(p.name for p in store.folder.glob("*.files")) == sorted([log.files_folder.name, "new.files"])


def kept(contents: Contents, path: Path, data: bytes, mode: int = 0o644) -> FileRecord:
    digest = hashlib.sha256(data).hexdigest()
    contents.keep(digest, data)
    return FileRecord(path, FileKind.FILE, digest, mode, len(data))


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        (b"a\nb\n", b"a\nc\n", "-b\n+c\n"),
        (b"a\r\nb\r\n", b"a\r\nc\r\n", "-b\n+c\n"),
        (b"a\r\nb\r\n", b"a\nb\n", "-a␍\n"),
        (b"a", b"b", "-a\n\\ No newline at end of file\n+b\n\\ No newline"),
        (b"\x00\x01", b"\x00", "binary, 2 bytes become 1"),
        (b"x" * 300_000, b"y" * 300_000, "too large for a diff"),
        (b"same", b"same", "mode 755 becomes 644"),
        (b"".join(b"%d\n" % n for n in range(900)), b"", "the rest of this diff is left out"),
        (b"".join(b"%d\n" % n for n in range(2_000)), b"", "2,000 lines differ"),
        (b"x\n" * 9_000 + b"y\n", b"x\n" * 9_000, "-y\n"),
        (None, b"back\n", "--- /dev/null\n+++ b/f\n"),
    ],
)
def test_the_diff_says_what_will_happen(tmp_path: Path, now: bytes | None, then: bytes, expected: str) -> None:
    path, contents = tmp_path / "f", Contents(tmp_path / "kept")
    if now is not None:
        path.write_bytes(now)
        path.chmod(0o755)
    text = change_diff("f", look(path), kept(contents, path, then), contents)
    assert expected in text and text.count("\n") <= 2 * MOST_LINES


def test_the_diff_of_what_is_no_file_is_in_words(tmp_path: Path) -> None:
    path, contents = tmp_path / "f", Contents(tmp_path / "kept")
    path.symlink_to("there")
    text = change_diff("f", look(path), FileRecord(path, FileKind.ABSENT), contents)
    assert text == "f: a link to there becomes nothing\n"


def test_the_conversation_alone_leaves_no_rewind_of_files_open(store: SessionStore, root: Path) -> None:
    log, checkpoints = begun(store, root)
    carry_out(log, checkpoints, plan_rewind(log, root, 1), "conversation", "refuse")
    assert read_log(log.path).timeline.unfinished_rewind == ""
    assert (root / "a").read_bytes() == b"two"
