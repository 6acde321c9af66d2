"""The agent compacts its history when a request needs it, between tool rounds too, and never in vain."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

from codeagent_tui.context.prompts.summary import SUMMARY_SYSTEM
from codeagent_tui.conversation.events import AgentEvent, CompactionStarted, EndReason, Notice, TurnEnded
from codeagent_tui.conversation.messages import Role
from codeagent_tui.llm.provider import (
    CallPiece,
    ChatRequest,
    ContextOverflow,
    FinishPiece,
    StreamEvent,
    TextPiece,
)
from tests.support.models import ScriptedModel, says
from tests.support.sessions import collect, of, scratch_session


class Answering(ScriptedModel):
    """Answers each request with the text that a function makes of it."""

    def __init__(self, answer: Callable[[ChatRequest], str], window: int) -> None:
        super().__init__(window=window)
        self._answer = answer

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer."""
        self.requests.append(request)
        yield TextPiece(self._answer(request))
        yield FinishPiece("stop")


async def test_an_overflow_compacts_once_and_sends_again(tmp_path: Path) -> None:
    model = ScriptedModel(
        says("one " * 200),
        says("two"),
        says("three"),
        says("four"),
        [ContextOverflow("too long", limit=50_000)],
        says("The user asked four things; all of them were answered in full."),
        says("five"),
    )
    session = await scratch_session(tmp_path, model)
    for text in ("q1 " * 500, "q2", "q3", "q4"):
        await collect(session.agent.run(text))
    events = await collect(session.agent.run("q5"))
    assert of(TurnEnded, events)[-1].reason is EndReason.DONE
    last = model.requests[-1].messages
    assert "Background" in last[0].content and last[-1].content == "q5"
    assert session.agent.reading().window == 50_000
    assert session.agent.history.check_pairs() == []
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(says("x")), resume="")
    assert resumed.agent.history.messages == session.agent.history.messages
    await resumed.aclose()


async def test_a_number_that_no_model_has_is_not_taken_for_the_window(tmp_path: Path) -> None:
    model = ScriptedModel(says("one"), [ContextOverflow("too long", limit=4)])
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("q1"))
    await collect(session.agent.run("q2"))
    assert session.agent.reading().window == 200_000
    await session.aclose()


async def test_c_02_one_long_turn_is_compacted_between_its_tool_rounds(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "big.txt").write_text("word " * 600 + "\n")

    class Server(ScriptedModel):
        async def stream(self, request):  # type: ignore[no-untyped-def]  # a stand-in that answers by the request
            self.requests.append(request)
            if not request.tools:
                yield TextPiece("Background so far: the parser is being refactored, many reads were made.")
                yield FinishPiece("stop")
            elif sum(1 for r in self.requests if r.tools) > 60:
                yield TextPiece("finished")
                yield FinishPiece("stop")
            else:
                yield CallPiece(0, f"c{len(self.requests)}", "read_file", '{"path":"big.txt"}')
                yield FinishPiece("tool_calls")

    model = Server(window=32_768)
    session = await scratch_session(tmp_path, model)
    events = await collect(session.agent.run("refactor the parser"))
    assert of(TurnEnded, events)[-1].reason is EndReason.DONE
    stubs = [m for m in model.requests[-1].messages if m.role is Role.TOOL and m.content.startswith("[Stub: ")]
    assert len(stubs) > 20 and all("read the file again" in stub.content for stub in stubs)
    for request in model.requests:
        assert sum(len(m.content) for m in request.messages) / 4 < 32_768
    said = [m.content for m in model.requests[-1].messages if m.starts_turn]
    assert said == ["refactor the parser"]
    assert session.agent.history.check_pairs() == []
    await session.aclose()


async def test_c_04_a_window_filled_by_what_every_request_holds_costs_no_summary_and_is_told(tmp_path: Path) -> None:
    model = ScriptedModel(says("hello"), window=1_024)
    session = await scratch_session(tmp_path, model)
    events: list[AgentEvent] = []
    for number in range(5):
        events += await collect(session.agent.run(f"hi {number}"))
    assert len(model.requests) == 5 and all(request.tools for request in model.requests)
    told = [event.text for event in of(Notice, events) if "tool schemas" in event.text]
    assert len(told) == 1 and "1,024" in told[0]
    assert of(CompactionStarted, events) == []
    await session.aclose()


async def test_c_04_a_summary_that_does_not_help_is_tried_again_only_when_the_history_has_grown(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> str:
        return "y" * 200 if request.tools else request.messages[0].content

    model = Answering(answer, window=32_768)
    session = await scratch_session(tmp_path, model)
    for number in range(6):
        await collect(session.agent.run(f"{number} " + "word " * 2_800))
    for number in range(6):
        await collect(session.agent.run(f"short {number}"))
    # The short-term memory is compressed as well, in requests of its own.
    assert 1 <= sum(request.system == SUMMARY_SYSTEM for request in model.requests) <= 2
    assert session.agent.history.check_pairs() == []
    await session.aclose()
