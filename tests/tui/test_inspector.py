"""What the inspector's tabs say, as text: nothing of the next request is left out."""

from pathlib import Path

from codeagent_tui.conversation.messages import ToolCall, assistant, tool_result, user
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.memory.project_memory import Layer, MemorySource, ProjectMemory
from codeagent_tui.tui.inspector.project_files import project_file_lines
from codeagent_tui.tui.inspector.prompt import prompt_lines
from codeagent_tui.tui.inspector.short_term import short_term_lines
from codeagent_tui.tui.pieces import Piece


def text_of(lines: list[Piece]) -> str:
    """Return the lines as one text."""
    return "\n".join(line for line, _ in lines)


def test_the_prompt_tab_holds_every_part_of_the_request_with_its_tokens() -> None:
    sections = [("identity", "You are CodeAgent."), ("long-term memory", "## 相关长期记忆\n- 用 uv")]
    request = ChatRequest(
        system="\n\n".join(text for _, text in sections),
        messages=(
            user("read a.py [/]"),
            assistant("I read it.", ToolCall("c1", "read_file", '{"path": "a.py"}')),
            tool_result("c1", "print(1)"),
        ),
        tools=(ToolSpec("read_file", "Read a file.", {"type": "object"}),),
    )
    text = text_of(prompt_lines(request, sections))
    parts = [
        "system · identity · 5 tokens",
        "You are CodeAgent.",
        "system · long-term memory",
        "## 相关长期记忆",
        "- 用 uv",
    ]
    parts += [
        "user ·",
        "read a.py [/]",
        "assistant ·",
        "I read it.",
        'read_file {"path": "a.py"}',
        "tool ·",
        "print(1)",
    ]
    parts += ["tool · read_file ·", "Read a file.", '{"type": "object"}']
    assert [part for part in parts if part not in text] == []


def test_the_prompt_tab_shows_no_control_bytes() -> None:
    request = ChatRequest("s", (user("\x1b]52;c;aGk=\x07ls"),))
    assert "\x1b" not in text_of(prompt_lines(request, [("s", "\x1b[2J")]))


def test_short_term_entries_and_those_that_wait_are_told_apart() -> None:
    held = [MemoryEntry(MemoryType.USER, "read it"), MemoryEntry(MemoryType.TOOL_RESULT, "print(1)")]
    waits = [MemoryEntry(MemoryType.ASSISTANT, "long ago")]
    text = text_of(short_term_lines(held, waits, 90_000))
    assert "2 entries, 4 of 90k tokens" in text
    assert "tool result · 2 tokens" in text
    assert text.index("print(1)") < text.index("1 wait to be compressed") < text.index("long ago")


def test_project_files_are_listed_with_size_state_and_notices() -> None:
    memory = ProjectMemory(
        "Run the tests with pytest.",
        (
            MemorySource(Path("/p/CODEAGENT.md"), Layer.PROJECT, 1_234, "loaded"),
            MemorySource(Path("/p/style.md"), Layer.PROJECT, 99, "cut", Path("/p/CODEAGENT.md")),
        ),
        ("style.md was cut",),
    )
    text = text_of(project_file_lines(memory))
    for part in (
        "/p/CODEAGENT.md",
        "1,234 characters",
        "loaded",
        "cut · imported by CODEAGENT.md",
        "! style.md was cut",
    ):
        assert part in text
    assert "Run the tests with pytest." in text
    assert "/init" in text_of(project_file_lines(ProjectMemory()))
