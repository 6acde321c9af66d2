"""What each kind of block shows: messages, thinking, tool calls, diffs, notices, a loaded history."""

import json

import pytest

from codeagent_tui.conversation.call_title import title_of
from codeagent_tui.conversation.messages import (
    Message,
    MessageKind,
    Role,
    ToolCall,
    assistant,
    tool_result,
    user,
)
from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.diff import read_diff
from codeagent_tui.tui.blocks.document import Document
from codeagent_tui.tui.blocks.history import blocks_of
from codeagent_tui.tui.blocks.notice import NoticeBlock, RuleBlock
from codeagent_tui.tui.blocks.reasoning import ReasoningBlock
from codeagent_tui.tui.blocks.tool import ToolBlock
from codeagent_tui.tui.blocks.user import UserBlock

DIFF = """--- a/src/a.py
+++ b/src/a.py
@@ -9,2 +9,3 @@ class A:
 same
-old
+new
+more
@@ -20 +21 @@
--- dashes
+++ pluses
"""


def document_of(*blocks: Block, width: int = 60) -> Document:
    document = Document()
    document.width = width
    for block in blocks:
        document.add(block)
    return document


def show(*blocks: Block, width: int = 60) -> list[str]:
    return lines_of(document_of(*blocks, width=width))


def lines_of(document: Document) -> list[str]:
    """Bring the document up to date and return its rows."""
    for block in document:
        document.sync(block)
    return [row.text.rstrip() for part in list(document.index) for row in part.rows_at(document.width).rows]


def finished(name: str = "run_command", title: str = "$ pytest", **result: object) -> ToolBlock:
    block = ToolBlock("1", name, title)
    given = {"ok": True, "summary": "exit 0", "output": "", "diff": ""} | result
    block.finish(**given)  # type: ignore[arg-type]
    return block


def test_a_message_of_the_user_has_a_bar() -> None:
    assert show(UserBlock("one\n[/] two\n")) == ["▌ one", "▌ [/] two"]


def test_a_long_paste_is_folded_and_copied_whole() -> None:
    text = "\n".join(f"line {number}" for number in range(500))
    block = UserBlock(text)
    document = document_of(block)
    assert lines_of(document)[-1] == "▌ … 484 lines more, enter or click to open"
    block.fold(False)
    got = lines_of(document)
    assert got[499] == "▌ line 499"
    assert got[500] == "▌ enter or click to fold"
    assert block.source() == text


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (ToolBlock("1", "read_file", "read_file src/a.py"), ["◌ read_file src/a.py"]),
        (finished("read_file", "read_file a.py", summary="2 lines", output="a\nb"), ["✓ read_file a.py  2 lines ▸"]),
        (finished(output="[exit code 0, 0.1 s]\nall good"), ["✓ $ pytest  exit 0", "  ▏ all good"]),
        (finished(ok=False, summary="exit 1", output="boom"), ["✗ $ pytest  exit 1", "  ▏ boom"]),
        (finished(ok=False, summary="refused", output="The user said no"), ["⊘ $ pytest  refused ▸"]),
        (finished(ok=False, summary="cancelled"), ["⊘ $ pytest  cancelled"]),
        (finished(ok=False, summary="No file a.py", output="No file a.py"), ["✗ $ pytest  No file a.py"]),
        (
            finished("edit_file", "edit_file src/a.py", summary="+2 -1", diff=DIFF),
            [
                "✓ edit_file src/a.py  +2 -1",
                "   9   same",
                "  10 - old",
                "  10 + new",
                "  11 + more",
                "  ⋯",
                "  20 - -- dashes",
                "  21 + ++ pluses",
            ],
        ),
    ],
)  # fmt: skip
def test_tool_calls(block: ToolBlock, expected: list[str]) -> None:
    assert show(block) == expected


def test_long_output_is_folded_to_its_first_and_last_lines() -> None:
    block = finished(output="\n".join(f"line {number}" for number in range(100)))
    document = document_of(block)
    got = lines_of(document)
    assert got == [
        "✓ $ pytest  exit 0 ▸",
        "  ▏ line 0",
        "  ▏ line 1",
        "  ▏ … 95 lines more, enter or click to open",
        "  ▏ line 97",
        "  ▏ line 98",
        "  ▏ line 99",
    ]
    block.fold(False)
    got = lines_of(document)
    assert got[0] == "✓ $ pytest  exit 0 ▾"
    assert got[1:] == [f"  ▏ line {number}" for number in range(100)]


