"""What the inspector's tabs say, as text: nothing of the next request is left out."""

from __future__ import annotations

from pathlib import Path

from codeagent_tui.context.record import CompactionRecord
from codeagent_tui.context.verification import Coverage
from codeagent_tui.conversation.messages import ToolCall, assistant, tool_result, user
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.memory.project_memory import Layer, MemorySource, ProjectMemory, TextPart
from codeagent_tui.tui.inspector.compaction_text import record_pieces, record_sections
from codeagent_tui.tui.inspector.file_rows import FileRow, file_rows, row_pieces
from codeagent_tui.tui.inspector.file_rows import level_of as level_of_files
from codeagent_tui.tui.inspector.key_line import hint_rows
from codeagent_tui.tui.inspector.level import level_pieces
from codeagent_tui.tui.inspector.prompt import prompt_sections
from codeagent_tui.tui.inspector.sections import Section, lay_out
from codeagent_tui.tui.inspector.short_term import level_of, short_term_sections
from codeagent_tui.tui.inspector.tab_strip import tab_pieces
from codeagent_tui.tui.pieces import Piece, width_of


def joined(pieces: list[Piece]) -> str:
    return "".join(text for text, _ in pieces)


def told(section: Section) -> tuple[str, str, str]:
    return section.title, section.figure.strip(), section.text


def test_the_prompt_holds_every_part_of_the_request_with_its_tokens() -> None:
    parts = [("identity", "You are CodeAgent."), ("long-term memory", "## 相关长期记忆\n- 用 uv")]
    request = ChatRequest(
        system="\n\n".join(text for _, text in parts),
        messages=(
            user("read a.py [/]"),
            assistant("I read it.", ToolCall("c1", "read_file", '{"path": "a.py"}')),
            tool_result("c1", "print(1)"),
        ),
        tools=(ToolSpec("read_file", "Read a file.", {"type": "object"}),),
    )
    sections = prompt_sections(request, parts, draft="and then?")
    assert [told(section)[:2] for section in sections] == [
        ("system · identity", "5 tokens"),
        ("system · long-term memory", "7 tokens"),
        ("user", "4 tokens"),
        ("assistant", "9 tokens"),
        ("tool", "2 tokens"),
        ("user · your draft", "3 tokens"),
        ("tool · read_file", "10 tokens"),
    ]
    assert "\n\n".join(section.text for section in sections[:2]) == request.system
    assert sections[3].text == 'I read it.\n→ read_file {"path": "a.py"}'
    assert sections[5].text == "and then?"
    assert '"type": "object"' in sections[6].text


def test_no_control_bytes_reach_the_screen() -> None:
    request = ChatRequest("s", (user("\x1b]52;c;aGk=\x07ls"),))
    for section in prompt_sections(request, [("s", "\x1b[2J")]):
        assert "\x1b" not in section.preview
        assert "\x1b" not in joined(lay_out(section, 40).lines)


def test_short_term_entries_and_those_that_wait_are_told_apart() -> None:
    memory = ConversationMemory(5)
    for entry in (
        MemoryEntry(MemoryType.ASSISTANT, "long ago, in a far land", timestamp=0.0),
        MemoryEntry(MemoryType.USER, "read it", timestamp=3_600.0),
        MemoryEntry(MemoryType.TOOL_RESULT, "print(1)", timestamp=7_200.0, metadata={"tool": "read_file"}),
    ):
        memory.store(entry)
    sections = short_term_sections(memory.entries, memory.pending, 7_200.0)
    assert [(section.title, section.figure.split(), section.text) for section in sections] == [
        ("2 held", ["4", "tokens"], ""),
        ("tool result · read_file", ["2", "now"], "print(1)"),
        ("user", ["2", "1h"], "read it"),
        ("1 waiting to be compressed", ["6", "tokens"], ""),
        ("assistant", ["6", "2h"], "long ago, in a far land"),
    ]
    assert joined(level_pieces(level_of(memory, 0.8), 80)).endswith("10 of 5 tokens · compressed from 80%")


