"""Rewinds and forks of a whole session: conversation and files go back together or apart, and can come again."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codeagent_tui.agent.agent import AgentBusy
from codeagent_tui.agent.session import Session, open_session
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.rewind import FileAction
from codeagent_tui.sessions.rewinding import RewindConflict
from codeagent_tui.sessions.store import Place, SessionError, all_sessions
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.models import ScriptedModel, calls, says
from tests.support.sessions import collect, scratch_session


def write(path: str, content: str) -> tuple[str, dict[str, object]]:
    return ("write_file", {"path": path, "content": content})


def edit(path: str, old: str, new: str) -> tuple[str, dict[str, object]]:
    return ("edit_file", {"path": path, "old_text": old, "new_text": new})


def run(command: str) -> tuple[str, dict[str, object]]:
    return ("run_command", {"command": command})


async def worked(tmp_path: Path, *turns: list[tuple[str, dict[str, object]]]) -> Session:
    """Return a session with one turn for each list of calls, named `turn 0`, `turn 1` …"""
    answers = [answer for wanted in turns for answer in (*(calls(call) for call in wanted), says("done"))]
    session = await scratch_session(
        tmp_path,
        ScriptedModel(*answers, says("more")),
        settings=Settings(discover=False, mode=PermissionMode.UNATTENDED),
    )
    for number in range(len(turns)):
        await collect(session.agent.run(f"turn {number}"))
    return session


def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir(exist_ok=True)
    return tmp_path / "work"


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", str(folder), *words],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


async def test_conversation_and_files_go_back_together_and_come_again(tmp_path: Path) -> None:
    folder = work(tmp_path)
    session = await worked(
        tmp_path,
        [write("a.txt", "one\n")],
        [edit("a.txt", "one", "two"), write("new/deep/b.txt", "b\n")],
    )
    live = session.agent.history.messages
    assert [(t.text, t.files, t.compacted) for t in await session.turns()] == [
        ("turn 0", 1, False),
        ("turn 1", 2, False),
    ]
    plan = await session.rewind_plan(1)
    assert {c.shown: c.action for c in plan.files} == {
        "a.txt": FileAction.RESTORE,
        "new/deep/b.txt": FileAction.DELETE,
    }
    assert "-two\n+one\n" in plan.files[0].diff and plan.commands == () and plan.messages == 6
    result = await session.rewind(plan)
    assert result.text == "turn 1" and result.restored == ("a.txt",) and result.deleted == ("new/deep/b.txt",)
    assert (folder / "a.txt").read_text() == "one\n" and not (folder / "new").exists()
    assert [m.content for m in session.agent.history.messages if m.starts_turn] == ["turn 0"]
    undo = await session.undo_rewind_plan()
    assert undo is not None
    await session.rewind(undo)
    assert (folder / "a.txt").read_text() == "two\n" and (folder / "new/deep/b.txt").read_text() == "b\n"
    assert session.agent.history.messages == live
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(), resume="")
    assert resumed.agent.history.messages == live and resumed.notices == ()
    await resumed.aclose()


async def test_files_alone_go_back_and_the_model_is_told(tmp_path: Path) -> None:
    folder = work(tmp_path)
    session = await worked(tmp_path, [write("a.txt", "one\n")], [edit("a.txt", "one", "two")])
    await session.rewind(await session.rewind_plan(1), "files")
    assert (folder / "a.txt").read_text() == "one\n"
    said = [m.content for m in session.agent.history.messages if m.starts_turn]
    assert said[:2] == ["turn 0", "turn 1"] and "a.txt" in said[2]
    await session.aclose()


async def test_the_conversation_alone_goes_back_and_files_stay(tmp_path: Path) -> None:
    folder = work(tmp_path)
    session = await worked(tmp_path, [write("a.txt", "one\n")], [edit("a.txt", "one", "two")])
    result = await session.rewind(await session.rewind_plan(0), "conversation")
    assert session.agent.history.messages == () and result.text == "turn 0"
    assert (folder / "a.txt").read_text() == "two\n"
    await collect(session.agent.run("another way"))
    assert [t.text for t in await session.turns()] == ["another way"]
    await session.aclose()


async def test_what_the_user_changed_since_is_not_trampled_unless_told_to(tmp_path: Path) -> None:
    folder = work(tmp_path)
    session = await worked(tmp_path, [write("a.txt", "one\n"), write("b.txt", "b\n")])
    (folder / "a.txt").write_text("mine\n")
    plan = await session.rewind_plan(0)
    assert [c.shown for c in plan.conflicts] == ["a.txt"]
    with pytest.raises(RewindConflict, match=r"a\.txt"):
        await session.rewind(plan)
    assert (folder / "b.txt").exists() and len(session.agent.history.messages) == 6
    result = await session.rewind(plan, "files", on_conflict="keep")
    assert result.kept == ("a.txt",) and (folder / "a.txt").read_text() == "mine\n"
    assert not (folder / "b.txt").exists()
    result = await session.rewind(await session.rewind_plan(0), "files", on_conflict="overwrite")
    assert not (folder / "a.txt").exists()
    undo = await session.undo_rewind_plan()
    assert undo is not None
    await session.rewind(undo, "files")
    assert (folder / "a.txt").read_text() == "mine\n"
    await session.aclose()


async def test_a_change_of_the_users_between_two_of_the_agents_is_a_conflict_too(tmp_path: Path) -> None:
    folder = work(tmp_path)
    session = await worked(tmp_path, [write("a.txt", "one\n")])
    (folder / "a.txt").write_text("one\nmine\n")
    session.agent.use_model(
        ScriptedModel(calls(("read_file", {"path": "a.txt"})), calls(edit("a.txt", "one", "two")), says("done"))
    )
    await collect(session.agent.run("turn 1"))
    assert (await session.rewind_plan(1)).conflicts == ()
    assert [c.shown for c in (await session.rewind_plan(0)).conflicts] == ["a.txt"]
    await session.rewind(await session.rewind_plan(1))
    assert (folder / "a.txt").read_text() == "one\nmine\n"
    await session.aclose()


async def test_in_a_repository_what_commands_did_goes_back_too(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git(folder, "init", "-q")
    files = {
        "kept.txt": b"kept\n",
        "gone.txt": b"gone\r\nwith\r\n",
        "old.bin": bytes(range(256)),
        "run.sh": b"#!/bin/sh\n",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    (folder / "loose.txt").write_text("untracked\n")
    (folder / "kept.txt").write_text("changed by the user\n")
    modes = {name: (folder / name).stat().st_mode for name in files}
    session = await worked(
        tmp_path,
        [
            run("rm gone.txt && mv old.bin new.bin && chmod +x run.sh && echo more >> loose.txt && echo x > made.txt"),
            run("sed -i s/changed/spoilt/ kept.txt && rm loose.txt && mkdir -p a/b && echo x > a/b/c.txt"),
        ],
    )
    plan = await session.rewind_plan(0)
    assert {c.shown: c.action.value for c in plan.files} == {
        "gone.txt": "recreate",
        "old.bin": "recreate",
        "new.bin": "delete",
        "run.sh": "restore",
        "loose.txt": "recreate",
        "made.txt": "delete",
        "a/b/c.txt": "delete",
        "kept.txt": "restore",
    }
    assert len(plan.commands) == 2 and "2 command(s)" in plan.notes[0] and plan.untouched == ()
    result = await session.rewind(plan)
    assert result.failed == () and result.kept == ()
    assert not (folder / "a").exists()
    assert {name: (folder / name).stat().st_mode for name in files} == modes
    assert (folder / "loose.txt").read_text() == "untracked\n"
    assert (folder / "kept.txt").read_text() == "changed by the user\n"
    assert all((folder / name).read_bytes() == data for name, data in files.items() if name != "kept.txt")
    assert sorted(git(folder, "status", "--porcelain").split("\n")) == ["", " M kept.txt", "?? loose.txt"]
    await session.aclose()


async def test_without_a_repository_what_commands_did_to_other_files_is_named(tmp_path: Path) -> None:
    work(tmp_path)
    session = await worked(
        tmp_path, [write("a.txt", "one\n"), run("echo more >> a.txt; echo x > made.txt; echo y > b.txt")]
    )
    plan = await session.rewind_plan(0)
    assert {c.shown: c.action for c in plan.files} == {"a.txt": FileAction.DELETE}
    assert plan.untouched == ("b.txt", "made.txt")
    assert plan.commands == ("echo more >> a.txt; echo x > made.txt; echo y > b.txt",)
    await session.aclose()


async def test_a_fork_begins_before_the_turn_and_the_old_session_stays(tmp_path: Path) -> None:
    folder = work(tmp_path)
    session = await worked(tmp_path, [write("a.txt", "one\n")], [edit("a.txt", "one", "two")])
    old = session.log
    before = old.path.read_bytes()
    await session.fork(1)
    assert session.log.session_id != old.session_id and old.path.read_bytes().startswith(before)
    assert [m.content for m in session.agent.history.messages if m.starts_turn] == ["turn 0"]
    await collect(session.agent.run("another way"))
    await session.aclose()
    summary = session.store.find(session.log.session_id)
    assert summary.parent == old.session_id and summary.turns == 2
    assert [m.content for m in session.store.conversation(session.store.find(old.session_id)) if m.starts_turn] == [
        "turn 0",
        "turn 1",
    ]
    resumed = await scratch_session(tmp_path, ScriptedModel(), resume=session.log.session_id)
    plan = await resumed.rewind_plan(0)
    assert [c.shown for c in plan.conflicts] == ["a.txt"]
    await resumed.rewind(plan, on_conflict="overwrite")
    assert not (folder / "a.txt").exists()
    await resumed.aclose()


async def test_nothing_goes_back_while_the_agent_works(tmp_path: Path) -> None:
    session = await worked(tmp_path, [write("a.txt", "one\n")])
    plan = await session.rewind_plan(0)
    events = session.agent.run("go on")
    await anext(events)
    with pytest.raises(AgentBusy):
        await session.rewind(plan)
    with pytest.raises(AgentBusy):
        await session.fork()
    await session.aclose()


async def test_s_05_a_session_of_a_folder_that_is_gone_goes_on_here_only_as_a_copy(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    paths = Paths(tmp_path / "home")
    first = await open_session(Settings(discover=False), paths, tmp_path / "gone", model=ScriptedModel(says("one")))
    await collect(first.agent.run("hi"))
    await first.aclose()
    (tmp_path / "gone").rmdir()
    recorded = first.log.path.read_bytes()
    session = await scratch_session(tmp_path, ScriptedModel(says("two"), says("three")))
    await collect(session.agent.run("something else"))
    held = session.agent.history.messages
    with pytest.raises(SessionError, match="cannot be entered any more"):
        session.resume(first.log.session_id)
    assert session.agent.history.messages == held
    [summary] = [s for s in all_sessions(paths.history) if s.session_id == first.log.session_id]
    assert session.store.place_of(summary) is Place.GONE
    assert [m.content for m in session.store.conversation(summary)] == ["hi", "one"]
    await session.resume_here(summary)
    await collect(session.agent.run("and now?"))
    assert [m.content for m in session.agent.history.messages] == ["hi", "one", "and now?", "three"]
    system = session.agent.core.request().system
    assert str(tmp_path / "work") in system and str(tmp_path / "gone") not in system
    assert session.agent.core.context.workspace.root == tmp_path / "work"
    await session.aclose()
    assert first.log.path.read_bytes() == recorded
    copy = session.store.find(session.log.session_id)
    assert copy.cwd == str(tmp_path / "work") and copy.parent == first.log.session_id


async def test_resuming_the_session_that_is_open_changes_nothing(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("one")))
    await collect(session.agent.run("hi"))
    log = session.log
    assert "open" in session.resume("")[0] and session.log is log
    await session.aclose()


async def test_a_rewind_to_words_that_were_compacted_brings_the_whole_history_before_them_back(tmp_path: Path) -> None:
    session = await scratch_session(tmp_path, ScriptedModel(says("ok " * 300)))
    befores = []
    for number in range(6):
        befores.append(session.agent.history.messages)
        await collect(session.agent.run(f"turn {number} " + "word " * 300))
    live = session.agent.history.messages
    summary = "The user asked long questions one after the other, and each of them was answered."
    session.agent.use_model(ScriptedModel(says(summary)))
    await collect(session.agent.compact())
    assert len(session.agent.history.messages) < len(live)
    compacted = session.agent.history.messages
    assert [t.compacted for t in await session.turns()] == [True] * 3 + [False] * 3
    await session.rewind(await session.rewind_plan(2))
    assert session.agent.history.messages == befores[2] and [c.restored for c in session.agent.compactions] == [True]
    undo = await session.undo_rewind_plan()
    assert undo is not None
    await session.rewind(undo)
    assert session.agent.history.messages == compacted and [c.restored for c in session.agent.compactions] == [False]
    await session.aclose()
    resumed = await scratch_session(tmp_path, ScriptedModel(), resume="")
    assert resumed.agent.history.messages == compacted
    await resumed.aclose()
