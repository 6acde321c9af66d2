"""The screen as a whole, in its main states. `pytest --snapshot-update` takes new ones; look at the diff before you
commit it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from codeagent_tui.agent.system_prompt import Environment
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import FinishPiece, RequestRefused, TextPiece, UsagePiece
from codeagent_tui.settings import Settings
from codeagent_tui.tui.themes import DARK, LIGHT
from tests.support.models import ScriptedModel, calls, says
from tests.support.screen_snapshot import screen_snapshot
from tests.tui.conftest import Screen, Started

ANSWER = """分词器现在会正确切分**中文**和 `English`。

| 文件 | 改动 |
| --- | --- |
| tokenizer.py | +12 -3 |

```python
def split(text: str) -> list[str]:
    return list(jieba.cut(text))  # 中文
```

1. Tests pass.
2. Nothing else was touched.
"""
FILE = "".join(f"value_{number} = {number}  # 第 {number} 行\n" for number in range(12))


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the screen say ~/work, whatever the temporary folder is called, and in colour."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)


def in_theme(theme: str) -> Settings:
    return Settings(discover=False, theme=theme)


async def still(screen: Screen, there: Callable[[], bool]) -> str:
    await screen.until(there)
    await screen.pilot.pause()
    return screen_snapshot(screen.app)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_at_the_start(started: Started, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    async with started(size=size) as screen:
        assert await still(screen, lambda: "ready" in screen.text) == snapshot


@pytest.mark.parametrize("theme", [DARK, LIGHT])
async def test_an_answer_with_tools_and_chinese(started: Started, snapshot: SnapshotAssertion, theme: str) -> None:
    usage = UsagePiece(Usage(2_700, 120, cached_tokens=2_400))
    answer = [TextPiece(ANSWER), usage, FinishPiece("stop")]
    model = ScriptedModel(calls(("read_file", {"path": "values.py"}), text="我先看一下。"), answer)
    async with started(model, size=(100, 40), settings=in_theme(theme)) as screen:
        (screen.app.workspace / "values.py").write_text(FILE, encoding="utf-8")
        await screen.send("请修复分词器 and keep the tests green")
        await screen.idle()
        assert await still(screen, lambda: "Nothing else was touched" in screen.text) == snapshot


async def test_while_it_streams_with_a_message_waiting(started: Started, snapshot: SnapshotAssertion) -> None:
    hold = asyncio.Event()
    async with started(ScriptedModel([TextPiece("The first half\n\nand "), hold, *says("done")])) as screen:
        await screen.send("go")
        await screen.shows("The first half")
        await screen.send("还有：更新文档")
        assert await still(screen, lambda: "1 waiting" in screen.text) == snapshot
        hold.set()
        await screen.idle()


@pytest.mark.parametrize(("theme", "size"), [(DARK, (80, 24)), (LIGHT, (120, 40))], ids=str)
async def test_a_question_about_a_dangerous_command(
    started: Started, snapshot: SnapshotAssertion, theme: str, size: tuple[int, int]
) -> None:
    command = "dd if=映像.img of=/dev/sdz9 bs=4M"
    model = ScriptedModel(calls(("run_command", {"command": command})), says("ok"))
    async with started(model, size=size, settings=in_theme(theme)) as screen:
        await screen.send("write the image")
        assert await still(screen, lambda: screen.app.screen.is_modal and "sdz9" in screen.text) == snapshot
        await screen.pilot.press("escape")
        await screen.idle()


async def test_an_error_says_what_happened_and_what_to_do(started: Started, snapshot: SnapshotAssertion) -> None:
    async with started(ScriptedModel([RequestRefused("The model “nope” does not exist.")])) as screen:
        await screen.send("hello")
        await screen.idle()
        assert await still(screen, lambda: "does not exist" in screen.text) == snapshot


async def test_the_picture_of_the_window(started: Started, snapshot: SnapshotAssertion) -> None:
    model = ScriptedModel(calls(("read_file", {"path": "values.py"})), says("读完了。"))
    async with started(model, size=(80, 24)) as screen:
        (screen.app.workspace / "values.py").write_text(FILE * 60, encoding="utf-8")
        core = screen.app.host.session.agent.core
        # What it says of this machine costs another number of tokens on each.
        core.environment = Environment(Path("/work"), "Linux", "sh", date(2026, 1, 1), git=False)
        await screen.send("read it")
        await screen.idle()
        await screen.send("/context")
        assert await still(screen, lambda: "largest messages" in screen.text) == snapshot


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_the_inspector(started: Started, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    async with started(size=size) as screen:
        (screen.app.workspace / "CODEAGENT.md").write_text("# 规则\n- Use uv.\n", encoding="utf-8")
        await screen.send("/new")
        await screen.pilot.press("f2", "3")
        assert await still(screen, lambda: "CODEAGENT.local.md" in screen.text and "# 规则" in screen.text) == snapshot
