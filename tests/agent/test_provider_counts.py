"""What the provider says of a prompt: its cache holds between the steps of a turn, and a cut prompt is told of."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from codeagent_tui.conversation.events import Decision, Notice, NoticeLevel
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import FinishPiece, TextPiece, UsagePiece
from tests.support.models import ScriptedModel, calls, says
from tests.support.prefix_share import cached_share
from tests.support.sessions import collect, of, scratch_session

_WITHIN_A_TURN = 0.95


async def test_between_the_steps_of_a_turn_at_least_95_per_cent_is_an_unchanged_prefix(tmp_path: Path) -> None:
    model = ScriptedModel(
        calls(("list_directory", {}), ("read_file", {"path": "a.py"})),
        calls(("write_file", {"path": "b.py", "content": "x = 1\n" * 200})),
        calls(("run_command", {"command": "printf hello"})),
        calls(("save_memory", {"fact": "uses uv", "scope": "project"})),
        calls(("todo", {"items": [{"text": "test it", "status": "pending"}]})),
        calls(("read_file", {"path": "missing.py"})),
        says("Done."),
    )
    session = await scratch_session(tmp_path, model)
    (tmp_path / "work" / "a.py").write_text("y = 2\n" * 300)
    await collect(session.agent.run("look, write and remember: uses uv"), answer=Decision.ONCE)
    assert len(model.requests) == 7
    shares = [cached_share(before, after) for before, after in pairwise(model.requests)]
    assert min(shares) >= _WITHIN_A_TURN
    await session.aclose()


async def test_a_measure_that_can_fail(tmp_path: Path) -> None:
    model = ScriptedModel(says("one"), says("two"))
    session = await scratch_session(tmp_path, model)
    await collect(session.agent.run("first " * 4_000))
    (tmp_path / "work" / "CODEAGENT.md").write_text("Use tabs.\n" * 400)
    await collect(session.agent.run("second"))
    before, after = model.requests
    assert cached_share(before, before) == pytest.approx(1)
    assert cached_share(before, after) < _WITHIN_A_TURN
    await session.aclose()


async def test_p_13_a_server_that_cuts_prompts_is_told_of_once_and_the_gauge_does_not_learn_from_it(
    tmp_path: Path,
) -> None:
    cut = [TextPiece("How can I help?"), UsagePiece(Usage(2_051, 40)), FinishPiece("stop")]
    session = await scratch_session(tmp_path, ScriptedModel(cut, window=32_768))
    events = await collect(session.agent.run("word " * 12_000))
    first = [event for event in of(Notice, events) if event.level is NoticeLevel.WARNING]
    assert len(first) == 1
    assert "2,051" in first[0].text
    assert "32,768" in first[0].text
    reading = session.agent.reading()
    assert reading.total > 12_000
    assert not reading.measured
    assert not of(Notice, await collect(session.agent.run("and more " * 500)))
    await session.aclose()
