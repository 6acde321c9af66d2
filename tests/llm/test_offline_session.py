"""The offline engine in a real session: tools, approvals, memory and compaction, without a model."""

from __future__ import annotations

import sys
from pathlib import Path

from codeagent_tui.conversation.events import Decision, EndReason, TextDelta, ToolFinished, TurnEnded
from codeagent_tui.llm.offline import OfflineModel
from tests.support.sessions import collect, of, scratch_session


async def test_a_bug_is_found_read_mended_and_tested(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, OfflineModel())
    (tmp_path / "work" / "calc.py").write_text("def halve(x):\n    return x / 3\n\nassert halve(4) == 2\n")
    request = f"search for x / 3, then read calc.py, then replace `x / 3` with `x / 2` in calc.py, then run {sys.executable} calc.py"
    events = await collect(session.agent.run(request))
    assert [event.name for event in of(ToolFinished, events) if event.ok] == [
        *("search_code", "read_file", "read_file", "edit_file", "run_command")
    ]
    assert "x / 2" in (tmp_path / "work" / "calc.py").read_text()
    assert of(TurnEnded, events)[-1].reason is EndReason.DONE
    await session.aclose()


async def test_a_refusal_ends_the_plan_and_nothing_is_changed(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, OfflineModel())
    (tmp_path / "work" / "a.txt").write_text("one\n")
    events = await collect(
        session.agent.run("把 a.txt 里的 one 改成 two\uff0c然后运行 ls"), answer=Decision.NO, reason="先别改"
    )
    assert [event.ok for event in of(ToolFinished, events)] == [True, False]
    assert (tmp_path / "work" / "a.txt").read_text() == "one\n"
    said = "".join(event.text for event in of(TextDelta, events))
    assert "先别改" in said and "到此为止" in said
    await session.aclose()


async def test_a_fact_is_remembered_and_recalled_in_a_later_session(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, OfflineModel())
    await collect(session.agent.run("记住\uff1a测试端口是 8123"))
    await session.aclose()
    later = await scratch_session(tmp_path, OfflineModel())
    events = await collect(later.agent.run("你还记得测试端口吗\uff1f"))
    assert "8123" in "".join(event.text for event in of(TextDelta, events))
    await later.aclose()


async def test_a_history_is_compacted_by_it(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, OfflineModel())
    for number in range(6):
        (tmp_path / "work" / f"f{number}.txt").write_text(f"text {number}\n" * 200)
        await collect(session.agent.run(f"read f{number}.txt"))
    before = len(session.agent.history.messages)
    await collect(session.agent.compact())
    messages = session.agent.history.messages
    assert len(messages) < before
    assert "read f0.txt" in messages[0].content
    await session.aclose()
