"""An exported conversation holds everything that was said and done."""

from dataclasses import replace

from codeagent_tui.conversation.messages import MessageKind, ToolCall, assistant, tool_result, user
from codeagent_tui.tui.export import conversation_as_markdown

MESSAGES = [
    replace(user("we fixed the lexer"), kind=MessageKind.SUMMARY),
    user("read a.py"),
    assistant("I read it.", ToolCall("c1", "read_file", '{"path": "a.py"}')),
    tool_result("c1", "```python\nprint(1)\n```"),
    replace(assistant("It pri"), interrupted=True),
    tool_result("c2", "no such file", failed=True),
]


def test_everything_is_in_it_in_order() -> None:
    text = conversation_as_markdown(MESSAGES)
    wanted = ["Summary of earlier turns", "we fixed the lexer", "User", "read a.py", "I read it.", "read_file"]
    wanted += ['{"path": "a.py"}', "print(1)", "Assistant (interrupted)", "It pri", "Result (failed)", "no such file"]
    places = [text.index(part) for part in wanted]
    assert places == sorted(places)


def test_a_result_with_fences_stays_inside_its_own() -> None:
    assert "````\n```python\nprint(1)\n```\n````" in conversation_as_markdown(MESSAGES)


def test_it_can_always_be_written() -> None:
    conversation_as_markdown([user("half a pair: \ud83d")]).encode()
