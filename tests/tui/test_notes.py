"""A `#` line: which lines are notes, where they go, and that what was typed is never lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codeagent_tui.tui.note_line import is_note, note_in, unescaped
from tests.support.files import put
from tests.support.models import ScriptedModel, says
from tests.tui.conftest import Started


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return the app's folder as a repository of git's."""
    folder = tmp_path / "work"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("# use uv", "use uv"),
        ("#use uv ", "use uv"),
        ("# 规范\n", "规范"),
        ("#", ""),
        ("# ", ""),
        ("## Heading", ""),
        ("#12 is broken", ""),
        ("# Title\n\nand text", ""),
        ("\\# Title", ""),
        (" # indented", ""),
        ("#\ufe0f\u20e3 keycap", ""),
        ("", ""),
    ],
)
def test_one_line_that_begins_with_the_sign_is_a_note(text: str, note: str) -> None:
    assert note_in(text) == note
    assert is_note(text) == (text.strip() == "#" or bool(note))


def test_a_heading_can_be_sent() -> None:
    assert unescaped("\\# Title") == "# Title"
    assert unescaped("\\n stays") == "\\n stays"


async def test_a_note_goes_where_it_is_told_and_the_choice_is_remembered(started: Started, tmp_path: Path) -> None:
    model = ScriptedModel(says("fine"))
    async with started(model) as screen:
        await screen.type("# use uv")
        await screen.shows("#  use uv")
        await screen.pilot.press("enter")
        await screen.shows("Add this note to", "› 1  CODEAGENT.md", "CODEAGENT.local.md", "as a message")
        await screen.pilot.press("3")
        await screen.shows("was created with your note: use uv")
        assert (tmp_path / "home" / "CODEAGENT.md").read_text(encoding="utf-8").endswith("\n- use uv\n")
        await screen.send("# and ruff")
        await screen.shows("Add this note to", "› 3  ")
        await screen.pilot.press("enter")
        await screen.shows("Noted in", "and ruff. The next request has it.")
        await screen.send("# and ruff")
        await screen.shows("Add this note to")
        await screen.pilot.press("enter")
        await screen.shows("says that already: and ruff")
        await screen.send("hello")
        await screen.shows("fine")
        assert "- use uv\n- and ruff" in model.requests[-1].system
        assert screen.app.composer.draft == ""


async def test_a_note_that_is_left_or_fails_comes_back(started: Started, tmp_path: Path) -> None:
    async with started(ScriptedModel()) as screen:
        await screen.send("# keep me")
        await screen.shows("Add this note to")
        await screen.pilot.press("escape")
        await screen.until(lambda: screen.app.composer.draft == "# keep me", "the draft")
        (tmp_path / "work" / "CODEAGENT.md").mkdir()
        await screen.pilot.press("enter")
        await screen.shows("Add this note to")
        await screen.pilot.press("1")
        await screen.shows("The note was not added", "is a folder", "in the input line again")
        assert screen.app.composer.draft == "# keep me"


async def test_a_heading_meant_for_the_agent_reaches_it(started: Started, tmp_path: Path) -> None:
    model = ScriptedModel(says("one"), says("two"), says("three"))
    async with started(model) as screen:
        await screen.send("# Title")
        await screen.shows("Add this note to")
        await screen.pilot.press("4")
        await screen.shows("one")
        await screen.send("## Part")
        await screen.shows("two")
        await screen.send("\\# Chapter")
        await screen.shows("three")
        assert [m.content for m in model.requests[-1].messages if m.role == "user"] == [
            "# Title",
            "## Part",
            "# Chapter",
        ]
        assert not (tmp_path / "work" / "CODEAGENT.md").exists()


async def test_a_local_file_that_we_make_can_be_kept_out_of_git(started: Started, repository: Path) -> None:
    put(repository / ".gitignore", "*.pyc")
    async with started(ScriptedModel()) as screen:
        await screen.send("# my port is 9090")
        await screen.shows("Add this note to")
        await screen.pilot.press("2")
        await screen.shows("Keep it out of git?")
        await screen.pilot.press("y")
        await screen.shows("Added to .gitignore: /CODEAGENT.local.md")
        assert (repository / ".gitignore").read_text(encoding="utf-8") == "*.pyc\n/CODEAGENT.local.md\n"
        await screen.send("# another")
        await screen.shows("Add this note to")
        await screen.pilot.press("enter")
        await screen.shows("Noted in CODEAGENT.local.md: another")


async def test_a_local_file_that_stays_in_git_is_said_to(started: Started, repository: Path) -> None:
    async with started(ScriptedModel()) as screen:
        await screen.send("# my port is 9090")
        await screen.shows("Add this note to")
        await screen.pilot.press("2")
        await screen.shows("Keep it out of git?")
        await screen.pilot.press("n")
        await screen.shows("git does not ignore CODEAGENT.local.md")
        assert not (repository / ".gitignore").exists()


async def test_the_sign_says_what_the_line_is(started: Started) -> None:
    async with started(ScriptedModel()) as screen:
        await screen.type("#")
        await screen.shows("a line for CODEAGENT.md")
        assert screen.app.composer.mode_hint == "memory"
        await screen.type("#")
        assert screen.app.composer.mode_hint == "chat"
