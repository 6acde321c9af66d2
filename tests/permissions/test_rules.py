"""What the user allowed: X-03, and the file it is kept in."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from codeagent_tui.conversation.events import Decision, ToolKind
from codeagent_tui.permissions.rules import Rule, RuleStore
from tests.support.permissions import ScratchGate, Touch

COMMANDS = [
    ("git fetch --dry-run", ["git fetch", "git branch -D main", "git push --force"]),
    ("rm build/tmp.txt", ["rm -rf build", "rm build/tmp.txt x", "rm build"]),
    ("python3 x.py", ['python3 -c "import os"', "python3", "python3 x.py y"]),
    ("npm test", ["npm publish", "npm test -- --watch", "npm"]),
    ("bash run.sh", ["bash -c id", "bash"]),
    ("sudo make install", ["sudo id", "make install"]),
    ("env A=1 make", ["env A=1 id", "env"]),
    ("xargs echo", ["xargs id"]),
]


@pytest.mark.parametrize(("shown", "others"), COMMANDS)
def test_x_03_always_means_exactly_the_command_that_was_shown(
    scratch: ScratchGate, shown: str, others: list[str]
) -> None:
    scratch.allow_command(shown)
    assert scratch.command(shown).outcome == "allow"
    assert scratch.command(shown, folder="src").outcome == "ask"
    assert all(scratch.command(other).outcome == "ask" for other in others)
    again = scratch.restart()
    assert again.command(shown).outcome == "allow"
    assert all(again.command(other).outcome == "ask" for other in others)
    elsewhere = scratch.restart("other")
    assert all(elsewhere.command(other).outcome == "ask" for other in [shown, *others])


def test_x_03_a_file_is_that_file_for_that_tool(scratch: ScratchGate) -> None:
    scratch.allow_write("src/a.py")
    assert scratch.write("src/a.py").outcome == "allow"
    assert scratch.write("./src/../src/a.py").outcome == "allow"
    for other in ("src/b.py", "src/../../b", "src/a.py.bak", "src"):
        assert scratch.write(other).outcome == "ask"
    assert scratch.write("src/a.py", tool="edit_file").outcome == "ask"
    assert scratch.restart().write("src/a.py").outcome == "allow"
    assert scratch.restart("other").write("../proj/src/a.py").outcome == "ask"


def test_x_03_an_address_is_that_address(scratch: ScratchGate) -> None:
    scratch.allow_fetch("https://docs.example.test/a")
    assert scratch.fetch("https://docs.example.test/a").outcome == "allow"
    for other in (
        "https://docs.example.test.evil.test/",
        "https://docs.example.test/a/b",
        "https://docs.example.test/",
        "http://docs.example.test/a",
        "https://docs.example.test/a?x=1",
        "https://docs.example.test@evil.test/a",
    ):
        assert scratch.fetch(other).outcome == "ask"


def test_x_03_a_session_is_this_process(scratch: ScratchGate) -> None:
    scratch.allow_command("make", Decision.SESSION)
    assert scratch.command("make").outcome == "allow"
    assert scratch.restart().command("make").outcome == "ask"
    assert not scratch.store.exists()


def test_x_03_what_only_looks_needs_no_rule_and_opens_nothing(scratch: ScratchGate) -> None:
    scratch.allow_command("git branch --show-current")
    assert scratch.gate.rules() == []
    assert scratch.command("git push --force").outcome == "ask"


@pytest.mark.parametrize("decision", [Decision.ONCE, Decision.NO])
def test_once_and_no_store_nothing(scratch: ScratchGate, decision: Decision) -> None:
    scratch.allow_command("make", decision)
    assert scratch.command("make").outcome == "ask"
    assert scratch.gate.rules() == []


def test_x_03_the_rule_is_shown_before_it_is_stored(scratch: ScratchGate) -> None:
    verdict = scratch.command("make test", folder="src")
    assert verdict.rule == f"exactly this command, run in {scratch.root}/src: make test"
    scratch.allow_command("make")
    assert [rule.words for rule in scratch.gate.rules()] == [f"exactly this command, run in {scratch.root}: make"]
    assert str(scratch.root / "a.py") in scratch.write("a.py").rule
    assert "https://x.test/a" in scratch.fetch("https://x.test/a").rule


def test_x_03_rules_are_listed_with_their_lifetime_and_can_be_taken_back(scratch: ScratchGate) -> None:
    scratch.allow_command("make one", Decision.SESSION)
    scratch.allow_command("make two")
    assert [(r.command, r.lifetime) for r in scratch.gate.rules()] == [
        ("make one", "this session"),
        ("make two", "always"),
    ]
    for rule in scratch.gate.rules():
        assert scratch.gate.forget(rule.id)
    assert not scratch.gate.forget("no such rule")
    assert scratch.gate.rules() == [] and scratch.command("make two").outcome == "ask"
    assert scratch.restart().gate.rules() == []


def test_a_rule_taken_back_in_another_window_counts_no_more(scratch: ScratchGate) -> None:
    scratch.allow_command("make")
    other = scratch.restart()
    assert other.gate.forget(other.gate.rules()[0].id)
    assert scratch.command("make").outcome == "ask"


def test_the_same_rule_is_kept_once(scratch: ScratchGate) -> None:
    scratch.allow_command("make")
    scratch.allow_command("make")
    assert len(scratch.gate.rules()) == 1


def test_a_session_rule_can_become_a_lasting_one(scratch: ScratchGate) -> None:
    store = RuleStore(scratch.store)
    store.add(Rule("t", "/w", lasting=False, command="make"))
    store.add(Rule("t", "/w", lasting=True, command="make"))
    assert [rule.lasting for rule in RuleStore(scratch.store).all()] == [True]


def test_the_file_is_private(scratch: ScratchGate) -> None:
    scratch.allow_command("make")
    assert stat.S_IMODE(scratch.store.stat().st_mode) == 0o600
    assert stat.S_IMODE(scratch.store.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "content",
    [
        *("{broken", "", "[]", "null", '{"version": 1}', '{"version": 2, "rules": []}', '{"version": 1, "rules": [1]}'),
        '{"version": 1, "rules": [{"tool": "run_command", "command": "make"}]}',
        "[" * 100_000,
        '{"version": 1, "rules": [{"tool": 1, "workspace": "", "command": "", "url": "", "id": "", "paths": []}]}',
    ],
)
def test_a_damaged_file_allows_nothing_says_so_and_is_kept(scratch: ScratchGate, content: str) -> None:
    scratch.store.parent.mkdir()
    scratch.store.write_text(content)
    assert scratch.command("make").outcome == "ask"
    assert str(scratch.store) in scratch.gate.notice
    scratch.allow_command("make")
    assert scratch.command("make").outcome == "allow"
    assert scratch.gate.notice == ""
    assert [p.read_text() for p in scratch.store.parent.glob("*.damaged-*")] == [content]


def test_a_file_that_cannot_be_written_leaves_a_session_rule(scratch: ScratchGate) -> None:
    scratch.store.parent.touch()  # a file stands where the folder should be
    wanted = Touch(ToolKind.EXECUTE, (scratch.root,), "make")
    said = scratch.gate.remember("run_command", wanted, Decision.ALWAYS)
    assert "this session" in said
    assert scratch.command("make").outcome == "allow"
    assert scratch.restart().command("make").outcome == "ask"


def test_names_that_are_no_utf_8_come_back_as_they_were(scratch: ScratchGate) -> None:
    path = scratch.root / os.fsdecode(b"caf\xe9.txt")
    scratch.gate.remember("write_file", Touch(ToolKind.WRITE, (path,)), Decision.ALWAYS)
    [rule] = scratch.restart().gate.rules()
    assert rule.paths == (str(path),)
    json.loads(scratch.store.read_bytes())


def test_rules_added_side_by_side_are_all_kept(scratch: ScratchGate) -> None:
    def add(number: int) -> None:
        RuleStore(scratch.store).add(Rule("run_command", "/w", lasting=True, command=f"make {number}"))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(12)))
    assert sorted(r.command for r in RuleStore(scratch.store).all()) == sorted(f"make {n}" for n in range(12))
