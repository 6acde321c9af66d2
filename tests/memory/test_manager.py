"""The façade: scopes and identity, the two ways in, compression in the background."""

from __future__ import annotations

import ast
import asyncio
import subprocess
from pathlib import Path

import pytest

import codeagent_tui
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.messages import assistant, tool_result, user
from codeagent_tui.memory.entry import MemoryType, Scope
from codeagent_tui.memory.facts_prompt import extract_facts
from codeagent_tui.memory.long_term_memory import StoreStatus
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.memory.project_identity import identify
from codeagent_tui.paths import Paths
from codeagent_tui.settings import RankerName
from tests.support.models import ScriptedModel, says


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "home")


def manager(paths: Paths, folder: Path, window: int = 128_000, model: ScriptedModel | None = None) -> MemoryManager:
    folder.mkdir(parents=True, exist_ok=True)
    return MemoryManager(paths, folder, ContextProfile.for_window(window), model)


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], cwd=folder, check=True, capture_output=True
    )


async def test_l_06_a_projects_facts_are_found_by_every_way_to_it(paths: Paths, tmp_path: Path) -> None:
    app = tmp_path / "w" / "app"
    (app / "src").mkdir(parents=True)
    git(app, "init", "-q")
    git(app, "commit", "-q", "--allow-empty", "-m", "x")
    (tmp_path / "link").symlink_to(app)
    git(app, "worktree", "add", "-q", "../app-fix")
    saved = await manager(paths, app).save_fact("deploy on fridays", scope=Scope.PROJECT, source="command")
    assert saved.status is StoreStatus.SAVED
    for place in (app, app / "src", tmp_path / "link", tmp_path / "w" / "app-fix"):
        assert [f.content for f in manager(paths, place).facts()] == ["deploy on fridays"], place
    app.rename(tmp_path / "w" / "app2")
    assert [f.content for f in manager(paths, tmp_path / "w" / "app2").facts()] == ["deploy on fridays"]
    assert manager(paths, tmp_path / "other" / "app").facts() == []


