"""What the READMEs say is what the program does: tables, examples and commands are checked against the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from codeagent_tui.paths import Paths
from codeagent_tui.settings import PermissionMode
from codeagent_tui.settings_file import load_settings
from tests.support.readme_tables import READMES, ROOT, all_tables, with_tables
from tests.support.readme_words import COMMANDS_IN_CHINESE

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
_TEST_COMMAND = "pytest -n auto --dist loadfile"


@pytest.fixture(params=range(len(READMES)), ids=READMES)
def language(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


@pytest.fixture
def readme(language: int) -> str:
    return (ROOT / READMES[language]).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced code of one language."""
    return [body for name, body in _FENCE.findall(text) if name == language]


def test_the_tables_are_those_of_the_code(readme: str, language: int) -> None:
    # Stale? Write them anew: python -m tests.support.readme_tables
    assert with_tables(readme, language) == readme
    for name in all_tables(language):
        assert f"<!-- table: {name} -->" in readme


def test_the_chinese_tables_are_wholly_chinese() -> None:
    tables = all_tables(1)
    for row in (tables["commands"] + tables["keys"] + tables["exit_codes"]).splitlines():
        assert re.search("[\u4e00-\u9fff]", row) or set(row) <= set("| -"), row
    assert all(COMMANDS_IN_CHINESE.values())


def test_the_example_of_the_settings_can_be_used(readme: str, tmp_path: Path) -> None:
    [example] = blocks(readme, "json")
    paths = Paths(tmp_path / "home")
    paths.home.mkdir()
    paths.settings.write_text(example, encoding="utf-8")
    settings = load_settings(paths, tmp_path, {})
    assert (settings.model, settings.window) == (json.loads(example)["model"], 65_536)


def test_every_mode_is_explained(readme: str) -> None:
    for mode in PermissionMode:
        assert f"| `{mode.value}` |" in readme


def test_one_command_sets_up_and_runs_and_one_sets_up_and_tests(readme: str) -> None:
    shell = blocks(readme, "sh")
    assert "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/codeagent\n" in shell
    tests = f"python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m {_TEST_COMMAND}\n"
    assert tests in shell
    assert _TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_links_lead_somewhere(readme: str) -> None:
    found = _LINK.findall(readme)
    assert "docs/screenshot.png" in found and "LICENSE" in found
    for target in found:
        assert (ROOT / target).exists(), target


def test_both_languages_say_the_same() -> None:
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in READMES)
    for kind in ("sh", "json", "powershell"):
        assert len(blocks(english, kind)) == len(blocks(chinese, kind))
    levels = [re.findall("^#+ ", text, re.M) for text in (english, chinese)]
    assert levels[0] == levels[1]
    names = [
        sorted(set(re.findall(r"`(--?[a-z][a-z-]*|[A-Z][A-Z_]{5,}|/[a-z]+)", text))) for text in (english, chinese)
    ]
    assert names[0] == names[1]


def test_the_screenshot_is_a_picture() -> None:
    assert (ROOT / "docs" / "screenshot.png").read_bytes().startswith(b"\x89PNG")
