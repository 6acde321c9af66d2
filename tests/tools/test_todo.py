"""todo: the list is replaced as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path

from codeagent_tui.conversation.events import TodoItem
from codeagent_tui.tools.todo import Todo
from tests.support.tools import fails, scratch_context, use


async def test_the_list_is_replaced_and_shown(tmp_path: Path) -> None:
    context = scratch_context(tmp_path)
    todos = context.todos
    await use(Todo(), context, items=[{"text": "old"}])
    output = await use(
        Todo(),
        context,
        items=[{"text": "read\nit", "status": "done"}, {"text": "mend", "status": "in_progress"}, {"text": "test"}],
    )
    assert output.text == "[x] read it\n[>] mend\n[ ] test"
    assert output.summary == "todo 1/3 done"
    assert todos is context.todos
    assert todos == [TodoItem("read it", "done"), TodoItem("mend", "in_progress"), TodoItem("test")]
    assert (await use(Todo(), context, items=[])).text == "The list is empty."


async def test_a_list_that_is_wrong_changes_nothing(tmp_path: Path) -> None:
    context = scratch_context(tmp_path)
    await use(Todo(), context, items=[{"text": "kept"}])
    two = [{"text": "a", "status": "in_progress"}, {"text": "b", "status": "in_progress"}]
    assert "more than one item" in await fails(Todo(), context, items=two)
    said = await fails(Todo(), context, items=[{"text": "a", "status": "finished"}])
    assert "items.0.status" in said and "'in_progress'" in said
    assert "items.0.text" in await fails(Todo(), context, items=[{"text": ""}])
    assert context.todos == [TodoItem("kept")]
