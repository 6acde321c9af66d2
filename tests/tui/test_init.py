"""/init on the screen: the draft is shown, written when the user says so, and never over somebody else's words."""

from __future__ import annotations

from pathlib import Path

from codeagent_tui.llm.offline import OfflineModel
from codeagent_tui.tui.init_prompt import INIT_REQUEST
from tests.support.files import put
from tests.support.models import ScriptedModel, says
from tests.tui.conftest import Started


async def test_the_draft_is_shown_and_written_when_the_user_says_so(started: Started, tmp_path: Path) -> None:
    put(tmp_path / "work" / "Makefile", "test:\n\ttrue\n")
    async with started(OfflineModel(), size=(100, 40)) as screen:
        await screen.send("/init")
        await screen.shows("Write this CODEAGENT.md?", "+- Test: `make test`", "› 1  Write it", "2  No, leave")
        assert not (tmp_path / "work" / "CODEAGENT.md").exists()
        await screen.pilot.press("enter")
        await screen.shows("CODEAGENT.md was written.")
        assert "- Test: `make test`" in (tmp_path / "work" / "CODEAGENT.md").read_text(encoding="utf-8")
        await screen.until(lambda: "make test" in screen.app.host.session.agent.core.prompt.text, "the prompt")
        await screen.send("/init")
        await screen.shows("is there, and the repository shows nothing that it lacks")


async def test_leaving_it_writes_nothing(started: Started, tmp_path: Path) -> None:
    async with started(OfflineModel()) as screen:
        await screen.send("/init")
        await screen.shows("Write this CODEAGENT.md?")
        await screen.pilot.press("escape")
        await screen.until(lambda: not screen.app.screen.is_modal, "the end of the dialog")
        assert not (tmp_path / "work" / "CODEAGENT.md").exists()


async def test_a_connected_model_may_improve_the_draft_or_begin_itself(started: Started, tmp_path: Path) -> None:
    model = ScriptedModel(says("I improved it."), says("I wrote it."))
    async with started(model, size=(100, 40)) as screen:
        await screen.send("/init")
        await screen.shows("2  Write it, then let the agent")
        await screen.pilot.press("2")
        await screen.shows("CODEAGENT.md was written.", "I improved it.")
        assert model.requests[-1].messages[-1].content == INIT_REQUEST
        await screen.send("/init")
        await screen.shows("Let the agent improve it?", "› 2  No")
        await screen.pilot.press("1")
        await screen.shows("I wrote it.")


async def test_a_file_that_is_there_is_kept_and_shown_before_it_grows(started: Started, tmp_path: Path) -> None:
    path = put(tmp_path / "work" / "CODEAGENT.md", "# Mine\n\nMy rules.\n")
    put(tmp_path / "work" / "Makefile", "test:\n")
    async with started(OfflineModel(), size=(100, 40)) as screen:
        await screen.send("/init")
        await screen.shows("Add this to CODEAGENT.md?", "+## Commands", "› 2  No, leave everything")
        await screen.pilot.press("1")
        await screen.shows("CODEAGENT.md was written.")
        assert path.read_text(encoding="utf-8").startswith("# Mine\n\nMy rules.\n\n## Commands\n")


async def test_an_edit_that_comes_between_is_not_written_over(started: Started, tmp_path: Path) -> None:
    path = put(tmp_path / "work" / "CODEAGENT.md", "# Mine\n")
    put(tmp_path / "work" / "Makefile", "test:\n")
    async with started(OfflineModel(), size=(100, 40)) as screen:
        await screen.send("/init")
        await screen.shows("Add this to CODEAGENT.md?")
        put(path, "# Theirs, which is longer\n")
        await screen.pilot.press("1")
        await screen.shows("meanwhile. Nothing was written")
        assert path.read_text(encoding="utf-8") == "# Theirs, which is longer\n"


async def test_what_is_no_text_file_is_left_alone(started: Started, tmp_path: Path) -> None:
    (tmp_path / "work" / "CODEAGENT.md").mkdir(parents=True)
    async with started(OfflineModel(), size=(100, 40)) as screen:
        await screen.send("/init")
        await screen.shows("is a folder.", "Nothing was written")
