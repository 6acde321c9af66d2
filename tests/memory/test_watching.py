"""A watch on folders: whatever happens to the files in them is told, soon, and nothing after the end."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from codeagent_tui.memory.watching import FolderWatcher

_SOON = 5


class Told:
    """What a watcher told, and a way to wait for it."""

    def __init__(self) -> None:
        self.all: list[frozenset[Path]] = []
        self._news = asyncio.Condition()

    async def take(self, paths: frozenset[Path]) -> None:
        async with self._news:
            self.all.append(paths)
            self._news.notify_all()

    async def until(self, what: Callable[[list[frozenset[Path]]], bool]) -> None:
        async with asyncio.timeout(_SOON), self._news:
            await self._news.wait_for(lambda: what(self.all))
            self.all.clear()

    async def of(self, path: Path) -> None:
        """Wait for news of `path`, or that it is not known of what."""
        await self.until(lambda told: any(path in paths or not paths for paths in told))


@asynccontextmanager
async def watching(*folders: Path) -> AsyncIterator[tuple[Told, FolderWatcher]]:
    told = Told()
    watcher = FolderWatcher(lambda: folders, told.take)
    watcher.start()
    try:
        await told.until(bool)
        yield told, watcher
    finally:
        await watcher.aclose()


async def test_a_file_that_comes_changes_is_replaced_and_goes(tmp_path: Path) -> None:
    file, other = tmp_path / "f", tmp_path / "g"
    async with watching(tmp_path) as (told, _):
        file.write_text("1")
        await told.of(file)
        for word in ("2", "3"):
            other.write_text(word)
            other.replace(file)
            await told.of(file)
        file.write_text("4")
        await told.of(file)
        file.unlink()
        await told.of(file)


async def test_what_is_deeper_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    async with watching(tmp_path) as (told, _):
        (tmp_path / "below" / "f").write_text("1")
        (tmp_path / "g").write_text("1")
        await told.of(tmp_path / "g")
        assert not any(tmp_path / "below" / "f" in paths for paths in told.all)


async def test_a_folder_that_comes_later_and_comes_again(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "memory"
    async with watching(folder) as (told, _):
        for _again in range(2):
            folder.mkdir(parents=True)
            (folder / "f").write_text("1")
            await told.of(folder / "f")
            (folder / "f").write_text("22")
            await told.of(folder / "f")
            shutil.rmtree(tmp_path / "home")
            await told.until(bool)


async def test_a_folder_that_is_exchanged_for_another(tmp_path: Path) -> None:
    folder, new = tmp_path / "d", tmp_path / "new"
    folder.mkdir()
    async with watching(folder) as (told, _):
        new.mkdir()
        folder.rename(tmp_path / "old")
        new.rename(folder)
        await told.until(bool)
        (folder / "f").write_text("1")
        await told.of(folder / "f")


async def test_a_burst_is_told_in_few_words(tmp_path: Path) -> None:
    async with watching(tmp_path) as (told, _):
        for number in range(500):
            (tmp_path / f"{number % 50}").write_text(f"{number}")
        (tmp_path / "last").write_text("x")
        seen: list[frozenset[Path]] = []

        def complete(news: list[frozenset[Path]]) -> bool:
            seen[:] = news
            return tmp_path / "last" in frozenset().union(*news)

        await told.until(complete)
        assert len(seen) < 10


async def test_other_folders_when_they_are_asked_for_again(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    first.mkdir()
    second.mkdir()
    wanted = {first}
    told = Told()
    watcher = FolderWatcher(lambda: wanted, told.take)
    watcher.start()
    await told.until(bool)
    wanted.add(second)
    watcher.ask_again()
    await told.until(bool)
    (second / "f").write_text("1")
    await told.of(second / "f")
    await watcher.aclose()


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
async def test_where_the_system_cannot_watch_it_looks(tmp_path: Path) -> None:
    """watchfiles refuses names that are no Unicode, of a folder and of a file in it."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    async with watching(folder) as (told, _):
        (folder / "f").write_text("1")
        await told.until(bool)
    async with watching(tmp_path) as (told, _):
        (tmp_path / os.fsdecode(b"\xff")).write_text("1")
        (tmp_path / "f").write_text("1")
        await told.until(bool)


async def test_a_look_that_fails_does_not_end_the_watch(tmp_path: Path) -> None:
    told = Told()

    async def fail_once(paths: frozenset[Path]) -> None:
        await told.take(paths)
        if not paths:
            raise OSError("disk on fire")

    watcher = FolderWatcher(lambda: [tmp_path], fail_once)
    watcher.start()
    await told.until(bool)
    (tmp_path / "f").write_text("1")
    await told.of(tmp_path / "f")
    await watcher.aclose()


async def test_nothing_is_told_after_the_end(tmp_path: Path) -> None:
    async with watching(tmp_path) as (told, watcher):
        await watcher.aclose()
        before = len(told.all)
        (tmp_path / "f").write_text("1")
        async with watching(tmp_path) as (other, _):
            (tmp_path / "g").write_text("1")
            await other.of(tmp_path / "g")
        assert len(told.all) == before
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "watch folders"]


class _BornLate(type(Path())):  # type: ignore[misc]  # the class of the system's paths has no name before 3.12
    """A folder that comes just after somebody saw that it is not there."""

    @property
    def parent(self) -> Path:
        self.mkdir(exist_ok=True)
        return Path(str(self)).parent


async def test_a_folder_that_comes_while_the_watch_is_set_up_is_watched(tmp_path: Path) -> None:
    folder = _BornLate(tmp_path / "late")
    async with watching(folder) as (told, _):
        assert folder.is_dir()
        (folder / "f").write_text("1")
        await told.of(tmp_path / "late" / "f")
