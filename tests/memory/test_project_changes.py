"""What is told of a change of project memory, and how the watch sees it, whatever way an editor saves."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from codeagent_tui.memory.import_consent import Answer, ImportConsents
from codeagent_tui.memory.project_context import ProjectContext
from codeagent_tui.memory.project_memory import ProjectMemoryLoader
from tests.support.files import put

Editor = Callable[[Path, str], None]


def context(proj: Path, home: Path, pause: Callable[[float], None] = lambda _: None) -> ProjectContext:
    return ProjectContext(ProjectMemoryLoader(proj, home), proj, pause)


class Watched:
    """A context that is watched; waits without polling until it has told something."""

    def __init__(self, files: ProjectContext) -> None:
        self.files = files
        self.told: list[str] = []
        self._news = asyncio.Event()
        files.on_news = self._heard

    def _heard(self) -> None:
        self.told += self.files.take_changes()
        self._news.set()

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until `what` holds."""
        async with asyncio.timeout(10):
            while not what():
                self._news.clear()
                await self._news.wait()

    async def shows(self, text: str) -> None:
        """Wait until the watch has read `text`."""
        await self.until(lambda: text in self.files.memory.text)


@asynccontextmanager
async def watched(proj: Path, home: Path) -> AsyncIterator[Watched]:
    files = ProjectContext(ProjectMemoryLoader(proj, home), proj)
    seen = Watched(files)
    files.start()
    try:
        yield seen
    finally:
        await files.aclose()


def test_the_first_reading_tells_no_change(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "one\n")
    files = context(proj, home)
    assert "one" in files.current().text and files.take_changes() == []


def test_each_change_says_what_changed(proj: Path, home: Path) -> None:
    files = context(proj, home)
    files.current()

    def told() -> list[str]:
        files.current()
        return files.take_changes()

    put(proj / "CODEAGENT.md", "one\ntwo\n")
    assert told() == ["CODEAGENT.md created (2 lines)"]
    put(proj / "CODEAGENT.md", "one\nthree\nfour\n")
    assert told() == ["CODEAGENT.md changed (+2 -1 lines)"]
    assert told() == []
    put(proj / "docs" / "a.md", "A\n")
    assert told() == []
    put(proj / "CODEAGENT.md", "one\nthree\nfour\n@docs/a.md\n")
    assert told() == ["docs/a.md is read now (1 line)"]
    put(proj / "docs" / "a.md", "A\nB\n")
    assert told() == ["docs/a.md changed (+1 -0 lines)"]
    put(proj / "CODEAGENT.md", "one\nfour\nthree\n@docs/a.md\n")
    assert told() == ["CODEAGENT.md changed (lines moved)"]
    put(proj / "CODEAGENT.md", "one\nfour\nthree\n")
    assert told() == ["docs/a.md is no longer read"]
    (proj / "CODEAGENT.md").unlink()
    assert told() == ["CODEAGENT.md deleted"]


def test_our_own_edits_are_not_told(proj: Path, home: Path) -> None:
    files = context(proj, home)
    files.current()
    files.edit(lambda: put(proj / "CODEAGENT.md", "ours\n"))
    assert "ours" in files.memory.text and files.take_changes() == []
    assert files.current() is files.memory and files.take_changes() == []


def test_another_bound_is_no_change_of_a_file(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "word\n" * 400)
    files = context(proj, home)
    whole = files.current().text
    files.resize(20)
    assert len(files.current().text) < len(whole) and files.take_changes() == []
    assert any("20 tokens" in notice for notice in files.take_notices())


def test_a_file_that_only_lost_room_is_not_said_to_have_changed(proj: Path, home: Path) -> None:
    put(home / "CODEAGENT.md", "mine\n" * 100)
    put(proj / "CODEAGENT.md", "team\n")
    files = ProjectContext(ProjectMemoryLoader(proj, home, budget_characters=300), proj)
    assert "mine" in files.current().text
    files.take_notices()
    put(proj / "CODEAGENT.md", "team\n" * 50)
    assert files.current().text.count("mine") < 20
    assert files.take_changes() == ["CODEAGENT.md changed (+49 -0 lines)"]
    assert len(files.take_notices()) <= 1


def test_a_notice_is_told_once_and_again_when_it_comes_back(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "@docs/a.md\n")
    files = context(proj, home)
    files.current()
    assert len(files.take_notices()) == 1
    put(proj / "CODEAGENT.md", "more\n@docs/a.md\n")
    files.current()
    assert files.take_notices() == []
    put(proj / "docs" / "a.md", "A")
    files.current()
    (proj / "docs" / "a.md").unlink()
    files.current()
    assert len(files.take_notices()) == 1


@pytest.mark.parametrize("state", ["empty", "missing"])
def test_m_06_a_file_that_is_just_being_written_is_waited_for(proj: Path, home: Path, state: str) -> None:
    path = put(proj / "CODEAGENT.md", "old rules\n")
    files = context(proj, home, lambda _: put(path, "new rules\n") and None)
    files.current()
    put(path, "") if state == "empty" else path.unlink()
    assert "new rules" in files.current().text
    assert files.take_changes() == ["CODEAGENT.md changed (+1 -1 lines)"]


