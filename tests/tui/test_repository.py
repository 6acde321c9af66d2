"""The branch is read from git's own files: plain repositories, worktrees, detached heads, none at all."""

from pathlib import Path

from codeagent_tui.tui.repository import current_branch


def git_folder(at: Path, head: str) -> Path:
    git = at / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text(head)
    return git


def test_the_branch_of_a_repository_and_of_folders_in_it(tmp_path: Path) -> None:
    git_folder(tmp_path, "ref: refs/heads/feature/parser\n")
    (tmp_path / "src").mkdir()
    assert current_branch(tmp_path) == "feature/parser"
    assert current_branch(tmp_path / "src") == "feature/parser"


def test_a_detached_head_shows_its_commit(tmp_path: Path) -> None:
    git_folder(tmp_path, "0123456789abcdef0123456789abcdef01234567\n")
    assert current_branch(tmp_path) == "01234567"


def test_a_worktree_points_to_its_git_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "HEAD").write_text("ref: refs/heads/fix\n")
    work = tmp_path / "work"
    work.mkdir()
    (work / ".git").write_text(f"gitdir: {tmp_path / 'real'}\n")
    assert current_branch(work) == "fix"


def test_without_a_repository_there_is_no_branch(tmp_path: Path) -> None:
    assert current_branch(tmp_path) == ""
    (tmp_path / ".git").write_text("nonsense")
    assert current_branch(tmp_path) == ""
