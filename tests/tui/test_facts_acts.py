"""/save, /forget, /memory adopt and /recall on the screen: what is done is said, and words are never lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import MessageKind
from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.project_facts import ProjectFacts
from codeagent_tui.memory.recalled import INTRODUCTION
from codeagent_tui.paths import Paths
from tests.support.models import ScriptedModel, says
from tests.tui.conftest import Screen, Started


def facts(screen: Screen) -> list[tuple[str, str]]:
    return [(f.scope or "", f.content) for f in reversed(screen.app.host.session.agent.memory.facts())]


async def test_a_fact_is_saved_and_forgotten(started: Started) -> None:
    async with started(size=(120, 40)) as screen:
        await screen.send("/save the port is 8080")
        await screen.shows("Saved in this project (id")
        await screen.send("/save --global answer in Chinese")
        await screen.shows("Saved in all projects (id")
        assert facts(screen) == [("project", "the port is 8080"), ("global", "answer in Chinese")]
        await screen.send("/save the  port is 8080")
        await screen.shows("Already saved in this project (id")
        await screen.send("/forget port")
        await screen.shows("Forgotten: the port is 8080")
        await screen.send("/forget port")
        await screen.shows("Nothing was forgotten: no fact seen here has the id or the text 'port'")
        assert facts(screen) == [("global", "answer in Chinese")]


async def test_l_07_forgetting_lists_what_may_be_meant(started: Started) -> None:
    async with started(size=(120, 40)) as screen:
        for text in ("/save the port is 8080", "/save --global the port is 9090"):
            await screen.send(text)
        await screen.until(lambda: len(facts(screen)) == 2)
        await screen.send("/forget the port")
        await screen.shows(
            "2 facts fit", "the port is 8080  (this project, just now)", "9090  (all projects, just now)"
        )
        [first, _] = screen.app.host.session.agent.memory.facts()
        await screen.send(f"/forget {first.id}")
        await screen.until(lambda: len(facts(screen)) == 1)


async def test_l_04_a_refused_fact_comes_back_with_the_reason(started: Started) -> None:
    async with started(size=(120, 40)) as screen:
        await screen.send("/save staging DB password is Tr0ub4dor-9x")
        await screen.shows("Not saved: it seems to hold a password")
        assert screen.app.composer.draft == "/save staging DB password is Tr0ub4dor-9x"
        assert facts(screen) == []


async def test_l_01_a_failed_save_gives_the_words_back(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    async with started(size=(120, 40)) as screen:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            await screen.send("/save use uv")
            await screen.shows("Not saved: No space left on device")
        assert screen.app.composer.draft == "/save use uv" and facts(screen) == []
        await screen.pilot.press("enter")
        await screen.shows("Saved in this project")


async def test_the_key_takes_a_selection_the_draft_or_the_last_message_and_saves_nothing(started: Started) -> None:
    async with started(ScriptedModel(says("fine")), size=(120, 40)) as screen:
        await screen.pilot.press("f3")
        assert screen.app.composer.draft == "/save "
        await screen.send("we deploy on fridays")
        await screen.idle()
        await screen.pilot.press("f3")
        assert screen.app.composer.draft == "/save we deploy on fridays"
        screen.app.composer.set_text("use uv")
        await screen.pilot.press("f3", "f3")
        assert screen.app.composer.draft == "/save use uv"
        screen.app.composer.set_text("!ls")
        await screen.pilot.press("f3")
        assert screen.app.composer.draft == "/save "
        row = next(number for number, line in enumerate(screen.text.split("\n")) if "we deploy" in line)
        column = screen.text.split("\n")[row].index("deploy")
        await screen.pilot.mouse_down(offset=(column, row))
        await screen.pilot.hover(offset=(column + len("deploy on"), row))
        await screen.pilot.mouse_up(offset=(column + len("deploy on") - 1, row))
        await screen.pilot.press("f3")
        assert screen.app.composer.draft == "/save deploy on" and not screen.app.screen.get_selected_text()
        assert facts(screen) == []


async def test_l_06_a_moved_project_is_offered_its_facts(started: Started, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    ProjectFacts(Paths(tmp_path / "home").long_term_memory, old).save("use tabs", Scope.PROJECT, "command")
    old.rename(tmp_path / "work")
    async with started(size=(120, 40)) as screen:
        await screen.shows("Memory holds 1 fact of", "/memory adopt takes them over")
        await screen.send("/memory adopt")
        await screen.shows("Which of these projects is this one", "use tabs")
        await screen.pilot.press("enter")
        await screen.shows("1 fact of", "this project now")
        assert facts(screen) == [("project", "use tabs")]
        await screen.send("/memory adopt")
        await screen.shows("There are no facts of projects that are gone.")


async def test_l_06_the_rule_of_a_project_is_shown(started: Started) -> None:
    async with started(size=(120, 40)) as screen:
        await screen.send("/memory")
        await screen.shows("Facts of this project belong to the folder")


async def test_what_is_recalled_is_shown_and_told_once(started: Started) -> None:
    model = ScriptedModel(says("ok"))
    async with started(model, size=(120, 40)) as screen:
        memory = screen.app.host.session.agent.memory
        memory.short_term.store(MemoryEntry(MemoryType.USER, "the parser was rewritten by hand"))
        await screen.send("/save the parser is in parse.py")
        await screen.until(lambda: len(facts(screen)) == 1)
        await screen.send("/recall parser")
        await screen.shows("a saved fact, just now", "the user said, just now", "goes along with your next message")
        assert model.requests == []
        await screen.send("go on")
        await screen.idle()
        await screen.send("and again")
        await screen.idle()
        [recalled] = [m for m in model.requests[-1].messages if m.content.startswith(INTRODUCTION)]
        assert '"the parser was rewritten by hand"' in recalled.content and "parse.py" in recalled.content
        assert [m.content for m in model.requests[0].messages] == [recalled.content, "go on"]
        assert not recalled.starts_turn and recalled.kind is MessageKind.RECALLED
        assert all(INTRODUCTION not in entry.content for entry in memory.short_term.everything)
        await screen.send("/recall go on")
        await screen.shows("The model has all of this.")
        await screen.send("/recall zebra")
        await screen.shows("Memory holds nothing on 'zebra'.")


async def test_what_was_recalled_is_not_told_in_another_session(started: Started) -> None:
    model = ScriptedModel(says("ok"))
    async with started(model, size=(120, 40)) as screen:
        await screen.send("/save the parser is in parse.py")
        await screen.until(lambda: len(facts(screen)) == 1)
        await screen.send("/recall parser")
        await screen.shows("goes along with your next message")
        await screen.send("/new")
        await screen.shows("new session")
        await screen.send("hello")
        await screen.idle()
        assert [m.content for m in model.requests[0].messages] == ["hello"]