def project_memory() -> ProjectMemory:
    text = "[from CODEAGENT.md]\nRun the tests with pytest.\nUse tabs."
    body = text.index("Run"), text.index("Use")
    main, style = Path("/p/CODEAGENT.md"), Path("/p/docs/style.md")
    return ProjectMemory(
        text,
        (
            MemorySource(main, Layer.PROJECT, 26, "loaded"),
            MemorySource(style, Layer.PROJECT, 9, "cut", main),
            MemorySource(Path("/p/AGENTS.md"), Layer.PROJECT, 0, "loaded instead of CODEAGENT.md"),
        ),
        ("docs/style.md was cut",),
        (TextPart(body[0], body[1] - 1, main, Layer.PROJECT, 1), TextPart(body[1], len(text), style, Layer.PROJECT, 1)),
    )


def rows_of(memory: ProjectMemory) -> list[FileRow]:
    return file_rows(memory, Path("/p"), lambda layer: Path("/p") / f"{layer}.md")


def test_project_files_are_a_tree_with_sizes_states_and_notices() -> None:
    rows = rows_of(project_memory())
    lines = [joined(row_pieces(row, 60)).rstrip() for row in rows]
    assert [" ".join(line.split()) for line in lines] == [
        "Everything, as it is sent 56",
        "user yours, in every project",
        "user.md not there",
        "project the project's",
        "CODEAGENT.md 26 0%",
        "└ docs/style.md cut 9 0%",
        "AGENTS.md loaded instead of CODEAGENT.md",
        "local this machine's",
        "local.md not there",
        "! docs/style.md was cut",
    ]
    assert rows[4].text == "Run the tests with pytest."
    assert rows[5].text == "Use tabs."
    assert rows[0].text == project_memory().text
    assert level_of_files(project_memory()).words.startswith("35 of 24,000 characters")


def test_without_project_files_the_tree_says_where_they_would_be() -> None:
    rows = rows_of(ProjectMemory())
    assert [row.path for row in rows if row.path] == [Path(f"/p/{layer}.md") for layer in Layer]
    assert "o makes one" in rows[2].text


def test_a_compaction_is_told_with_all_that_it_did() -> None:
    record = CompactionRecord(
        167_000,
        21_400,
        replaced=8,
        replacement=2,
        duration=12.34,
        calls=1,
        coverage=Coverage(11, 12, ("deploy on fridays",)),
        summary="They talked about tests.",
        ledger="<ledger>\n</ledger>",
        focus="tests",
        model="m",
        background=True,
    )
    line = joined(record_pieces(record, 3, 60))
    for part in ("3  ", "167k → 21.4k", "tests", "summary covers 92%", "12.3 s"):
        assert part in line
    sections = record_sections(record, (user("run them"), assistant("I ran\nthem.")))
    assert [section.title for section in sections] == [
        "what it did",
        "coverage of the summary",
        "summary",
        "ledger, kept without a model",
        "what left, and what came",
    ]
    assert "167,000 → 21,400 tokens (87% less)" in sections[0].text
    assert "deploy on fridays" in sections[1].text
    assert sections[4].text.splitlines()[:5] == ["@@ user @@", "-run them", "@@ assistant @@", "-I ran", "-them."]
    assert "+They talked about tests." in sections[4].text
    assert "cannot be read" in record_sections(record, "The session's file cannot be read: gone")[4].text


def test_tabs_shorten_their_names_before_they_lose_them() -> None:
    titles = [("Facts", "Facts"), ("Project files", "Files"), ("Compactions", "Compactions")]
    forms = {width: joined([piece for _, piece in tab_pieces(titles, 1, width)]) for width in (60, 40, 30, 5)}
    assert forms[60] == "1 Facts  ‹2 Project files›  3 Compactions"
    assert forms[40] == "1 Facts  ‹2 Files›  3 Compactions"
    assert forms[30] == "1 ‹2 Files› 3"


def test_hints_are_whole_and_take_two_rows_at_most() -> None:
    hints = [("d", "delete"), ("u", "undo"), ("esc", "back"), ("/", "narrow the table")]
    for width in range(1, 60):
        rows = hint_rows(hints, width)
        assert len(rows) <= 2
        assert all(width_of(row) <= width for row in rows) or width < 20
    assert [joined(row) for row in hint_rows(hints, 20)] == ["d delete  u undo", "esc back"]
