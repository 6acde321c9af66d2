"""What the READMEs say is what the program does: their tables come from the code."""

from dataclasses import fields
from pathlib import Path

import pytest

from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS
from codeagent_tui.settings import Settings
from codeagent_tui.tui.command_tables import commands_table, keys_table

ROOT = Path(__file__).parents[1]
NOT_IN_A_FILE = {"api_key", "sources"}


@pytest.fixture(params=["README.md", "README.zh-CN.md"])
def readme(request: pytest.FixtureRequest) -> str:
    return (ROOT / request.param).read_text(encoding="utf-8")


def test_keys_and_commands_are_those_of_the_table(readme: str) -> None:
    assert keys_table() in readme
    assert commands_table() in readme


def test_every_setting_is_named(readme: str) -> None:
    for setting in fields(Settings):
        assert setting.name in NOT_IN_A_FILE or f"| `{setting.name}` |" in readme


def test_every_offline_request_is_named(readme: str) -> None:
    for english, chinese in OFFLINE_REQUESTS:
        assert f"| `{english}` | `{chinese}` |" in readme


def test_every_exit_code_is_named(readme: str) -> None:
    for code in ExitCode:
        assert str(int(code)) in readme


def test_the_screenshot_is_there(readme: str) -> None:
    assert "docs/screenshot.png" in readme
    assert (ROOT / "docs" / "screenshot.png").stat().st_size > 10_000