async def test_l_06_facts_from_before_git_init_are_still_found(paths: Paths, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    await manager(paths, folder).save_fact("use tabs", scope=Scope.PROJECT, source="command")
    git(folder, "init", "-q")
    assert [f.content for f in manager(paths, folder).facts()] == ["use tabs"]
    assert identify(folder).names >= {f"path:{folder}"}


async def test_the_section_for_a_question(paths: Paths, tmp_path: Path) -> None:
    memory = manager(paths, tmp_path / "p")
    await memory.save_fact("the port is 8080", scope=Scope.GLOBAL, source="tool")
    assert "the port is 8080" in memory.long_term_section("which port?")
    assert memory.long_term_section("unrelated words") == ""


async def test_recalls_are_counted_once_a_message_and_explained(paths: Paths, tmp_path: Path) -> None:
    memory = manager(paths, tmp_path / "p", window=8_192)
    for text in ("the port is 8080", "the port of the proxy is " + "far away " * 30):
        await memory.save_fact(text, scope=Scope.GLOBAL, source="command")
    memory.long_term_section("which port?")
    assert dict(memory.recalls) == {}
    memory.count_recall()
    chosen = memory.explain_injection("which port?")
    assert sorted(one.injected for one in chosen) == [False, True]
    assert dict(memory.recalls) == {one.scored.entry.id: 1 for one in chosen if one.injected}
    memory.forget_recalls()
    assert dict(memory.recalls) == {}


async def test_facts_of_all_projects_can_be_looked_at(paths: Paths, tmp_path: Path) -> None:
    for name in ("one", "two"):
        await manager(paths, tmp_path / name).save_fact(f"of {name}", scope=Scope.PROJECT, source="command")
    memory = manager(paths, tmp_path / "one")
    assert [fact.content for fact in memory.facts()] == ["of one"]
    assert [fact.content for fact in memory.every_fact()] == ["of two", "of one"]


async def test_short_term_and_long_term_are_recalled_together_best_first(paths: Paths, tmp_path: Path) -> None:
    memory = manager(paths, tmp_path / "p")
    await memory.save_fact("the port is 8080", scope=Scope.GLOBAL, source="tool")
    for number in range(12):
        memory.record(user(f"port of host {number}"))
    found = memory.recall("the port")
    assert len(found) == 10 and found[0].entry.content == "the port is 8080"
    assert [one.entry.content for one in found[1:]] == [f"port of host {number}" for number in range(11, 2, -1)]


async def test_the_ranker_may_be_another(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    memory = MemoryManager(paths, tmp_path / "p", ContextProfile.for_window(128_000), ranker=RankerName.WEIGHTED)
    await memory.save_fact("deployments need two approvals", scope=Scope.GLOBAL, source="tool")
    await memory.warm()
    [found] = memory.recalled("what do I need when I am deploying?")
    assert found.match == 1.0 and "two approvals" in memory.long_term_section("which approval?")


async def test_forgetting_asks_when_it_is_not_clear(paths: Paths, tmp_path: Path) -> None:
    memory = manager(paths, tmp_path / "p")
    for text in ("A", "B"):
        await memory.save_fact(text, scope=Scope.GLOBAL, source="command")
    assert await memory.forget("nothing like it") == []
    assert [e.content for e in await memory.forget("A")] == ["A"]
    assert [f.content for f in memory.facts()] == ["B"]
    await memory.save_fact("B", scope=Scope.PROJECT, source="command")
    assert len(await memory.forget("B")) == 2
    assert len(memory.facts()) == 2


async def test_messages_are_recorded_and_found_again(paths: Paths, tmp_path: Path) -> None:
    memory = manager(paths, tmp_path / "p")
    memory.record(user("fix the parser"))
    memory.record(assistant("the parser is fixed"))
    memory.record(tool_result("c", "x" * 900))
    assert [e.type for e in memory.short_term.entries] == [
        MemoryType.USER,
        MemoryType.ASSISTANT,
        MemoryType.TOOL_RESULT,
    ]
    assert len(memory.short_term.entries[2].content) <= 500
    assert {f.entry.content for f in memory.recall("parser")} == {"fix the parser", "the parser is fixed"}


async def test_compression_runs_in_the_background_at_the_trigger(paths: Paths, tmp_path: Path) -> None:
    model = ScriptedModel(says("a short summary"))
    memory = manager(paths, tmp_path / "p", window=4_096, model=model)
    done = asyncio.Event()
    memory.on_compression = lambda result: done.set() if result.applied else None
    for number in range(8):
        memory.record(user(f"message {number} " + "word " * 180))
    async with asyncio.timeout(5):
        await done.wait()
    assert memory.short_term.entries[0].type is MemoryType.SUMMARY
    await memory.aclose()


async def test_closing_stops_a_compression_and_keeps_everything(paths: Paths, tmp_path: Path) -> None:
    memory = manager(paths, tmp_path / "p", window=4_096, model=ScriptedModel([asyncio.Event()]))
    for number in range(8):
        memory.record(user(f"message {number} " + "word " * 180))
    await asyncio.sleep(0)
    await memory.aclose()
    assert len(memory.short_term.entries) + len(memory.short_term.pending) == 8


async def test_a_small_window_bounds_project_memory(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "CODEAGENT.md").write_text("规" * 24_000)
    assert len(manager(paths, tmp_path / "p", window=8_192).project_context().text) < 2_700
    assert len(manager(paths, tmp_path / "p", window=200_000).project_context().text) >= 23_900


def test_extract_facts_exists_and_nothing_calls_it() -> None:
    system, request = extract_facts("user: I like tabs")
    assert "lasting facts" in system and "I like tabs" in request
    callers = []
    for path in Path(codeagent_tui.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)] + [
            alias.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for alias in n.names
        ]
        callers += [str(path)] if "extract_facts" in names else []
    assert callers == []


def test_only_two_ways_lead_into_long_term_memory() -> None:
    """A fact comes from the tool or from the user's own hand on the screen, and through one door into the store."""
    root = Path(codeagent_tui.__file__).parent
    doors: dict[str, set[str]] = {"save_fact": set(), "save": set(), "store": set(), "record_of": set()}
    for path in root.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func).replace("self.", "").replace("context.facts", "facts")
            place = path.relative_to(root).as_posix()
            if name.endswith(".save_fact"):
                doors["save_fact"].add(place)
            elif name.endswith("long_term.store") or name == "record_of":
                doors[name.rpartition(".")[2]].add(place)
            elif name in {"_facts.save", "facts.save"}:
                doors["save"].add(place)
    assert doors["save_fact"] - {"tui/inspector/facts.py"} == {
        "agent/fact_saver.py",  # the save_memory tool's way to the façade
        "tools/save_memory.py",
        "tui/acts/memory.py",  # /save
    }
    assert doors["save"] <= {"memory/manager.py"} and doors["store"] == {"memory/project_facts.py"}
    assert doors["record_of"] == {"memory/long_term_memory.py"}
