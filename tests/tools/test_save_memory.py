"""save_memory: what would be saved is shown; it says when it may be used; saving is somebody else's."""

from __future__ import annotations

from pathlib import Path

from codeagent_tui.tools.save_memory import SaveMemory
from codeagent_tui.tools.tool import parse_arguments
from tests.support.tools import fails, scratch_context, use


class Facts:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.saved: list[tuple[str, bool]] = []

    async def save_fact(self, content: str, *, project_only: bool) -> str:
        self.saved.append((content, project_only))
        return "Saved."


async def test_a_fact_is_saved_through_the_one_door(tmp_path: Path) -> None:
    context = scratch_context(tmp_path)
    context.facts = facts = Facts()
    assert (await use(SaveMemory(), context, fact=" 提交信息用中文 ")).text == "Saved."
    await use(SaveMemory(), context, fact="half \ud83c", project_only=False)
    assert facts.saved == [("提交信息用中文", True), ("half \ufffd", False)]
    assert "empty" in await fails(SaveMemory(), context, fact="  ")
    assert len(facts.saved) == 2


async def test_the_question_shows_the_text_and_where_it_would_count(tmp_path: Path) -> None:
    context = scratch_context(tmp_path)
    tool = SaveMemory()
    arguments = parse_arguments(tool, '{"fact": "tabs, not spaces", "project_only": false}')  # type: ignore[arg-type]
    access = await tool.access(arguments, context)  # type: ignore[arg-type]
    assert "tabs, not spaces" in access.body and "all projects" in access.body
    assert "Not saved" in await fails(tool, context, fact="x")


def test_the_model_is_told_when_it_may(tmp_path: Path) -> None:
    for said in ("only when the user plainly asks", "remember this", "from now on", "记一下", "记住", "以后记得"):
        assert said in SaveMemory.description
