"""todo: the list of open work, replaced as a whole."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from codeagent_tui.conversation.events import TodoItem, ToolKind
from codeagent_tui.text import one_line
from codeagent_tui.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolOutput

_SIGNS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}


class TodoEntry(BaseModel):
    """One item."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=500)
    status: Literal["pending", "in_progress", "done"] = "pending"


class TodoArguments(Arguments):
    """The new list."""

    items: list[TodoEntry] = Field(max_length=50, description="The whole list, in order")


class Todo(Tool[TodoArguments]):
    """Keeps the list of open work."""

    name: ClassVar[str] = "todo"
    description: ClassVar[str] = (
        "Replace the to-do list that the user sees. For work of three steps or more; at most one item in_progress; "
        "mark items done as soon as they are."
    )
    kind: ClassVar[ToolKind] = ToolKind.PLAN
    arguments: ClassVar[type[Arguments]] = TodoArguments

    def title(self, arguments: TodoArguments) -> str:
        """Return one line for people."""
        done = sum(item.status == "done" for item in arguments.items)
        return f"todo {done}/{len(arguments.items)} done"

    async def run(self, arguments: TodoArguments, context: ToolContext) -> ToolOutput:
        """Replace the list."""
        if sum(item.status == "in_progress" for item in arguments.items) > 1:
            raise ToolError("The list was not changed: more than one item is in_progress.")
        context.todos[:] = [TodoItem(one_line(item.text), item.status) for item in arguments.items]
        lines = [f"{_SIGNS[item.status]} {item.text}" for item in context.todos]
        return ToolOutput("\n".join(lines) or "The list is empty.", summary=self.title(arguments))
