"""Facts in the agent's turns: saved by the tool when the user allows it, quoted in requests, gone when forgotten."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.conversation.events import AgentEvent, ApprovalAsked, Decision, ToolFinished
from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.long_term_memory import LongTermMemory
from tests.support.models import ScriptedModel, calls, says
from tests.support.sessions import collect, of, scratch_session

ASKED: tuple[str, dict[str, object]] = ("save_memory", {"fact": "the port is 8080"})


def results(events: list[AgentEvent]) -> list[str]:
    return [event.result.content for event in of(ToolFinished, events)]


async def test_the_tool_saves_what_the_user_allows_and_says_where(tmp_path: Path) -> None:
    model = ScriptedModel(
        calls(ASKED),
        says("done"),
        calls(ASKED),
        says("done"),
        calls(("save_memory", {"fact": "the port is 8080", "project_only": False})),
        says("done"),
    )
    session = await scratch_session(tmp_path, model)
    first = await collect(session.agent.run("remember the port"))
    [asked] = of(ApprovalAsked, first)
    assert "the port is 8080" in asked.request.body and "this project only" in asked.request.body
    [said] = results(first)
    assert said.startswith("Saved in this project (id ") and said.endswith("): the port is 8080")
    [said] = results(await collect(session.agent.run("remember the port")))
    assert said.startswith("Already saved in this project (id ")
    [said] = results(await collect(session.agent.run("remember it everywhere")))
    assert said.startswith("Saved in all projects (id ")
    assert {fact.source for fact in session.agent.memory.facts()} == {"tool"}
    await session.aclose()


async def test_what_the_user_does_not_allow_is_not_saved(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(calls(ASKED), says("fine")))
    await collect(session.agent.run("remember the port"), answer=Decision.NO)
    assert session.agent.memory.facts() == [] and not session.paths.long_term_memory.exists()
    await session.aclose()


async def test_l_01_the_model_is_told_that_a_fact_was_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    model = ScriptedModel(
        calls(ASKED), says("done"), calls(("save_memory", {"fact": "api key sk-" + "0" * 24})), says("")
    )
    session = await scratch_session(tmp_path, model)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        [said] = results(await collect(session.agent.run("remember the port")))
    assert said.startswith("Not saved: No space left on device") and said.count("Not saved") == 1
    [said] = results(await collect(session.agent.run("remember my key")))
    assert said.startswith("Not saved: it seems to hold an API key")
    assert session.agent.memory.facts() == []
    await session.aclose()


@pytest.mark.parametrize("by_another_process", [False, True])
async def test_l_07_a_fact_forgotten_within_a_turn_is_gone_with_the_next_request(
    tmp_path: Path, by_another_process: bool
) -> None:
    model = ScriptedModel(calls(("list_directory", {})), says("done"), says("later"))
    session = await scratch_session(tmp_path, model)
    memory = session.agent.memory
    await memory.save_fact("the port is 9090", scope=Scope.GLOBAL, source="command")
    saved = await memory.save_fact("the port is 8080", scope=Scope.GLOBAL, source="command")
    assert saved.entry is not None
    forgotten = saved.entry.id

    def forget(event: AgentEvent) -> None:
        if isinstance(event, ToolFinished):
            store = LongTermMemory(session.paths.long_term_memory) if by_another_process else memory.long_term
            store.delete(forgotten)
            memory.long_term.reload_if_changed()  # what the watch does in a running program

    await collect(session.agent.run("which port is it?"), on=forget)
    assert "the port is 8080" in model.requests[0].system
    assert "8080" not in model.requests[1].system and "9090" in model.requests[1].system
    await collect(session.agent.run("which port is it?"))
    assert "8080" not in model.requests[2].system
    await session.aclose()


async def test_the_section_of_a_turn_stays_while_nothing_is_forgotten(tmp_path: Path) -> None:
    """A fact that is saved meanwhile waits for the next turn: the provider's prefix cache holds."""
    model = ScriptedModel(calls(ASKED), says("done"), says("later"))
    session = await scratch_session(tmp_path, model)
    await session.agent.memory.save_fact("the port is 9090", scope=Scope.GLOBAL, source="command")
    await collect(session.agent.run("remember which port is ours"))
    assert model.requests[0].system == model.requests[1].system
    await collect(session.agent.run("which port is it?"))
    assert "8080" in model.requests[2].system
    await session.aclose()


async def test_a_chinese_fact_is_recalled_in_the_next_session(tmp_path: Path) -> None:
    first = await scratch_session(tmp_path, ScriptedModel(says("ok")))
    await first.agent.memory.save_fact(
        "\u63d0\u4ea4\u4fe1\u606f\u7528\u4e2d\u6587", scope=Scope.PROJECT, source="command"
    )
    await first.aclose()
    model = ScriptedModel(says("ok"))
    second = await scratch_session(tmp_path, model)
    await collect(second.agent.run("\u63d0\u4ea4\u65f6\u4fe1\u606f\u8be5\u7528\u4ec0\u4e48\u8bed\u8a00\uff1f"))
    assert '- "\u63d0\u4ea4\u4fe1\u606f\u7528\u4e2d\u6587"' in model.requests[0].system
    await second.aclose()
