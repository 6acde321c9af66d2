"""Compaction beside the conversation: nobody waits for it but a request that would pass the ceiling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from codeagent_tui.agent.agent import AgentBusy
from codeagent_tui.agent.compaction import CannotRestore
from codeagent_tui.agent.session import Session
from codeagent_tui.context.taking_out import CannotTakeOut
from codeagent_tui.conversation.events import (
    AgentEvent,
    CompactionFinished,
    CompactionProgress,
    CompactionStarted,
    CompactionWaiting,
    EndReason,
    Notice,
    TurnEnded,
    UsageReported,
)
from codeagent_tui.conversation.messages import MessageKind, Usage
from codeagent_tui.llm.provider import CallPiece, ChatRequest, FinishPiece, StreamEvent, TextPiece
from codeagent_tui.settings import Settings
from tests.support.gated_summary import PART, SUMMARY, WINDOW, Summarising
from tests.support.models import ScriptedModel, says
from tests.support.sessions import collect, of, scratch_session


async def filled(tmp_path: Path, model: Summarising, turns: int = 5) -> tuple[Session, list[AgentEvent]]:
    session = await scratch_session(tmp_path, model)
    events: list[AgentEvent] = []
    for number in range(turns):
        events += await collect(session.agent.run(f"q{number} {PART}"))
    return session, events


async def test_no_request_waits_for_a_summary_below_the_ceiling(tmp_path: Path) -> None:
    model = Summarising()
    session, events = await filled(tmp_path, model)
    assert [event.background for event in of(CompactionStarted, events)] == [True]
    before = session.agent.history.messages
    events = await collect(session.agent.run("and a short one"))
    assert of(TurnEnded, events)[-1].reason is EndReason.DONE and not of(CompactionWaiting, events)
    assert session.agent.history.messages[: len(before)] == before
    heard: list[AgentEvent] = []
    finished = asyncio.Event()

    def hear(event: AgentEvent) -> None:
        heard.append(event)
        if isinstance(event, CompactionFinished):
            finished.set()

    session.agent.on_background = hear
    model.gate.set()
    await finished.wait()
    assert of(CompactionProgress, heard) and of(CompactionFinished, heard)[0].applied
    messages = session.agent.history.messages
    assert messages[0].kind is MessageKind.SUMMARY and SUMMARY in messages[0].content
    assert messages[-2].content == "and a short one"
    assert session.agent.history.check_pairs() == []
    record = session.agent.compactions[-1]
    assert record.background and record.tokens_after < record.tokens_before
    assert of(CompactionFinished, heard)[0].record_id == record.id
    await session.aclose()


async def test_a_result_that_comes_during_a_turn_is_put_in_place_before_the_next_request(tmp_path: Path) -> None:
    model = Summarising()
    session, _ = await filled(tmp_path, model)
    hold = asyncio.Event()

    class Tooling(Summarising):
        async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
            self.requests.append(request)
            if len(self.requests) == 1:
                await hold.wait()
                yield CallPiece(0, "c", "list_directory", "{}")
                yield FinishPiece("tool_calls")
            else:
                yield TextPiece("done")
                yield FinishPiece("stop")

    other = Tooling()
    session.agent.core.model = other
    turn = asyncio.create_task(collect(session.agent.run("list")))
    while not other.requests:
        await asyncio.sleep(0)
    model.gate.set()
    while session.agent.compaction.running:
        await asyncio.sleep(0)
    assert session.agent.history.messages[0].content.startswith("q0")
    hold.set()
    events = await turn
    assert of(CompactionFinished, events)[0].applied
    assert other.requests[1].messages[0].kind is MessageKind.SUMMARY
    assert [m.content for m in other.requests[1].messages if m.starts_turn][-1] == "list"
    await session.aclose()


async def test_c_10_at_the_ceiling_a_request_waits_visibly_and_the_wait_can_be_stopped(tmp_path: Path) -> None:
    model = Summarising()
    session, _ = await filled(tmp_path, model)
    waiting = asyncio.Event()

    def see(event: AgentEvent) -> None:
        if isinstance(event, CompactionWaiting):
            waiting.set()

    turn = asyncio.create_task(collect(session.agent.run(f"q6 {PART} {PART}"), on=see))
    await waiting.wait()
    before = session.agent.history.messages
    session.agent.interrupt()
    events = await turn
    assert of(TurnEnded, events)[-1].reason is EndReason.INTERRUPTED
    assert session.agent.history.messages == before and session.agent.compaction.running
    waiting.clear()
    turn = asyncio.create_task(collect(session.agent.run("go on"), on=see))
    await waiting.wait()
    model.gate.set()
    events = await turn
    assert of(TurnEnded, events)[-1].reason is EndReason.DONE
    last = model.talked[-1].messages
    assert last[0].kind is MessageKind.SUMMARY and last[-1].content == "go on"
    await session.aclose()


async def test_c_10_two_at_once_are_one(tmp_path: Path) -> None:
    model = Summarising()
    session, _ = await filled(tmp_path, model)
    await model.asked.wait()
    assert not session.agent.compact_beside()
    by_hand = asyncio.create_task(collect(session.agent.compact()))
    await asyncio.sleep(0)
    model.gate.set()
    events = await by_hand
    assert [event.applied for event in of(CompactionFinished, events)] == [True]
    assert model.summaries == 1
    await session.aclose()


async def test_a_failed_one_changes_nothing_and_is_not_tried_again_at_once(tmp_path: Path) -> None:
    model = Summarising()
    model.summary = None
    model.gate.set()
    session, _ = await filled(tmp_path, model)
    while session.agent.compaction.running:
        await asyncio.sleep(0)
    tried = model.summaries
    assert session.agent.history.messages[0].content.startswith("q0") and not session.agent.compactions
    for number in range(4):
        await collect(session.agent.run(f"short {number}"))
    assert model.summaries == tried
    await session.aclose()


async def test_beyond_the_window_without_any_summary_only_the_ledger_stays_and_it_can_be_taken_back(
    tmp_path: Path,
) -> None:
    model = Summarising()
    model.summary = None
    model.gate.set()
    session, _ = await filled(tmp_path, model, turns=7)
    events = await collect(session.agent.run(f"Never drop this rule. {PART} {PART}"))
    events += await collect(session.agent.run("go on"))
    told = [event.text for event in of(Notice, events) if "/uncompact" in event.text]
    dropped = [record for record in session.agent.compactions if record.way == "dropped"]
    assert told and dropped
    messages = session.agent.history.messages
    assert "No summary" in messages[0].content and "q0" in messages[0].content
    assert messages[-2].content == "go on"
    await session.agent.uncompact(dropped[0].id)
    assert session.agent.history.messages[0].content.startswith("q0")
    await session.aclose()


async def test_a_compaction_is_taken_back_with_everything_that_came_since(tmp_path: Path) -> None:
    model = Summarising()
    model.gate.set()
    session, _ = await filled(tmp_path, model, turns=9)
    assert len(session.agent.compactions) >= 2
    await collect(session.agent.run("the last"))
    first = session.agent.compactions[0]
    taken = await session.agent.uncompact(first.id)
    assert taken.id == first.id and all(record.restored for record in session.agent.compactions)
    said = [message.content.split(" ")[0] for message in session.agent.history.messages if message.starts_turn]
    assert said == [*(f"q{number}" for number in range(9)), "the"]
    assert all(message.kind is MessageKind.NORMAL for message in session.agent.history.messages)
    messages = session.agent.history.messages
    with pytest.raises(CannotRestore):
        await session.agent.uncompact()
    await session.aclose()
    resumed = await scratch_session(tmp_path, Summarising(), resume="")
    assert resumed.agent.history.messages == messages
    assert [record.restored for record in resumed.agent.compactions] == [True] * len(session.agent.compactions)
    await resumed.aclose()


async def test_one_that_was_done_before_a_resume_can_be_taken_back_after_it(tmp_path: Path) -> None:
    model = Summarising()
    session, _ = await filled(tmp_path, model)
    before = session.agent.history.messages
    model.gate.set()
    await collect(session.agent.compact())
    assert session.agent.history.messages != before
    await session.aclose()
    resumed = await scratch_session(tmp_path, Summarising(), resume="")
    assert [record.summary for record in resumed.agent.compactions] == [SUMMARY]
    await resumed.agent.uncompact()
    assert resumed.agent.history.messages == before
    await resumed.aclose()


async def test_stubs_are_taken_back_too(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "big.txt").write_text("some words on a line\n" * 150)
    reads = [[CallPiece(0, f"c{n}", "read_file", '{"path":"big.txt"}'), FinishPiece("tool_calls")] for n in range(28)]
    session = await scratch_session(tmp_path, ScriptedModel(*reads, says("done"), window=WINDOW))
    await collect(session.agent.run("read it again and again"))
    assert {record.way for record in session.agent.compactions} == {"stubs"}
    while any(not record.restored for record in session.agent.compactions):
        await session.agent.uncompact()
    assert not any(message.content.startswith("[Stub") for message in session.agent.history.messages)
    messages = session.agent.history.messages
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(says("x")), resume="")
    assert resumed.agent.history.messages == messages
    await resumed.aclose()


async def test_nothing_is_taken_back_while_a_turn_runs(tmp_path: Path) -> None:
    model = ScriptedModel([asyncio.Event()])
    session = await scratch_session(tmp_path, model)
    turn = asyncio.create_task(collect(session.agent.run("hi")))
    while not model.requests:
        await asyncio.sleep(0)
    with pytest.raises(AgentBusy):
        await session.agent.uncompact()
    session.agent.interrupt()
    await turn
    await session.aclose()


async def test_repeats_after_a_compaction_are_counted_and_told_once(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    list_it = [CallPiece(0, "c", "list_directory", "{}"), FinishPiece("tool_calls")]
    model = ScriptedModel(list_it, says("one"), says("two"), says("three"), says(SUMMARY), *[list_it] * 6, says("done"))
    session = await scratch_session(tmp_path, model)
    for text in (f"q1 {PART}", "q2", "q3"):
        await collect(session.agent.run(text))
    await collect(session.agent.compact())
    events = await collect(session.agent.run("again"))
    told = [event.text for event in of(Notice, events) if "repeat" in event.text]
    assert len(told) == 1 and "/uncompact" in told[0]
    assert session.agent.compactions[-1].repeats == 6
    await session.aclose()


async def test_without_the_background_the_request_waits_for_its_summary(tmp_path: Path) -> None:
    model = Summarising()
    model.gate.set()
    settings = replace(Settings(discover=False), background_compaction=False)
    session = await scratch_session(tmp_path, model, settings=settings)
    events: list[AgentEvent] = []
    for number in range(6):
        events += await collect(session.agent.run(f"q{number} {PART}"))
    assert [event.background for event in of(CompactionStarted, events)] == [False]
    assert of(CompactionFinished, events)[0].applied
    await session.aclose()


async def test_what_a_summary_costs_is_part_of_the_sessions_cost_also_when_it_is_resumed(tmp_path: Path) -> None:
    model = Summarising()
    model.price = Usage(17_000, 400, cached_tokens=2_000)
    session, _ = await filled(tmp_path, model)
    heard: list[AgentEvent] = []
    session.agent.on_background = heard.append
    model.gate.set()
    while not of(CompactionFinished, heard):
        await asyncio.sleep(0)
    assert [event.total for event in of(UsageReported, heard)] == [model.price]
    assert session.log.cost == model.price
    await session.aclose()
    again = await scratch_session(tmp_path, ScriptedModel(), resume="")
    assert again.log.cost == model.price
    await again.aclose()


async def test_what_is_taken_out_by_hand_is_out_of_the_next_request_and_comes_back_byte_for_byte(
    tmp_path: Path,
) -> None:
    model = Summarising()
    session, _ = await filled(tmp_path, model, turns=3)
    agent = session.agent
    before, total = agent.history.messages, agent.reading().total
    largest = agent.picture().largest[0]
    with pytest.raises(CannotTakeOut, match="shortened"):
        agent.take_out(largest.message_id, whole=False)
    record = agent.take_out(before[0].id, whole=True)
    assert agent.reading().total < total
    assert agent.history.messages[1:] == before[1:]
    assert agent.compactions == (record,)
    await session.aclose()
    resumed = await scratch_session(tmp_path, model, resume="")
    assert "took this message out" in resumed.agent.history.messages[0].content
    await resumed.agent.uncompact()
    assert resumed.agent.compactions[0].restored
    assert resumed.agent.history.messages == before
    await resumed.aclose()
    again = await scratch_session(tmp_path, model, resume="")
    assert again.agent.history.messages == before
    await again.aclose()


async def test_nothing_is_taken_out_while_a_compaction_is_made_of_it(tmp_path: Path) -> None:
    session, _ = await filled(tmp_path, Summarising())
    assert session.agent.compaction.running
    before = session.agent.history.messages
    with pytest.raises(CannotTakeOut, match="Wait until it is done"):
        session.agent.take_out(before[0].id, whole=True)
    assert session.agent.history.messages == before
    await session.aclose()