def test_a_failure_shows_more_of_its_end() -> None:
    got = show(finished(ok=False, output="\n".join(f"line {number}" for number in range(100))))
    assert got[-8:] == [f"  ▏ line {number}" for number in range(92, 100)]


def test_a_running_tool_shows_its_clock_and_newest_lines() -> None:
    block = ToolBlock("1", "run_command", "$ make")
    document = document_of(block)
    block.progress("a\nb\nc\nd\n")
    assert lines_of(document) == ["◌ $ make", "  ▏ b", "  ▏ c", "  ▏ d"]
    assert block.tick(block.began + 3.2)
    assert not block.tick(block.began + 3.9)
    assert lines_of(document)[0] == "○ $ make  3 s"
    block.progress("e")
    block.finish(ok=True, summary="", output="", diff="")
    block.progress("late")
    assert lines_of(document) == ["✓ $ make"]


def test_a_title_is_cut_and_its_state_stays() -> None:
    assert show(finished(title="$ " + "long " * 20), width=30) == ["✓ $ long long long lo…  exit 0"]


@pytest.mark.parametrize("width", range(1, 12))
def test_no_width_is_too_small(width: int) -> None:
    blocks = [
        UserBlock("你好 word"),
        finished(output="a\nb"),
        finished(diff=DIFF),
        NoticeBlock("error", "no"),
        RuleBlock("cut"),
    ]
    assert show(*blocks, width=width)


def test_tool_calls_stand_close_together() -> None:
    got = show(UserBlock("q"), finished(), finished(), NoticeBlock("info", "x"), NoticeBlock("info", "y"))
    assert got == ["▌ q", "", "✓ $ pytest  exit 0", "✓ $ pytest  exit 0", "", "i x", "i y"]


def test_diff_of_a_new_and_of_a_deleted_file() -> None:
    new = read_diff("--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n")
    assert [(line.sign, line.number, line.text) for line in new] == [
        ("f", 0, "n.py"),
        ("+", 1, "a"),
        ("+", 2, "b"),
        ("@", 0, "\\ No newline at end of file"),
    ]
    assert read_diff("--- a/o.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")[0].text == "o.py (deleted)"


def test_diff_of_several_files_names_each() -> None:
    got = show(finished("edit_file", "edit_file", summary="", diff=DIFF + DIFF.replace("a.py", "b.py")))
    assert "  src/a.py" in got and "  src/b.py" in got


def test_thinking_shows_its_newest_rows_then_one() -> None:
    block = ReasoningBlock()
    document = document_of(block)
    block.feed("one\ntwo\nthree\nfour\nfive\nsix")
    assert lines_of(document) == ["▾ thinking", "  three", "  four", "  five", "  six"]
    block.end()
    assert lines_of(document) == ["▸ thought, 6 lines"]
    block.fold(False)
    assert lines_of(document)[1:] == ["  one", "  two", "  three", "  four", "  five", "  six"]


def test_notices_and_rules() -> None:
    assert show(NoticeBlock("warning", "first\nsecond [/]")) == ["! first", "  second [/]"]
    assert show(RuleBlock("history compacted"), width=30) == ["── history compacted ─────────"]


def test_a_history_is_shown_as_it_was() -> None:
    call = ToolCall("c1", "read_file", json.dumps({"path": "src/a.py"}))
    lost = ToolCall("c2", "run_command", json.dumps({"command": "make"}))
    messages = [
        Message(Role.USER, "what was before", kind=MessageKind.SUMMARY),
        Message(Role.ASSISTANT, "noted", kind=MessageKind.ACKNOWLEDGEMENT),
        user("question"),
        assistant("**looking**", call, lost, reasoning="hm"),
        tool_result("c1", "1\tx"),
        tool_result("c2", "unknown", failed=True, kind=MessageKind.REPAIR),
        Message(Role.ASSISTANT, "half", interrupted=True),
    ]
    assert [row for row in show(*blocks_of(messages)) if row] == [
        "▸ earlier turns, summarised, 1 line",
        "▌ question",
        "▸ thought, 1 line",
        "  looking",
        "✓ read_file src/a.py ▸",
        "⊘ $ make  not run ▸",
        "  half",
        "  interrupted",
    ]


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        ('{"path": "a.py", "old": "x"}', "tool a.py"),
        ('{"count": 3}', "tool"),
        ("[1]", "tool"),
        ("nonsense", "tool"),
        ('{"query": "a\\nb"}', "tool a b"),
    ],
)
def test_titles_of_loaded_calls(arguments: str, title: str) -> None:
    assert title_of(ToolCall("1", "tool", arguments)) == title
