"""Two sessions of one project: what one of them, another process or a hand does to the facts is seen by all."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.paths import Paths

_WITHIN = 5


@asynccontextmanager
async def window(tmp_path: Path, home: Path | None = None) -> AsyncIterator[tuple[MemoryManager, asyncio.Event]]:
    """A session's memory that watches, and an event that is set whenever it tells of a change."""
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    memory = MemoryManager(Paths(home or tmp_path / "home"), folder, ContextProfile.for_window(128_000))
    told = asyncio.Event()
    memory.on_change = told.set
    memory.watch()
    try:
        yield memory, told
    finally:
        await memory.aclose()


async def until(told: asyncio.Event, what: Callable[[], bool]) -> None:
    """Wait for news until `what` holds; it does not look by itself."""
    async with asyncio.timeout(_WITHIN):
        while not what():
            told.clear()
            await told.wait()


def held(memory: MemoryManager) -> list[str]:
    """What the memory knows without looking at the file."""
    return [entry.content for entry in memory.long_term.entries()]


async def test_two_windows_see_each_others_facts(tmp_path: Path) -> None:
    async with window(tmp_path) as (first, first_told), window(tmp_path) as (second, second_told):
        saved = await first.save_fact("use uv", scope=Scope.PROJECT, source="command")
        await until(second_told, lambda: held(second) == ["use uv"])
        assert saved.entry is not None
        await second.edit_fact(saved.entry.id, "use pip")
        await until(first_told, lambda: held(first) == ["use pip"])
        await first.move_fact(saved.entry.id, Scope.GLOBAL)
        await until(second_told, lambda: second.long_term.entries()[0].scope is Scope.GLOBAL)
        gone = await second.forget_many([saved.entry.id])
        await until(first_told, lambda: held(first) == [])
        assert await second.restore_facts(gone) == 1
        await until(first_told, lambda: held(first) == ["use pip"])


async def test_another_process_and_hands_are_seen(tmp_path: Path) -> None:
    async with window(tmp_path) as (memory, told):
        path = memory.long_term.path
        store = (
            "import sys; from pathlib import Path; from codeagent_tui.memory.long_term_memory import LongTermMemory;"
            "LongTermMemory(Path(sys.argv[1])).store('typo hre', 'global')"
        )
        root = Path(__file__).parents[2]
        await asyncio.to_thread(subprocess.run, [sys.executable, "-c", store, str(path)], check=True, cwd=root)
        await until(told, lambda: held(memory) == ["typo hre"])
        await asyncio.to_thread(subprocess.run, ["sed", "-i", "s/hre/here/", str(path)], check=True)
        await until(told, lambda: held(memory) == ["typo here"])
        path.write_text(path.read_text(encoding="utf-8").replace("typo here", "mended"), encoding="utf-8")
        await until(told, lambda: held(memory) == ["mended"])
        path.unlink()
        await until(told, lambda: held(memory) == [])


async def test_a_file_behind_a_link_is_seen(tmp_path: Path) -> None:
    """A dotfiles repository keeps the real file; only its folder knows of changes."""
    home, kept = tmp_path / "home", tmp_path / "dotfiles"
    (home / "memory").mkdir(parents=True)
    kept.mkdir()
    Paths(home).long_term_memory.symlink_to(kept / "facts.json")
    async with window(tmp_path, home) as (first, _), window(tmp_path, home) as (second, told):
        await first.save_fact("use uv", scope=Scope.GLOBAL, source="command")
        await until(told, lambda: held(second) == ["use uv"])
        assert Paths(home).long_term_memory.is_symlink() and (kept / "facts.json").is_file()


async def test_a_damaged_file_is_told_of_at_once(tmp_path: Path) -> None:
    async with window(tmp_path) as (memory, told):
        path = memory.long_term.path
        path.parent.mkdir(parents=True)
        path.write_text("[1, 2", encoding="utf-8")
        await until(told, lambda: bool(memory.long_term.notices))
        assert "damaged" in memory.take_notices()[0]


async def test_nothing_is_told_when_nothing_changed(tmp_path: Path) -> None:
    async with window(tmp_path) as (memory, told):
        await memory.save_fact("use uv", scope=Scope.GLOBAL, source="command")
        told.clear()
        await memory.save_fact("use uv", scope=Scope.GLOBAL, source="command")
        await memory.forget("no such fact")
        assert not told.is_set()
