"""What a command changed, as far as git can tell it cheaply; and what it cannot, honestly."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codeagent_tui.sessions import command_changes
from codeagent_tui.sessions.command_changes import CommandWatch
from codeagent_tui.sessions.contents import Contents
from codeagent_tui.sessions.file_record import FileKind
from codeagent_tui.sessions.repository import GitFailed, Repository
from codeagent_tui.sessions.untouched import changed_since


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", str(folder), *words]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "repo"
    (folder / "sub").mkdir(parents=True)
    git(tmp_path, "init", "-q", "repo")
    (folder / "clean.txt").write_text("clean\n")
    (folder / "sub" / "läufer.txt").write_text("committed\n")
    (folder / "link").symlink_to("clean.txt")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.fixture
def watch(tmp_path: Path, root: Path) -> CommandWatch:
    return CommandWatch(root, Contents(tmp_path / "kept"))


def changes(watch: CommandWatch, root: Path) -> dict[str, tuple[FileKind, FileKind]]:
    return {
        before.path.relative_to(root).as_posix(): (before.kind, after.kind) for before, after in watch.changes().files
    }


def test_a_command_that_changes_nothing_changes_nothing(watch: CommandWatch, root: Path) -> None:
    (root / "dirty.txt").write_text("x")
    watch.look()
    (root / "clean.txt").touch()
    (root / "dirty.txt").touch()
    assert watch.changes() == command_changes.CommandChanges()


def test_files_that_were_as_committed_are_known_from_the_commit(watch: CommandWatch, root: Path) -> None:
    watch.look()
    (root / "clean.txt").unlink()
    (root / "sub" / "läufer.txt").write_text("other\n")
    (root / "link").unlink()
    (root / "sub" / "new.txt").write_text("new\n")
    file, absent, link = FileKind.FILE, FileKind.ABSENT, FileKind.LINK
    assert changes(watch, root) == {
        "clean.txt": (file, absent),
        "sub/läufer.txt": (file, file),
        "link": (link, absent),
        "sub/new.txt": (absent, file),
    }
    befores = {before.path.name: before for before, _ in watch.changes().files}
    assert watch.contents.read(befores["clean.txt"].sha256) == b"clean\n" and befores["link"].link == "clean.txt"


def test_line_endings_are_those_of_the_working_tree(watch: CommandWatch, root: Path) -> None:
    git(root, "config", "core.autocrlf", "true")
    (root / "clean.txt").write_bytes(b"clean\r\n")
    git(root, "add", "clean.txt")
    watch.look()
    (root / "clean.txt").write_bytes(b"other\r\n")
    [(before, _)] = watch.changes().files
    assert watch.contents.read(before.sha256) == b"clean\r\n"


def test_a_workspace_within_the_repository_sees_only_itself(tmp_path: Path, root: Path) -> None:
    watch = CommandWatch(root / "sub", Contents(tmp_path / "kept"))
    watch.look()
    (root / "clean.txt").write_text("outside\n")
    (root / "sub" / "läufer.txt").write_text("inside\n")
    assert list(changes(watch, root)) == ["sub/läufer.txt"]


def test_a_commit_changes_no_file_but_is_told(watch: CommandWatch, root: Path) -> None:
    (root / "clean.txt").write_text("changed\n")
    watch.look()
    git(root, "commit", "-q", "-a", "-m", "second")
    found = watch.changes()
    assert found.files == () and " to " in found.moved


def test_the_first_commit_is_told_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "new")
    watch = CommandWatch(tmp_path / "new", Contents(tmp_path / "kept"))
    (tmp_path / "new" / "a").write_text("a")
    watch.look()
    (tmp_path / "new" / "a").write_text("b")
    git(tmp_path / "new", "add", "a")
    git(tmp_path / "new", "commit", "-q", "-m", "first")
    found = watch.changes()
    assert found.moved.startswith("no commit to") and len(found.files) == 1


def test_what_git_ignores_is_seen_only_if_the_session_changed_it(watch: CommandWatch, root: Path) -> None:
    (root / ".gitignore").write_text("*.log\n")
    for name in ("seen.log", "unseen.log"):
        (root / name).write_text("x")
    watch.track([root / "seen.log"])
    watch.look()
    for name in ("seen.log", "unseen.log"):
        (root / name).write_text("y")
    assert list(changes(watch, root)) == ["seen.log"]


def test_where_git_is_slow_it_is_not_asked_again(
    watch: CommandWatch, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_changes, "SLOWEST_STATUS", 0.0)
    watch.track([root / "clean.txt"])
    watch.look()
    monkeypatch.setattr(Repository, "status", None)
    (root / "clean.txt").write_text("x")
    (root / "new.txt").write_text("x")
    assert list(changes(watch, root)) == ["clean.txt"]


def test_what_would_take_too_long_to_copy_is_left_to_git(
    watch: CommandWatch, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_changes, "LONGEST_COPYING", -1.0)
    watch.look()
    (root / "clean.txt").unlink()
    (root / "new.txt").write_text("x")
    gone, new = watch.changes().files
    assert not gone[0].kept and "git checkout" in gone[0].note
    assert (new[0].kind, new[0].kept) == (FileKind.ABSENT, True)


def test_with_too_many_changes_only_the_sessions_own_files_are_looked_at(
    watch: CommandWatch, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_changes, "MOST_FILES", 3)
    for number in range(5):
        (root / f"n{number}").write_text("x")
    watch.track([root / "n0"])
    watch.look()
    for number in range(5):
        (root / f"n{number}").write_text("y")
    assert list(changes(watch, root)) == ["n0"]


def test_without_a_repository_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with pytest.raises(GitFailed):
        Repository(tmp_path).status()
    watch = CommandWatch(tmp_path, Contents(tmp_path / "kept"))
    watch.track([tmp_path / "f"])
    watch.look()
    (tmp_path / "f").write_text("new")
    assert changes(watch, tmp_path) == {"f": (FileKind.ABSENT, FileKind.FILE)}


def test_files_changed_since_are_named_but_not_those_that_are_known(root: Path, tmp_path: Path) -> None:
    for name in ("a", "b", "sub/c"):
        (root / name).write_text("x")
    since = (root / "a").stat().st_mtime - 1
    assert changed_since(root, since, {root / "b"}) == ("a", "sub/c")
    assert changed_since(root, since + 1_000, set()) == ()
    plain = tmp_path / "plain"
    (plain / ".git-not").mkdir(parents=True)
    (plain / "node_modules").mkdir()
    for name in ("x", ".git-not/y", "node_modules/z"):
        (plain / name).write_text("x")
    assert changed_since(plain, since, set()) == (".git-not/y", "x")
