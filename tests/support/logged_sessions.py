"""A session on disk with everything in it that an export or a list has to show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from codeagent_tui.conversation.messages import Message, MessageKind, ToolCall, Usage, assistant, tool_result, user
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.store import SessionStore

KEY = "sk-abcdefghijklmnopqrstuvwx"
ANSWER = (
    "Done. **The** slice:\n\n```python\nreturn text\n```\n\n<script>alert(1)</script> ![i](https://evil.example/x.png)"
)
FIRST_TURN = (
    user("Fix the tokenizer.\n\u8bf7\u4fee\u590d\u5b83\u3002"),
    assistant("I look.", ToolCall("c1", "run_command", '{"command":"pytest -q"}'), reasoning="Look first."),
    tool_result("c1", "FAILED \x1b[31mtest_last\x1b[0m </pre> & more", failed=True),
    assistant(
        "",
        ToolCall("c2", "edit_file", '{"path":"a.py","old_text":"keep\\nold <b>\\n","new_text":"keep\\nnew <b>\\n"}'),
    ),
    tool_result("c2", "a.py was changed (+1 -1)."),
    assistant(ANSWER),
)
SECOND_TURN = (
    user(f"Now store OPENAI_API_KEY={KEY}"),
    assistant("", ToolCall("c3", "write_file", f'{{"path":"conf.py","content":"key = \\"{KEY}\\"\\n"}}')),
    tool_result("c3", "refused", failed=True, decision="no"),
    replace(assistant("It is in the envir"), interrupted=True),
)
SUMMARY = (
    replace(user("We fixed the tokenizer."), kind=MessageKind.SUMMARY),
    replace(assistant("Understood."), kind=MessageKind.ACKNOWLEDGEMENT),
)


def append(log: SessionLog, *messages: Message) -> None:
    """Record `messages`."""
    for message in messages:
        log.append_message(message)


def logged_session(home: Path, cwd: Path, *, title: str = "Tokenizer", close: bool = True) -> SessionLog:
    """Return the log of a session of two turns with a compaction between them; closed in order unless not wanted."""
    log = SessionStore(home / "history", cwd).create()
    append(log, *FIRST_TURN)
    record = {"id": "k1", "way": "summary", "tokens_before": 41_000, "tokens_after": 8_000}
    log.append_compaction(len(FIRST_TURN), SUMMARY, record)
    append(log, *SECOND_TURN)
    log.append_usage(Usage(41_000, 900))
    if title:
        log.append_title(title)
    if close:
        log.close()
    return log


def small_session(home: Path, cwd: Path, text: str, *, close: bool = True) -> SessionLog:
    """Return the log of a session of one turn that begins with `text`."""
    log = SessionStore(home / "history", cwd).create()
    append(log, user(text), assistant(f"Answer to {text}"))
    if close:
        log.close()
    return log
