"""A session put together: resumed as it was, exchanged without leftovers, closed for good."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from codeagent_tui.agent.session import open_session
from codeagent_tui.context.compactor import ConversationHistoryCompactor
from codeagent_tui.conversation.events import ApprovalAsked, Decision, EndReason, TodoItem, TurnEnded
from codeagent_tui.conversation.messages import MessageKind, Role
from codeagent_tui.llm.offline import OfflineModel
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.store import SessionError
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.models import ScriptedModel, calls, says
from tests.support.server import WAIT, ChatServer, content
from tests.support.server import says as server_says
from tests.support.sessions import collect, of, scratch_session

SUMMARY = "The user asked several long questions in a row; all of them were answered, and nothing was changed on disk."


async def test_without_a_model_the_session_is_offline(tmp_path: Path) -> None:
    session = await open_session(Settings(discover=False), Paths(tmp_path / "home"), tmp_path)
    assert isinstance(session.agent.model, OfflineModel) and session.notices == ()
    assert session.agent.reading().window == 32_768
    await session.aclose()


async def test_nothing_is_written_before_something_is_said(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel())
    await session.aclose()
    assert not (tmp_path / "home").exists()


async def test_a_link_to_the_folder_is_the_same_workspace(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "work")
    first = await scratch_session(tmp_path, ScriptedModel(says("one")))
    await collect(first.agent.run("hi"))
    await first.aclose()
    paths = Paths(tmp_path / "home")
    again = await open_session(Settings(), paths, tmp_path / "link", resume="", model=ScriptedModel())
    assert again.workspace.root == tmp_path / "work"
    assert [m.content for m in again.agent.history.messages] == ["hi", "one"]
    await again.aclose()


async def test_s_06_a_resumed_session_sends_what_the_live_one_would_have_sent(tmp_path: Path) -> None:
    model = ScriptedModel(*[says(f"answer {number} " + "a" * 400) for number in range(30)])
    session = await scratch_session(tmp_path, model)
    for number in range(12):
        await collect(session.agent.run(f"q{number} " + "x" * 800))

    async def compact() -> None:
        """Compact as the agent does, with a summary of its own each time."""
        core = session.agent.core
        result = await ConversationHistoryCompactor(ScriptedModel(says(SUMMARY)), core.budget.profile).compact(
            core.history
        )
        assert result.applied
        core.log.append_replacement(result.replaced, result.replacement)

    await compact()
    for number in (12, 13):
        await collect(session.agent.run(f"q{number}"))
    await compact()
    await collect(session.agent.run("last"))
    live = session.agent.history.messages
    assert [m.kind for m in live].count(MessageKind.SUMMARY) == 1
    # No orderly end: what a killed process leaves.
    resumed = await scratch_session(tmp_path, ScriptedModel(), resume="")
    assert resumed.agent.history.messages == live
    await resumed.aclose()
    await session.aclose()


async def test_s_04_a_call_whose_result_is_missing_is_answered_once_however_often_it_is_resumed(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(calls(("list_directory", {"path": "."}))))
    events = session.agent.run("look")
    async for _ in events:
        if session.agent.history.open_calls():
            break
    log = session.log.path.read_bytes()
    await session.aclose()
    # As if it had been killed while the tool ran.
    session.log.path.write_bytes(log)
    seen = []
    for _ in range(2):
        resumed = await scratch_session(tmp_path, ScriptedModel(says("hm")), resume="")
        assert resumed.agent.history.check_pairs() == []
        seen.append([m.kind for m in resumed.agent.history.messages if m.role is Role.TOOL])
        await resumed.aclose()
    assert seen == [[MessageKind.REPAIR]] * 2


async def test_a_session_that_is_not_there_changes_nothing(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("one")))
    await collect(session.agent.run("hi"))
    before, log = session.agent.history.messages, session.log
    with pytest.raises(SessionError):
        session.resume("no-such-id")
    assert session.agent.history.messages == before and session.log is log
    await collect(session.agent.run("more"))
    await session.aclose()


async def test_s_09_after_switching_each_file_holds_its_own_records(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("ok")))
    await collect(session.agent.run("in A"))
    first = session.log.session_id
    session.start_new()
    second = session.log.session_id
    await collect(session.agent.run("in B"))
    session.resume(first)
    await collect(session.agent.run("in A again"))
    session.resume(second)
    await collect(session.agent.run("in B again"))
    await session.aclose()
    for wanted, said in ((first, ["in A", "in A again"]), (second, ["in B", "in B again"])):
        loaded = session.store.load(session.store.find(wanted))
        assert [m.content for m in loaded.messages if m.starts_turn] == said
        assert loaded.notices == ()


async def test_resuming_fills_the_short_term_memory(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("the port is 9000")))
    await collect(session.agent.run("which port?"))
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(), resume="")
    assert [entry.content for entry in resumed.agent.memory.short_term.entries] == ["which port?", "the port is 9000"]
    resumed.start_new()
    assert list(resumed.agent.memory.short_term.entries) == []
    await resumed.aclose()


async def test_a_new_conversation_has_read_nothing_and_may_do_nothing_that_was_allowed_for_the_last(
    tmp_path: Path,
) -> None:
    edit = ("edit_file", {"path": "a.txt", "old_text": "one", "new_text": "two"})
    again = ("edit_file", {"path": "a.txt", "old_text": "two", "new_text": "three"})
    touch = ("run_command", {"command": "touch made"})
    read = ("read_file", {"path": "a.txt"})
    model = ScriptedModel(
        *(calls(call) for call in (read, edit, touch)), says("done"), calls(again), calls(touch), says("no")
    )
    session = await scratch_session(tmp_path, model)
    (tmp_path / "work" / "a.txt").write_text("one\n")
    events = await collect(session.agent.run("go"), answer=Decision.SESSION)
    assert len(of(ApprovalAsked, events)) == 2
    session.agent.core.context.todos.append(TodoItem("left over"))
    session.start_new()
    assert session.agent.todos == ()
    events = await collect(session.agent.run("go on"), answer=Decision.NO)
    # The edit fails before anybody is asked; the command asks again.
    assert (tmp_path / "work" / "a.txt").read_text() == "two\n"
    assert [asked.request.tool for asked in of(ApprovalAsked, events)] == ["run_command"]
    await session.aclose()


async def test_what_was_allowed_for_good_stays_allowed_in_a_new_conversation(tmp_path: Path) -> None:
    touch = ("run_command", {"command": "touch made"})
    session = await scratch_session(tmp_path, ScriptedModel(calls(touch), says("a"), calls(touch), says("b")))
    assert of(ApprovalAsked, await collect(session.agent.run("go"), answer=Decision.ALWAYS))
    session.start_new()
    assert not of(ApprovalAsked, await collect(session.agent.run("go")))
    await session.aclose()


async def test_another_model_is_asked_from_the_next_request_on_and_the_window_follows(tmp_path: Path) -> None:
    async with ChatServer(server_says("from the server")) as server:
        session = await scratch_session(tmp_path, ScriptedModel(says("old")))
        await collect(session.agent.run("one"))
        notices = await session.use_settings(
            Settings(model="test-model", base_url=server.base_url, window=16_384, mode=PermissionMode.PLAN)
        )
        assert notices == () and session.agent.reading().window == 16_384
        assert session.agent.memory.short_term.token_budget == 16_384 * 45 // 100
        await collect(session.agent.run("two"))
        assert session.agent.history.messages[-1].content == "from the server"
        said = [m["content"] for m in server.requests[0]["messages"] if m["role"] == "user"]
        assert said == ["one", "two"]
        await session.aclose()


async def test_exchanging_the_model_does_not_break_an_answer_that_is_on_its_way(tmp_path: Path) -> None:
    async with ChatServer([content("first half, "), WAIT, *server_says("second half")]) as server:
        settings = Settings(model="test-model", base_url=server.base_url, window=8_192, max_attempts=1)
        session = await open_session(settings, Paths(tmp_path / "home"), tmp_path)
        old = session.agent.model
        assert isinstance(old, OpenAIChatModel)
        seen = []
        async for event in session.agent.run("go"):
            seen.append(event)
            if len(server.requests) == 1 and session.agent.model is old:
                await session.use_settings(Settings(model="offline"))
                server.go.set()
        assert of(TurnEnded, seen)[-1].reason is EndReason.DONE
        assert session.agent.history.messages[-1].content == "first half, second half"
        await session.aclose()


async def test_closing_twice_and_in_the_middle_of_a_turn_is_safe(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel([asyncio.Event()]))
    running = session.agent.run("hi")
    await anext(running)
    await session.aclose()
    await session.aclose()
    assert not session.agent.busy and session.agent.history.check_pairs() == []


async def test_open_work_is_there_again_after_a_resume_also_when_it_was_compacted(tmp_path: Path) -> None:
    plan = calls(("todo", {"items": [{"text": "write docs", "status": "pending"}]}))
    summary = says("The user asked for four things. The docs are still to be written; nothing else is open.")
    model = ScriptedModel(plan, says("one"), says("two"), says("three"), says("four"), summary)
    session = await scratch_session(tmp_path, model)
    for text in ("plan " * 900, "q2", "q3", "q4"):
        await collect(session.agent.run(text))
    await collect(session.agent.compact())
    assert session.agent.compactions
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(says("x")), resume="")
    assert [item.text for item in resumed.agent.todos] == ["write docs"]
    resumed.start_new()
    assert resumed.agent.todos == ()
    await resumed.aclose()


async def test_s_08_what_could_not_be_written_of_a_conversation_is_written_after_it_was_left(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("ok")))
    log = session.log
    path, log.path = log.path, log.path.parent / ("x" * 300 + ".jsonl")
    await collect(session.agent.run("kept in memory"))
    assert log.failure is not None
    session.start_new()
    log.path = path
    await session.aclose()
    loaded = session.store.load(session.store.find(log.session_id))
    assert [m.content for m in loaded.messages] == ["kept in memory", "ok"]
    loaded.log.close()
