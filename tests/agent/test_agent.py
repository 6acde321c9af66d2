"""The agent: think, act, think until done; queued, interrupted, failed, and always with a valid history."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from codeagent_tui.agent.agent import AgentBusy
from codeagent_tui.conversation.events import (
    AgentEvent,
    ApprovalAsked,
    ContextMeasured,
    Decision,
    EndReason,
    Notice,
    QueueChanged,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from codeagent_tui.conversation.messages import Role
from codeagent_tui.llm.provider import (
    AuthFailed,
    CallPiece,
    FinishPiece,
    ReasoningPiece,
    TextPiece,
)
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.models import ScriptedModel, calls, says
from tests.support.sessions import collect, of, scratch_session


def ended(events: list[AgentEvent]) -> TurnEnded:
    last = events[-1]
    return last if isinstance(last, TurnEnded) else of(TurnEnded, events)[-1]


async def test_a_plain_answer(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("hello")))
    events = await collect(session.agent.run("hi"))
    assert isinstance(events[0], TurnStarted)
    assert "".join(e.text for e in of(TextDelta, events)) == "hello"
    assert ended(events).reason is EndReason.DONE
    assert [m.content for m in session.agent.history.messages] == ["hi", "hello"]
    await session.aclose()


async def test_tools_run_until_the_model_is_done(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "b.txt"})), says("done"))
    session = await scratch_session(tmp_path, model)
    (tmp_path / "work" / "a.txt").write_text("alpha\n")
    (tmp_path / "work" / "b.txt").write_text("beta\n")
    events = await collect(session.agent.run("look"))
    assert [e.ok for e in of(ToolFinished, events)] == [True, True]
    results = [m.content for m in model.requests[1].messages if m.role is Role.TOOL]
    assert "alpha" in results[0] and "beta" in results[1]
    assert session.agent.history.check_pairs() == []
    await session.aclose()


async def test_the_system_prompt_is_the_same_bytes_in_every_step_of_a_turn(tmp_path: Path) -> None:
    model = ScriptedModel(
        calls(("list_directory", {"path": "."})), calls(("list_directory", {"path": "."})), says("done")
    )
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("look"))
    assert len({request.system for request in model.requests}) == 1
    assert all(request.tools == model.requests[0].tools for request in model.requests)
    for earlier, later in zip(model.requests, model.requests[1:], strict=False):
        assert later.messages[: len(earlier.messages)] == earlier.messages
    await session.aclose()


async def test_an_edit_of_project_memory_shows_in_the_next_model_call(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    memory_file = tmp_path / "work" / "CODEAGENT.md"
    memory_file.write_text("Use tabs.\n")
    model = ScriptedModel(says("one"), says("two"))
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("first"))
    memory_file.write_text("Use spaces, always.\n")
    await collect(session.agent.run("second"))
    assert "Use tabs." in model.requests[0].system
    assert "Use spaces, always." in model.requests[1].system
    assert "Use tabs." not in model.requests[1].system
    await session.aclose()


async def test_a_write_asks_and_shows_what_will_happen(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("write_file", {"path": "new.txt", "content": "hello\n"})), says("done"))
    session = await scratch_session(tmp_path, model)
    events = await collect(session.agent.run("write it"))
    asked = of(ApprovalAsked, events)[0].request
    assert asked.tool == "write_file" and "+hello" in asked.body
    assert (tmp_path / "work" / "new.txt").read_text() == "hello\n"
    await session.aclose()


async def test_s_04_a_refusal_reaches_the_model_with_its_reason_and_the_other_calls_still_run(tmp_path: Path) -> None:
    model = ScriptedModel(
        calls(("list_directory", {"path": "."}), ("run_command", {"command": "touch x"}), ("todo", {"items": []})),
        says("ok"),
    )
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("go"), answer=Decision.NO, reason="use rg instead")
    results = [m.content for m in model.requests[1].messages if m.role is Role.TOOL]
    assert len(results) == 3
    assert "use rg instead" in results[1]
    assert not (tmp_path / "work" / "x").exists()
    assert session.agent.history.check_pairs() == []
    await session.aclose()


async def test_without_anyone_to_ask_a_write_is_refused(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("write_file", {"path": "new.txt", "content": "x"})), says("ok"))
    session = await scratch_session(tmp_path, model, may_ask=False)
    events = await collect(session.agent.run("write it"))
    assert not of(ApprovalAsked, events)
    assert of(ToolFinished, events)[0].summary == "refused"
    assert not (tmp_path / "work" / "new.txt").exists()
    await session.aclose()


async def test_in_plan_mode_nothing_changes(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("write_file", {"path": "new.txt", "content": "x"})), says("a plan"))
    session = await scratch_session(tmp_path, model, settings=Settings(mode=PermissionMode.PLAN, discover=False))
    events = await collect(session.agent.run("write it"))
    assert not of(ApprovalAsked, events)
    assert not (tmp_path / "work" / "new.txt").exists()
    assert "Plan mode" in model.requests[0].system
    await session.aclose()


async def test_the_step_limit_says_so(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("list_directory", {"path": "."})))
    session = await scratch_session(tmp_path, model, settings=Settings(max_steps=3, discover=False))
    events = await collect(session.agent.run("loop"))
    assert [e.step for e in of(StepStarted, events)] == [1, 2, 3]
    assert ended(events).reason is EndReason.STEP_LIMIT
    assert any("3 steps" in e.text for e in of(Notice, events))
    await session.aclose()


async def test_queued_messages_are_visible_and_run_as_turns_of_their_own(tmp_path: Path) -> None:
    gate = asyncio.Event()
    model = ScriptedModel([TextPiece("one"), gate, FinishPiece("stop")], says("two"), says("three"))
    session = await scratch_session(tmp_path, model)

    def on(event: AgentEvent) -> None:
        if isinstance(event, TextDelta) and event.text == "one":
            session.agent.queue("second")
            session.agent.queue("third")
            gate.set()

    events = await collect(session.agent.run("first"), on=on)
    assert [e.waiting for e in of(QueueChanged, events)] == [("second",), ("second", "third"), ("third",), ()]
    assert [e.reason for e in of(TurnEnded, events)] == [EndReason.DONE] * 3
    assert [m.content for m in session.agent.history.messages] == ["first", "one", "second", "two", "third", "three"]
    await session.aclose()


async def test_a_second_run_while_busy_is_refused(tmp_path: Path) -> None:
    gate = asyncio.Event()
    session = await scratch_session(tmp_path, ScriptedModel([gate, FinishPiece("stop")]))
    first = session.agent.run("hi")
    await anext(first)
    with pytest.raises(AgentBusy):
        session.agent.run("again")
    await session.aclose()


@pytest.mark.parametrize(
    "streamed",
    [[], [TextPiece("\n\n")], [ReasoningPiece("hm"), ReasoningPiece("hmm")]],
    ids=["nothing", "blank", "reasoning only"],
)
async def test_p_07_an_interrupt_before_any_answer_leaves_the_prompt_and_nothing_else(
    tmp_path: Path, streamed: list[TextPiece | ReasoningPiece]
) -> None:
    never = asyncio.Event()
    model = ScriptedModel([*streamed, never, FinishPiece("stop")], says("fine"))
    session = await scratch_session(tmp_path, model)

    def on(event: AgentEvent) -> None:
        if isinstance(event, StepStarted):
            asyncio.get_running_loop().call_later(0.01, session.agent.interrupt)

    events = await collect(session.agent.run("hi"), on=on)
    assert ended(events).reason is EndReason.INTERRUPTED
    assert [m.role for m in session.agent.history.messages] == [Role.USER]
    await collect(session.agent.run("next"))
    assert [m.content for m in model.requests[-1].messages] == ["hi", "next"]
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(says("again")), resume="")
    assert [m.content for m in resumed.agent.history.messages] == ["hi", "next", "fine"]
    await resumed.aclose()


async def test_an_interrupted_answer_is_kept_as_far_as_it_came(tmp_path: Path) -> None:
    never = asyncio.Event()
    session = await scratch_session(tmp_path, ScriptedModel([TextPiece("half an ans"), never]))

    def on(event: AgentEvent) -> None:
        if isinstance(event, TextDelta):
            session.agent.interrupt()

    await collect(session.agent.run("hi"), on=on)
    kept = session.agent.history.messages[-1]
    assert (kept.content, kept.interrupted) == ("half an ans", True)
    await session.aclose()


async def test_an_interrupt_during_a_command_leaves_a_valid_history(tmp_path: Path) -> None:
    model = ScriptedModel(
        calls(("run_command", {"command": "echo started; sleep 60"}), ("list_directory", {"path": "."})), says("ok")
    )
    session = await scratch_session(tmp_path, model)

    def on(event: AgentEvent) -> None:
        if isinstance(event, ToolStarted):
            asyncio.get_running_loop().call_later(0.05, session.agent.interrupt)

    events = await collect(session.agent.run("go"), on=on)
    assert ended(events).reason is EndReason.INTERRUPTED
    assert session.agent.history.check_pairs() == []
    results = [m.content for m in session.agent.history.messages if m.role is Role.TOOL]
    assert "Cancelled" in results[0] and "Not run" in results[1]
    await session.aclose()


async def test_closing_the_iterator_stops_the_work(tmp_path: Path) -> None:
    never = asyncio.Event()
    session = await scratch_session(tmp_path, ScriptedModel([TextPiece("x"), never]))
    stream = session.agent.run("hi")
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    await stream.aclose()  # type: ignore[attr-defined]  # the iterator is an async generator
    assert not session.agent.busy
    assert session.agent.history.check_pairs() == []
    await session.aclose()


async def test_a_failed_model_ends_the_turn_as_retryable_and_retry_goes_on(tmp_path: Path) -> None:
    model = ScriptedModel([AuthFailed("The key is wrong. Set another with /model.")], says("now it works"))
    session = await scratch_session(tmp_path, model)
    events = await collect(session.agent.run("hi"))
    assert ended(events).reason is EndReason.FAILED
    assert "key is wrong" in ended(events).detail
    events = await collect(session.agent.retry())
    assert ended(events).reason is EndReason.DONE
    assert [m.content for m in session.agent.history.messages] == ["hi", "now it works"]
    await session.aclose()


@pytest.mark.parametrize("finish", ["length", "tool_calls", None])
async def test_p_03_a_cut_off_call_never_runs(tmp_path: Path, finish: str | None) -> None:
    cut = '{"path":"README.md","content":"# Title\\n\\nfirst par'
    answer = [CallPiece(0, "w1", "write_file", cut), *([FinishPiece(finish)] if finish else [])]
    model = ScriptedModel(answer, answer, answer, says("I give up"))
    session = await scratch_session(
        tmp_path, model, settings=Settings(mode=PermissionMode.UNATTENDED, max_attempts=1, discover=False)
    )
    await collect(session.agent.run("write the readme"))
    assert not (tmp_path / "work" / "README.md").exists()
    assert session.agent.history.check_pairs() == []
    await session.aclose()


async def test_p_03_three_cut_off_replies_in_a_row_are_told(tmp_path: Path) -> None:
    answer = [CallPiece(0, "w1", "write_file", '{"path":"a","content":"x'), FinishPiece("length")]
    model = ScriptedModel(answer, answer, answer, says("I give up"))
    session = await scratch_session(tmp_path, model)
    events = await collect(session.agent.run("write"))
    assert any("three times" in e.text for e in of(Notice, events))
    results = [m.content for m in model.requests[1].messages if m.role is Role.TOOL]
    assert "smaller pieces" in results[0]
    await session.aclose()


async def test_p_04_every_outgoing_argument_is_an_object_and_the_model_hears_what_was_wrong(tmp_path: Path) -> None:
    model = ScriptedModel([CallPiece(0, "k", "run_command", "[]"), FinishPiece("tool_calls")], says("ok"))
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("go"))
    assert session.agent.history.check_pairs() == []
    assert "JSON object" in session.agent.history.messages[2].content
    await session.aclose()


async def test_an_unknown_tool_and_wrong_arguments_are_answered_readably(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("no_such_tool", {}), ("read_file", {"pth": "x"})), says("ok"))
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("go"))
    results = [m.content for m in model.requests[1].messages if m.role is Role.TOOL]
    assert "read_file" in results[0] and "no_such_tool" in results[0]
    assert "pth" in results[1]
    await session.aclose()


async def test_an_answer_of_thinking_alone_is_reported_as_no_answer(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel([ReasoningPiece("hm"), FinishPiece("stop")]))
    events = await collect(session.agent.run("hi"))
    assert ended(events).reason is EndReason.NO_ANSWER
    await session.aclose()


async def test_the_gauge_counts_the_whole_request(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("hello")))
    events = await collect(session.agent.run("hi"))
    reading = of(ContextMeasured, events)[-1].reading
    names = {part.name for part in reading.parts}
    assert {"identity", "tool schemas", "user", "assistant"} <= names
    assert reading.total == sum(part.tokens for part in reading.parts)
    assert (reading.window, reading.trigger) == (200_000, 167_000)
    await session.aclose()


async def test_an_interrupt_before_the_first_step_ends_the_turn_and_keeps_the_message(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("never asked for")))
    events = session.agent.run("hi")
    session.agent.interrupt()
    async with asyncio.timeout(5):
        assert ended(await collect(events)).reason is EndReason.INTERRUPTED
    assert [m.content for m in session.agent.history.messages] == ["hi"]
    await session.aclose()


async def test_closing_before_the_first_step_ends_the_events(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel())
    events = session.agent.run("hi")
    await session.aclose()
    async with asyncio.timeout(5):
        assert await collect(events) == []