def test_m_06_what_stays_empty_or_away_is_taken_at_its_word(proj: Path, home: Path) -> None:
    path = put(proj / "CODEAGENT.md", "old rules\n")
    files = context(proj, home)
    files.current()
    put(path, "")
    assert files.current().text == ""
    put(path, "back\n")
    assert "back" in files.current().text
    path.unlink()
    assert files.current().text == ""


def vim(path: Path, text: str) -> None:
    """Save as vim does with `backupcopy=no`: the old file becomes the backup, a new one is written."""
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    put(path, text)
    backup.unlink()


def emacs(path: Path, text: str) -> None:
    """Save as emacs does: an auto-save file comes and goes, the file itself is written in place."""
    auto = put(path.with_name(f"#{path.name}#"), text)
    put(path, text)
    auto.unlink()


def vscode(path: Path, text: str) -> None:
    """Truncate, then write in pieces, in place."""
    with path.open("w", encoding="utf-8") as file:
        for line in text.splitlines(keepends=True):
            file.write(line)
            file.flush()


def rename_over(path: Path, text: str) -> None:
    """Save as most others do: a temporary file is renamed over the old one."""
    put(path.with_name(".tmp"), text).replace(path)


def sed(path: Path, text: str) -> None:
    """Replace everything by `sed -i`, which renames its own file over ours."""
    subprocess.run(["sed", "-i", f"1s/.*/{text.strip()}/", str(path)], check=True)


EDITORS = [vim, emacs, vscode, rename_over, sed]


@pytest.mark.parametrize("save", EDITORS, ids=[editor.__name__ for editor in EDITORS])
async def test_m_06_three_saves_in_a_row_are_each_seen(proj: Path, home: Path, save: Editor) -> None:
    path = put(proj / "CODEAGENT.md", "rule zero\n")
    async with watched(proj, home) as seen:
        await seen.shows("rule zero")
        for number in range(3):
            save(path, f"rule {number + 1}\n")
            await seen.shows(f"rule {number + 1}")
        await seen.until(lambda: len(seen.told) >= 3)
        assert set(seen.told) == {"CODEAGENT.md changed (+1 -1 lines)"}


@pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed")
async def test_m_06_a_save_by_vim_itself_is_seen(proj: Path, home: Path) -> None:
    path = put(proj / "CODEAGENT.md", "rule zero\n")
    async with watched(proj, home) as seen:
        await seen.shows("rule zero")
        for number in range(2):
            script = ["-c", f"%s/rule .*/rule {number + 1}/", "-c", "wq"]
            await asyncio.to_thread(
                subprocess.run, ["vim", "-u", "NONE", "-es", *script, str(path)], check=False, timeout=20
            )
            await seen.shows(f"rule {number + 1}")


async def test_m_06_created_deleted_and_created_again_after_the_start(proj: Path, home: Path) -> None:
    async with watched(proj, home) as seen:
        put(proj / ".codeagent" / "CODEAGENT.md", "in a new folder\n@../docs/more.md\n")
        await seen.shows("in a new folder")
        put(proj / "docs" / "more.md", "an import that came later\n")
        await seen.shows("came later")
        shutil.rmtree(proj / ".codeagent")
        await seen.until(lambda: seen.files.memory.text == "")
        put(proj / ".codeagent" / "CODEAGENT.md", "here again\n")
        await seen.shows("here again")


async def test_m_06_a_burst_ends_in_the_last_state_and_few_notices(proj: Path, home: Path) -> None:
    path = put(proj / "CODEAGENT.md", "save 0\n")
    async with watched(proj, home) as seen:
        await seen.shows("save 0")
        for number in range(1, 51):
            rename_over(path, f"save {number}\n")
            await asyncio.sleep(0)
        await seen.shows("save 50")
        assert 1 <= len(seen.told) <= 10


async def test_m_06_the_target_of_a_link_is_watched(proj: Path, home: Path) -> None:
    target = put(proj / "docs" / "real.md", "first\n")
    (proj / "CODEAGENT.md").symlink_to(target)
    async with watched(proj, home) as seen:
        await seen.shows("first")
        rename_over(target, "second\n")
        await seen.shows("second")


async def test_what_another_process_allows_is_read_at_once(proj: Path, home: Path, tmp_path: Path) -> None:
    rules = put(tmp_path / "rules.md", "SHARED\n")
    put(proj / "CODEAGENT.md", f"top\n@{rules}\n")
    consents = ImportConsents(home / "import_consents.json", "id:one")
    files = ProjectContext(ProjectMemoryLoader(proj, home, consents=consents), proj)
    seen = Watched(files)
    files.start()
    await seen.shows("top")
    ImportConsents(home / "import_consents.json", "id:one").say(rules, Answer.ALLOWED)
    await seen.shows("SHARED")
    rename_over(rules, "SHARED AND CHANGED\n")
    await seen.shows("SHARED AND CHANGED")
    await files.aclose()


async def test_other_files_beside_them_are_not_read_into(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "rule\n")
    async with watched(proj, home) as seen:
        await seen.shows("rule")
        before = seen.files.memory
        put(proj / "other.md", "x")
        put(home / "prompt_history.jsonl", "x")
        put(proj / "CODEAGENT.md", "rule two\n")
        await seen.shows("rule two")
        assert seen.told == ["CODEAGENT.md changed (+1 -1 lines)"] and before.text != seen.files.memory.text
