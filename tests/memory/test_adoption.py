"""A project that is not where it was: its facts are offered to what is probably the same one, never taken unasked."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.project_facts import ProjectFacts
from codeagent_tui.memory.project_identity import described


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "facts.json"


def git_init(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)


def save(path: Path, folder: Path, text: str = "use tabs") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ProjectFacts(path, folder).save(text, Scope.PROJECT, "command")


def test_l_06_a_moved_folder_without_git_is_offered_its_facts(path: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "w" / "app", tmp_path / "w" / "app2"
    save(path, old)
    old.rename(new)
    facts = ProjectFacts(path, new)
    assert facts.visible() == ()
    [orphan] = facts.to_offer()
    assert (orphan.folder, [f.content for f in orphan.facts]) == (old, ["use tabs"])
    assert facts.adopt(orphan.name) == 1
    assert [f.content for f in ProjectFacts(path, new).visible()] == ["use tabs"]
    assert ProjectFacts(path, new).adoptable() == []


def test_l_06_a_repository_cloned_anew_in_its_old_place_is_offered_its_facts(path: Path, tmp_path: Path) -> None:
    app = tmp_path / "app"
    git_init(app)
    save(path, app)
    shutil.rmtree(app)
    git_init(app)
    [orphan] = ProjectFacts(path, app).to_offer()
    assert orphan.folder == app


def test_l_06_nothing_is_offered_of_projects_that_are_still_there(path: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        git_init(tmp_path / name)
        save(path, tmp_path / name, f"fact of {name}")
    (tmp_path / "a").rename(tmp_path / "moved")
    save(path, tmp_path / "plain", "fact of plain")
    for folder in ("b", "moved", "plain"):
        assert ProjectFacts(path, tmp_path / folder).adoptable() == [], folder
        assert len(ProjectFacts(path, tmp_path / folder).visible()) == 1


def test_what_is_not_likely_is_not_offered_but_can_be_taken_over(path: Path, tmp_path: Path) -> None:
    save(path, tmp_path / "x" / "old")
    shutil.rmtree(tmp_path / "x")
    (tmp_path / "y" / "new").mkdir(parents=True)
    facts = ProjectFacts(path, tmp_path / "y" / "new")
    assert facts.to_offer() == [] and len(facts.adoptable()) == 1


def test_a_project_with_facts_of_its_own_is_not_asked_again(path: Path, tmp_path: Path) -> None:
    save(path, tmp_path / "w" / "old")
    shutil.rmtree(tmp_path / "w" / "old")
    save(path, tmp_path / "w" / "new", "use uv")
    facts = ProjectFacts(path, tmp_path / "w" / "new")
    assert facts.to_offer() == [] and len(facts.adoptable()) == 1


def test_l_06_the_rule_is_told_in_words(path: Path, tmp_path: Path) -> None:
    plain, repository = tmp_path / "plain", tmp_path / "repo"
    plain.mkdir()
    git_init(repository)
    assert described(ProjectFacts(path, plain).identity) == f"the folder {plain} (it is in no git repository)"
    assert "named with its first fact" in described(ProjectFacts(path, repository).identity)
    save(path, repository)
    assert "found again when it is moved" in described(ProjectFacts(path, repository).identity)
