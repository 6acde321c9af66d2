"""Files outside the project: not read without the user's word, which is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codeagent_tui.memory.import_consent import Answer, ConsentsDamaged, ImportConsents
from codeagent_tui.memory.project_memory import ProjectMemory, ProjectMemoryLoader
from tests.support.files import put


@pytest.fixture
def consents(home: Path) -> ImportConsents:
    return ImportConsents(home / "import_consents.json", "id:one", frozenset({"git:/old"}))


@pytest.fixture
def loader(proj: Path, home: Path, consents: ImportConsents) -> ProjectMemoryLoader:
    return ProjectMemoryLoader(proj, home, consents=consents)


def notices(memory: ProjectMemory) -> str:
    return "\n".join(memory.notices)


def test_nothing_outside_is_read_until_it_is_allowed(
    proj: Path, loader: ProjectMemoryLoader, consents: ImportConsents, tmp_path: Path
) -> None:
    rules = put(tmp_path / "shared" / "rules.md", "SHARED RULES")
    put(proj / "CODEAGENT.md", f"@{rules}\n@../../shared/rules.md\n")
    memory = loader.load()
    assert "SHARED RULES" not in memory.text
    assert str(rules) in notices(memory) and "/imports" in notices(memory)
    [outside] = memory.outside
    assert (outside.path, outside.answer, outside.imported_by) == (rules, Answer.WAITING, proj / "CODEAGENT.md")

    consents.say(rules, Answer.ALLOWED)
    assert loader.changed()
    memory = loader.load()
    assert memory.text.count("SHARED RULES") == 1 and memory.notices == ()
    assert [found.answer for found in memory.outside] == [Answer.ALLOWED]
    put(rules, "NEW RULES")
    assert loader.changed() and "NEW RULES" in loader.load().text

    consents.say(rules, Answer.WAITING)
    assert loader.changed() and "NEW RULES" not in loader.load().text


def test_a_refusal_is_not_told_again(
    proj: Path, loader: ProjectMemoryLoader, consents: ImportConsents, tmp_path: Path
) -> None:
    rules = put(tmp_path / "rules.md", "RULES")
    put(proj / "CODEAGENT.md", f"@{rules}\n")
    consents.say(rules, Answer.REFUSED)
    memory = loader.load()
    assert "RULES" not in memory.text and memory.notices == ()
    assert "you refused it" in memory.sources[-1].state


def test_an_allowed_file_does_not_bring_others_along(
    proj: Path, loader: ProjectMemoryLoader, consents: ImportConsents, tmp_path: Path
) -> None:
    put(tmp_path / "shared" / "more.md", "MORE")
    rules = put(tmp_path / "shared" / "rules.md", "RULES\n@more.md\n")
    put(proj / "CODEAGENT.md", f"@{rules}\n")
    consents.say(rules, Answer.ALLOWED)
    memory = loader.load()
    assert "RULES" in memory.text and "MORE" not in memory.text
    assert [found.path.name for found in memory.outside] == ["rules.md", "more.md"]


def test_a_link_out_of_the_project_needs_the_same_word(
    proj: Path, loader: ProjectMemoryLoader, consents: ImportConsents, tmp_path: Path
) -> None:
    rules = put(tmp_path / "rules.md", "LINKED RULES")
    (proj / "CODEAGENT.md").symlink_to(rules)
    memory = loader.load()
    assert memory.text == "" and "/imports" in notices(memory)
    assert memory.outside[0].imported_by is None
    consents.say(rules, Answer.ALLOWED)
    assert "LINKED RULES" in loader.load().text


def test_secrets_stay_out_whatever_was_allowed(
    proj: Path, loader: ProjectMemoryLoader, consents: ImportConsents, tmp_path: Path
) -> None:
    key = put(tmp_path / "deploy.pem", "SECRET")
    put(proj / "CODEAGENT.md", f"@{key}\n")
    consents.say(key, Answer.ALLOWED)
    memory = loader.load()
    assert "SECRET" not in memory.text and "usually holds secrets" in notices(memory) and memory.outside == ()


def test_what_is_missing_outside_is_said_to_be_missing(proj: Path, loader: ProjectMemoryLoader) -> None:
    put(proj / "CODEAGENT.md", "@../../nowhere/x.md\n")
    memory = loader.load()
    assert "does not exist" in notices(memory) and memory.outside == ()


def test_answers_are_kept_by_project_and_found_under_older_names(home: Path, tmp_path: Path) -> None:
    path, rules = home / "import_consents.json", tmp_path / "rules.md"
    ImportConsents(path, "git:/old").say(rules, Answer.ALLOWED)
    assert ImportConsents(path, "id:other").answers() == {}
    renamed = ImportConsents(path, "id:one", frozenset({"git:/old"}))
    assert renamed.answers() == {rules: Answer.ALLOWED}
    renamed.say(rules, Answer.REFUSED)
    assert renamed.answers() == {rules: Answer.REFUSED}
    assert ImportConsents(path, "git:/old").answers() == {}
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", ["{", "[]", '{"id:one": ["/x"]}', '{"id:one": {"/x": 1}}', "\0"])
def test_a_damaged_list_allows_nothing_is_told_and_is_left_as_it_is(
    proj: Path, loader: ProjectMemoryLoader, consents: ImportConsents, damage: str, tmp_path: Path
) -> None:
    rules = put(tmp_path / "rules.md", "RULES")
    put(proj / "CODEAGENT.md", f"top\n@{rules}\n")
    put(consents.path, damage)
    memory = loader.load()
    assert "top" in memory.text and "RULES" not in memory.text
    assert "import_consents.json cannot be read" in memory.notices[0]
    with pytest.raises(ConsentsDamaged, match=r"import_consents\.json"):
        consents.say(rules, Answer.ALLOWED)
    assert consents.path.read_text(encoding="utf-8") == damage


def test_an_unknown_answer_counts_as_none_and_stays(consents: ImportConsents, tmp_path: Path) -> None:
    put(consents.path, json.dumps({"id:one": {"/later": "perhaps"}}))
    assert consents.answers() == {}
    consents.say(tmp_path / "x.md", Answer.ALLOWED)
    assert "perhaps" in consents.path.read_text(encoding="utf-8")
