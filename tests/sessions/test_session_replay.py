"""A log replayed: the history is what the live session had, after any mixture of acts."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import (
    Message,
    MessageKind,
    Role,
    ToolCall,
    assistant,
    new_id,
    tool_result,
    user,
)
from codeagent_tui.conversation.pairing import pair_faults
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.reading import read_log, read_open_log, replaced_messages, restoration

ACTS = ("ask", "work", "ask", "work", "compact", "restore", "stub", "drop", "rewind", "undo", "resume")


def sent(messages: list[Message] | tuple[Message, ...]) -> list[object]:
    """Return what a provider would see of `messages`."""
    return [(m.role, m.content, m.tool_calls, m.tool_call_id) for m in messages]


class Live:
    """A session as the agent runs it: each act changes the history and is logged."""

    def __init__(self, path: Path) -> None:
        self.log = SessionLog(path, session_id="s", cwd=path.parent)
        self.history = History()
        self.compactions: list[str] = []
        self.rewinds: list[tuple[str, tuple[Message, ...]]] = []
        self.before: dict[str, tuple[Message, ...]] = {}
        self.before_compaction: dict[str, tuple[Message, ...]] = {}
        self.dropped: set[str] = set()
        self.say("the first request")

    def say(self, text: str) -> None:
        message = user(text)
        self.before[message.id] = self.history.messages
        self.log.append_message(self.history.append(message))

    def ask(self, number: int) -> None:
        self.say(f"request {number}")
        self.log.append_message(self.history.append(assistant(f"answer {number}")))

    def work(self, number: int) -> None:
        """Call one or two tools, whose ids a server may well have given before; one result may stay out."""
        calls = [ToolCall(f"call_{n}", "read_file", "{}") for n in range(1 + number % 2)]
        stored = self.history.append(assistant("", *calls))
        self.log.append_message(stored)
        for call in reversed(stored.tool_calls[: 1 if number % 5 == 4 else 2]):
            self.log.append_message(self.history.append(tool_result(call.id, f"result {number}")))
        if number % 5 == 4:
            self.say("next, then")

    def compact(self, number: int) -> None:
        starts = self.history.user_turn_starts()
        cut = starts[number % len(starts)] if starts else 0
        if not cut:
            return
        put = [
            Message(Role.USER, f"summary {number}", kind=MessageKind.SUMMARY),
            Message(Role.ASSISTANT, "ok", kind=MessageKind.ACKNOWLEDGEMENT),
        ]
        before, record_id = self.history.messages, new_id()
        assert self.history.replace_prefix(before[:cut], put)
        kept = self.history.messages[len(put)].id
        self.log.append_compaction(cut, put, {"id": record_id, "before": 9}, first_kept=kept if number % 2 else "")
        self.compactions.append(record_id)
        self.before_compaction[record_id] = before
        assert sent(replaced_messages(self.log.path, record_id)) == sent(before[:cut])

    def restore(self, number: int) -> None:
        if not self.compactions:
            return
        record_id = self.compactions[number % len(self.compactions)]
        found = restoration(self.log, record_id)
        if found is None:
            return
        prefix = self.history.messages[: found.count]
        assert self.history.replace_prefix(prefix, found.messages)
        self.log.append_restore(record_id, found.count)
        # As it stood before, but for what was dropped since; results may be stubs now.
        before = [m.id for m in self.before_compaction[record_id] if m.role is not Role.TOOL]
        now = [m.id for m in self.history.messages if m.role is not Role.TOOL]
        assert now[: len(before)] == before or self.dropped & set(before)

    def stub(self, number: int) -> None:
        results = [m for m in self.history.messages if m.role is Role.TOOL and m.kind is MessageKind.NORMAL]
        callers = [m for m in self.history.messages if m.tool_calls]
        stubs = [replace(m, content="[read it again]") for m in results[: 1 + number % 2]]
        for caller in callers[: number % 3]:
            short = tuple(replace(call, arguments='{"content": "[stub]"}') for call in caller.tool_calls)
            stubs.append(replace(caller, content="[taken out]", tool_calls=short))
        assert self.history.replace_messages(stubs)
        self.log.append_stubs(stubs)

    def drop(self, number: int) -> None:
        notes = [m.id for m in self.history.messages if m.role is Role.ASSISTANT and not m.tool_calls][:1]
        self.history = History(m for m in self.history.messages if m.id not in notes)
        self.log.append_drop(notes)
        self.dropped.update(notes)

    def rewind(self, number: int) -> None:
        turns = [m for m in read_open_log(self.log).replay.conversation() if m.starts_turn]
        if not turns:
            return
        target = turns[number % len(turns)]
        self._go_back(self.before[target.id], before=target.id)

    def undo(self, number: int) -> None:
        if self.rewinds:
            rewind_id, before = self.rewinds[number % len(self.rewinds)]
            self._go_back(before, undo=rewind_id)

    def _go_back(self, messages: tuple[Message, ...], *, before: str = "", undo: str = "") -> None:
        rewind_id = new_id()
        self.rewinds.append((rewind_id, self.history.messages))
        self.history = History(messages)
        self.log.append_rewind(rewind_id, "both", before=before, undo=undo)

    def resume(self, number: int) -> None:
        """End (in order or not) and go on with what is read back."""
        if number % 2:
            self.log.close()
        self.history = History(read_log(self.log.path, "s").replay.messages)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 9)), max_size=30))
def test_s_06_the_replayed_history_is_the_live_one(acts: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder) / "s.jsonl")
        for name, number in acts:
            getattr(live, name)(number)
            read = read_open_log(live.log)
            assert sent(read.replay.messages) == sent(live.history.messages)
            assert read.notices() == ()
            assert live.history.check_pairs() == []
        live.log.close()


def test_s_06_twelve_turns_two_compactions_and_the_whole_text_is_still_there(tmp_path: Path) -> None:
    live = Live(tmp_path / "s.jsonl")
    for number in range(12):
        live.ask(number)
    live.compact(9)
    live.ask(12)
    live.ask(13)
    live.compact(4)
    live.ask(14)
    read = read_log(live.log.path)
    assert sent(read.replay.messages) == sent(live.history.messages)
    assert [m.content for m in read.replay.messages if m.kind is MessageKind.SUMMARY] == ["summary 4"]
    said = [m.content for m in read.replay.conversation() if m.starts_turn]
    assert said == ["the first request", *(f"request {n}" for n in range(15))]
    first, second = live.compactions
    undone = restoration(live.log, first)
    assert undone is not None
    restored = [*undone.messages, *live.history.messages[undone.count :]]
    assert sent(restored) == sent(read.replay.conversation())
    assert read.replay.compactions() == (first, second)
    assert read.replay.compaction_records[second] == {"id": second, "before": 9}


def test_damage_before_a_compaction_does_not_move_its_cut(tmp_path: Path) -> None:
    live = Live(tmp_path / "s.jsonl")
    for number in range(6):
        live.ask(number)
    live.compact(5)
    live.log.close()
    lines = live.log.path.read_bytes().splitlines(keepends=True)
    live.log.path.write_bytes(b"".join([*lines[:3], b"\xff\x00 damaged\n", *lines[4:]]))
    read = read_log(live.log.path)
    assert [m.content for m in read.replay.messages if m.starts_turn] == ["request 4", "request 5"]


def test_a_rewind_to_what_is_not_there_changes_nothing(tmp_path: Path) -> None:
    live = Live(tmp_path / "s.jsonl")
    live.ask(1)
    live.log.append_rewind("r", "both", before="no-such-message")
    read = read_log(live.log.path)
    assert sent(read.replay.messages) == sent(live.history.messages) and read.skipped == 1


def test_s_04_dangling_calls_are_answered_in_place_whatever_was_recorded_after_them(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "s.jsonl", session_id="s", cwd=tmp_path)
    calls = [ToolCall(name, "read_file", "{}") for name in ("one", "two", "three")]
    recorded = [
        user("look"),
        assistant("", *calls),
        tool_result("three", "result 3"),
        tool_result("one", "result 1"),
        user("said while a call was open"),
        assistant("", ToolCall("four", "run_command", "{}")),
    ]
    for message in recorded:
        log.append_message(message)
    contents = []
    for _ in range(2):
        read = read_log(log.path)
        assert pair_faults(read.replay.messages) == []
        contents.append([(m.role, m.tool_call_id, m.content) for m in read.replay.messages])
        log.append_message(user("go on"))
    assert contents[1][:-1] == contents[0]
    answered = [(call_id, content) for role, call_id, content in contents[0] if role is Role.TOOL]
    assert answered[0] == ("one", "result 1") and answered[2] == ("three", "result 3")
    for call_id, content in (answered[1], answered[3]):
        assert call_id in ("two", "four") and "check" in content
