"""Project memory through the façade: from a repository's root down to where one works, whatever way leads there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.memory.import_consent import Answer
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.memory.project_layers import Layer
from codeagent_tui.paths import Paths
from tests.support.files import put


@pytest.fixture
def repository(proj: Path) -> Path:
    """Return a repository with files in several of its folders."""
    subprocess.run(["git", "init", "-q", str(proj)], check=True)
    put(proj / "CODEAGENT.md", "ROOT\n@docs/style.md\n")
    put(proj / "docs" / "style.md", "STYLE\n")
    put(proj / "packages" / "a" / "CODEAGENT.md", "PACKAGE-A\n@../../docs/style.md\n@local.md\n")
    put(proj / "packages" / "a" / "local.md", "A-IMPORT\n")
    put(proj / "packages" / "a" / "CODEAGENT.local.md", "A-LOCAL\n")
    put(proj / "packages" / "b" / "CODEAGENT.md", "PACKAGE-B\n")
    return proj


def memory_at(folder: Path, home: Path, *, read_foreign: bool = True) -> MemoryManager:
    folder.mkdir(parents=True, exist_ok=True)
    return MemoryManager(Paths(home), folder, ContextProfile.for_window(128_000), read_foreign=read_foreign)


def test_folders_on_the_way_down_count_and_others_do_not(repository: Path, home: Path) -> None:
    text = memory_at(repository / "packages" / "a" / "src", home).project_context().text
    order = [text.index(word) for word in ("ROOT", "STYLE", "PACKAGE-A", "A-IMPORT", "A-LOCAL")]
    assert order == sorted(order) and text.count("STYLE") == 1 and "PACKAGE-B" not in text
    assert "[from packages/a/CODEAGENT.md]" in text
    assert "PACKAGE-A" not in memory_at(repository, home).project_context().text


def test_a_link_to_the_folder_gives_the_same_text(repository: Path, home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository / "packages" / "a")
    direct = memory_at(repository / "packages" / "a", home).project_context()
    assert memory_at(tmp_path / "link", home).project_context().text == direct.text


def test_agents_md_is_read_on_the_way_down_and_can_be_left(proj: Path, home: Path) -> None:
    subprocess.run(["git", "init", "-q", str(proj)], check=True)
    put(proj / "AGENTS.md", "ROOT AGENTS\n")
    put(proj / "src" / "CLAUDE.md", "DEEP CLAUDE\n")
    memory = memory_at(proj / "src", home)
    found = memory.project_context()
    assert "ROOT AGENTS" in found.text and "DEEP CLAUDE" in found.text
    assert {source.state for source in found.sources} == {"loaded instead of CODEAGENT.md"}
    assert memory_at(proj / "src", home, read_foreign=False).project_context().text == ""
    memory.project.read_foreign(False)
    assert memory.project_context().text == ""


def test_notes_go_to_the_root_of_the_repository(repository: Path, home: Path) -> None:
    memory = memory_at(repository / "packages" / "b", home)
    added = memory.add_note("from below", Layer.PROJECT)
    assert added.path == repository / "CODEAGENT.md" and not added.created
    assert "from below" in memory.project_context().text and memory.take_changes() == []


async def test_an_answer_about_a_file_outside_outlives_the_session_and_the_first_fact(
    repository: Path, home: Path, tmp_path: Path
) -> None:
    rules = put(tmp_path / "rules.md", "SHARED\n")
    put(repository / "CODEAGENT.md", f"@{rules}\n")
    memory = memory_at(repository, home)
    assert [file.answer for file in memory.project_context().outside] == [Answer.WAITING]
    memory.answer_import(rules, Answer.ALLOWED)
    assert "SHARED" in memory.project_context().text and memory.take_changes() == []
    await memory.aclose()
    (repository / ".git" / "codeagent-project-id").write_text("0123456789abcdef\n", encoding="utf-8")
    assert "SHARED" in memory_at(repository, home).project_context().text


def test_another_project_is_not_allowed_the_same_file(repository: Path, home: Path, tmp_path: Path) -> None:
    rules = put(tmp_path / "rules.md", "SHARED\n")
    memory_at(repository, home).answer_import(rules, Answer.ALLOWED)
    put(tmp_path / "other" / "CODEAGENT.md", f"@{rules}\n")
    assert "SHARED" not in memory_at(tmp_path / "other", home).project_context().text
