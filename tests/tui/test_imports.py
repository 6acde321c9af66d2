"""Files outside the project: said, shown, allowed and refused on the screen; and changes told there."""

from __future__ import annotations

import asyncio
from pathlib import Path

from codeagent_tui.llm.provider import TextPiece
from tests.support.files import put
from tests.support.models import ScriptedModel, calls, says
from tests.tui.conftest import Started


async def test_a_file_outside_is_said_shown_and_read_when_it_is_allowed(started: Started, tmp_path: Path) -> None:
    rules = put(tmp_path / "shared" / "rules.md", "SHARED RULES\n")
    put(tmp_path / "work" / "CODEAGENT.md", f"@{rules}\n")
    model = ScriptedModel(says("one"), says("two"), says("three"))
    async with started(model, size=(120, 40)) as screen:
        await screen.shows("CODEAGENT.md imports", "outside", "/imports")
        await screen.send("first")
        await screen.shows("one")
        assert "SHARED RULES" not in model.requests[-1].system
        await screen.send("/imports")
        await screen.shows("Read this file outside the project?", "CODEAGENT.md", "SHARED RULES", "› 3")
        await screen.pilot.press("1")
        await screen.shows("Read in this project from now on")
        await screen.send("second")
        await screen.shows("two")
        assert "SHARED RULES" in model.requests[-1].system
        await screen.send("/imports")
        await screen.shows("Read this file outside the project?", "› 1")
        await screen.pilot.press("2")
        await screen.shows("you are not asked again")
        await screen.send("third")
        await screen.shows("three")
        assert "SHARED RULES" not in model.requests[-1].system


async def test_an_answer_that_cannot_be_kept_changes_nothing(started: Started, tmp_path: Path) -> None:
    rules = put(tmp_path / "shared" / "rules.md", "SHARED RULES\n")
    put(tmp_path / "work" / "CODEAGENT.md", f"@{rules}\n")
    async with started(ScriptedModel(), size=(120, 40)) as screen:
        await screen.send("/imports")
        await screen.shows("Read this file outside the project?")
        put(tmp_path / "home" / "import_consents.json", "{")
        await screen.pilot.press("1")
        # Without spaces: where a line breaks depends on how long the path of the file is.
        await screen.until(lambda: "import_consents.jsoncannotbe" in "".join(screen.text.split()))
        await screen.until(lambda: "nofileoutsidetheprojectisread" in "".join(screen.text.split()))
        assert "SHARED" not in screen.app.host.session.agent.memory.project_context().text


async def test_several_files_are_listed_and_the_list_can_be_left(started: Started, tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / "shared" / f"{name}.md", name)
    put(tmp_path / "work" / "CODEAGENT.md", "@../shared/a.md\n@../shared/b.md\n")
    async with started(ScriptedModel(), size=(120, 40)) as screen:
        await screen.send("/imports")
        await screen.shows("Files outside the project", "waits for your word")
        await screen.pilot.press("enter")
        await screen.shows("Read this file outside the project?")
        await screen.pilot.press("1")
        await screen.shows("Files outside the project", "is read:")
        await screen.pilot.press("escape")
        await screen.until(lambda: not screen.app.screen.is_modal, "the end of the dialog")


async def test_without_such_files_there_is_nothing_to_ask(started: Started) -> None:
    async with started(ScriptedModel()) as screen:
        await screen.send("/imports")
        await screen.shows("No CODEAGENT.md here imports a file outside the project.")


async def test_m_06_a_change_is_told_once_and_the_next_request_has_it(started: Started, tmp_path: Path) -> None:
    path = put(tmp_path / "work" / "CODEAGENT.md", "RULE ONE\n")
    model = ScriptedModel(says("first answer"), says("second answer"))
    async with started(model, size=(100, 30)) as screen:
        await screen.send("a")
        await screen.shows("first answer")
        put(path.with_name("new"), "RULE TWO\n").replace(path)
        await screen.shows("CODEAGENT.md changed (+1 -1 lines). It counts from the next request on.")
        await screen.send("b")
        await screen.shows("second answer")
        assert "RULE ONE" in model.requests[0].system and "RULE TWO" in model.requests[1].system
        assert screen.text.count("It counts from the next request on.") == 1


async def test_m_06_a_save_during_a_turn_reaches_its_next_call(started: Started, tmp_path: Path) -> None:
    path = put(tmp_path / "work" / "CODEAGENT.md", "RULE ONE\n")
    hold = asyncio.Event()
    model = ScriptedModel([TextPiece("thinking "), hold, *calls(("read_file", {"path": "CODEAGENT.md"}))], says("done"))
    async with started(model, size=(100, 30)) as screen:
        await screen.send("a")
        await screen.until(lambda: len(model.requests) == 1)
        put(path.with_name("new"), "RULE TWO\n").replace(path)
        await screen.shows("CODEAGENT.md changed")
        hold.set()
        await screen.shows("done")
        assert "RULE ONE" in model.requests[0].system and "RULE TWO" not in model.requests[0].system
        assert "RULE TWO" in model.requests[1].system
