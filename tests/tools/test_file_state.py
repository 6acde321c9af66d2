"""What the model has seen: pages add up, pieces stand or fall, our own changes carry over."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.tools.edit_file import EditFile
from codeagent_tui.tools.file_state import FileState
from codeagent_tui.tools.read_file import ReadFile
from codeagent_tui.tools.replacement import replace_exact
from codeagent_tui.tools.tool import ToolContext, ToolError, parse_arguments
from codeagent_tui.tools.write_file import WriteFile
from tests.support.tools import fails, scratch_context, use

READ, WRITE, EDIT = ReadFile(), WriteFile(), EditFile()
TEN = "".join(f"line {number}\n" for number in range(1, 11))


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    context = scratch_context(tmp_path)
    (context.workspace.root / "f").write_text(TEN)
    return context


@pytest.fixture
def file(context: ToolContext) -> Path:
    return context.workspace.root / "f"


async def test_t_08_pages_make_a_whole(context: ToolContext, file: Path) -> None:
    await use(READ, context, path="f", offset=6)
    assert "a part" in await fails(WRITE, context, path="f", content="x\n")
    await use(READ, context, path="f", limit=5)
    await use(WRITE, context, path="f", content="x\n")
    assert file.read_text() == "x\n"


async def test_t_08_a_change_of_another_part_does_not_matter(context: ToolContext, file: Path) -> None:
    await use(READ, context, path="f", limit=5)
    file.write_text(TEN.replace("line 9", "mine 9!"))
    await use(EDIT, context, path="f", old_text="line 2", new_text="LINE TWO")
    assert file.read_text() == TEN.replace("line 9", "mine 9!").replace("line 2", "LINE TWO")
    await use(EDIT, context, path="f", old_text="line 5", new_text="five")


async def test_t_08_where_no_overlap_cannot_be_shown_it_is_refused(context: ToolContext, file: Path) -> None:
    await use(READ, context, path="f", offset=4, limit=3)
    file.write_text("a line above\n" + TEN)
    before = file.read_bytes()
    assert "Read it again" in await fails(EDIT, context, path="f", old_text="line 5", new_text="five")
    assert file.read_bytes() == before


async def test_t_08_lines_that_were_not_read_are_not_edited(context: ToolContext, file: Path) -> None:
    await use(READ, context, path="f", limit=3)
    said = await fails(EDIT, context, path="f", old_text="line 3\nline 4\nline 5", new_text="x")
    assert "lines 3-5 of it have not been read" in said and "offset=3" in said
    assert "line 7 of it has" in await fails(EDIT, context, path="f", old_text="line 7", new_text="x")
    assert "line 4 of it" in await fails(EDIT, context, path="f", old_text="line", new_text="x", replace_all=True)
    assert file.read_text() == TEN


async def test_t_08_a_clipped_line_is_known_as_far_as_it_was_shown(context: ToolContext, file: Path) -> None:
    file.write_text("a" * 3_000 + "needle" + "b" * 3_000)
    await use(READ, context, path="f")
    assert "not been read" in await fails(EDIT, context, path="f", old_text="needle", new_text="pin")
    await use(READ, context, path="f", char_offset=2_900)
    await use(EDIT, context, path="f", old_text="needle", new_text="pin")
    assert file.read_text() == "a" * 3_000 + "pin" + "b" * 3_000


async def test_t_08_a_change_between_the_question_and_the_answer_is_noticed(context: ToolContext, file: Path) -> None:
    await use(READ, context, path="f")
    arguments = parse_arguments(EDIT, '{"path": "f", "old_text": "line 2", "new_text": "x"}')  # type: ignore[arg-type]
    await EDIT.access(arguments, context)  # type: ignore[arg-type]
    file.write_text("mine\n" + TEN)
    with pytest.raises(ToolError, match="Read it again"):
        await EDIT.run(arguments, context)  # type: ignore[arg-type]
    assert file.read_text() == "mine\n" + TEN


async def test_t_08_a_change_in_the_last_moment_is_noticed(
    context: ToolContext, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import codeagent_tui.tools.edit_file as module

    await use(READ, context, path="f")

    def late(text: str, *rest: object) -> bytes:
        file.write_text("somebody was quicker\n")
        return text.encode()

    monkeypatch.setattr(module, "encode", late)
    assert "in this very moment" in await fails(EDIT, context, path="f", old_text="line 2", new_text="x")
    assert [path.name for path in file.parent.iterdir()] == ["f"]
    assert file.read_text() == "somebody was quicker\n"


async def test_an_interrupted_edit_is_whole_and_known(context: ToolContext, file: Path) -> None:
    await use(READ, context, path="f")
    arguments = parse_arguments(EDIT, '{"path": "f", "old_text": "line 2", "new_text": "x"}')  # type: ignore[arg-type]
    task = asyncio.create_task(EDIT.run(arguments, context))  # type: ignore[arg-type]
    while not context.file_state.lock(file).locked():
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    if "line 2\n" in file.read_text():
        await use(EDIT, context, path="f", old_text="line 2\n", new_text="x\n")
    await use(EDIT, context, path="f", old_text="line 3\n", new_text="y\n")
    assert file.read_text() == TEN.replace("line 2\n", "x\n").replace("line 3\n", "y\n")


@given(st.text("ab\n", max_size=30), st.data())
def test_our_own_edits_keep_what_is_known(text: str, data: st.DataObject) -> None:
    """After any run of edits the file is known whole if it was, and nothing unseen becomes known."""
    state, path = FileState(), Path("f")
    cut = data.draw(st.integers(0, len(text)))
    state.saw(path, text, [(0, cut)])
    unseen = text[cut:]
    for number in range(3):
        seen = len(text) - len(unseen)
        if not seen:
            break
        start = data.draw(st.integers(0, seen - 1))
        end = data.draw(st.integers(start + 1, seen))
        put = data.draw(st.text("xy\n", max_size=4)) + str(number)
        after = text[:start] + put + text[end:]
        state.check_places(path, text, [(start, end)], "f")
        state.changed(path, text, after, [((start, end), (start, start + len(put)))])
        text = after
    seen = len(text) - len(unseen)
    if seen:
        state.check_places(path, text, [(0, seen)], "f")
    if unseen:
        with pytest.raises(ToolError):
            state.check_whole(path, text, "f")
        with pytest.raises(ToolError):
            state.check_places(path, text, [(seen, seen + 1)], "f")
    else:
        state.check_whole(path, text, "f")


@given(
    st.lists(st.sampled_from(["ab", "a", "b", "\n", "\r\n", "中"]), max_size=30).map("".join),
    st.text("ax\n", max_size=4),
)
def test_the_places_of_a_replacement_are_what_was_and_what_is(text: str, new: str) -> None:
    if "ab" not in text or new == "ab":
        return
    done = replace_exact(text, "ab", new, every=True, shown="f")
    assert len(done.places) == text.count("ab")
    before = after = 0
    for (old_start, old_end), (new_start, new_end) in done.places:
        assert text[old_start:old_end] == "ab"
        assert done.text[new_start:new_end].replace("\r\n", "\n") == new
        assert text[before:old_start] == done.text[after:new_start]
        before, after = old_end, new_end
    assert text[before:] == done.text[after:]
