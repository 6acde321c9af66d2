"""Long-term facts: on disk when saved, never lost, never revived, never a secret."""

from __future__ import annotations

import json
import os
import stat
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.fact_rules import normal_form
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreStatus


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "long_term_memory.json"


def contents(memory: LongTermMemory) -> list[str]:
    return [entry.content for entry in memory.entries()]


def test_a_saved_fact_is_on_disk_and_private(path: Path) -> None:
    result = LongTermMemory(path).store("提交信息用中文", Scope.GLOBAL)
    assert result.status is StoreStatus.SAVED and result.entry is not None
    assert contents(LongTermMemory(path)) == ["提交信息用中文"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_project_facts_are_seen_in_their_project_only(path: Path) -> None:
    memory = LongTermMemory(path)
    memory.store("everywhere", Scope.GLOBAL)
    memory.store("here", Scope.PROJECT, "p1")
    memory.store("there", Scope.PROJECT, "p2")
    assert [e.content for e in memory.entries("p1")] == ["everywhere", "here"]
    assert [e.content for e in memory.entries({"p1", "p2"})] == ["everywhere", "here", "there"]
    assert [e.content for e in memory.entries("p3")] == ["everywhere"]


SOUND = {"version": 1, "entries": [{"id": f"i{n}", "content": f"fact {n}", "scope": "global"} for n in range(10)]}


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (b"", 0),
        (json.dumps(SOUND).encode()[: int(len(json.dumps(SOUND)) * 0.6)], 5),
        (b"null", 0),
        (b'{"entries":[{"content":5}]}', 0),
        (json.dumps({"entries": [*SOUND["entries"], {"content": 5}]}).encode(), 10),  # type: ignore[misc]
        (json.dumps(SOUND).encode() + b"\x00garbage", 10),
        (b"\xff\xfe\x00", 0),
    ],
)
def test_l_01_a_damaged_file_is_set_aside_and_what_is_intact_is_kept(path: Path, data: bytes, kept: int) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    memory = LongTermMemory(path)
    assert len(contents(memory)) >= kept
    assert memory.store("prefer uv", Scope.GLOBAL).status is StoreStatus.SAVED
    [aside] = path.parent.glob("*.damaged-*")
    assert aside.read_bytes() == data
    assert aside.name in memory.notices[0]
    assert "prefer uv" in contents(LongTermMemory(path))


def test_l_01_unknown_fields_and_a_newer_version_survive(path: Path) -> None:
    path.parent.mkdir()
    held = {
        "version": 7,
        "new": {"a": 1},
        "entries": [{"id": "i", "content": "old", "scope": "global", "colour": "red"}],
    }
    path.write_text(json.dumps(held))
    memory = LongTermMemory(path)
    memory.store("prefer uv", Scope.GLOBAL)
    after = json.loads(path.read_text())
    assert after["version"] == 7 and after["new"] == {"a": 1} and after["entries"][0]["colour"] == "red"
    assert not list(path.parent.glob("*.damaged-*"))


def test_l_01_a_failed_write_says_not_saved_and_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = LongTermMemory(path)
    memory.store("first", Scope.GLOBAL)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = memory.store("second", Scope.GLOBAL)
    assert result.status is StoreStatus.FAILED and "Not saved" in result.message and "No space" in result.message
    assert path.read_bytes() == before and contents(memory) == ["first"]
    assert not list(path.parent.glob("*.tmp"))


def test_l_03_equal_facts_are_one_and_different_ones_are_not(path: Path) -> None:
    memory = LongTermMemory(path)
    base = "Café uses port 8080"
    assert memory.store(base, Scope.GLOBAL).status is StoreStatus.SAVED
    for same in (unicodedata.normalize("NFD", base), base + "\n", "Café  uses port 8080", f"  {base}  "):
        result = memory.store(same, Scope.GLOBAL)
        assert result.status is StoreStatus.KNOWN and result.entry is not None and result.entry.id in result.message
    for other in (
        "Café uses port \uff18\uff10\uff18\uff10",
        "café uses port 8080",
        "use tabs",
        "use tabs.",
        "use C",
        "use C++",
    ):
        assert memory.store(other, Scope.GLOBAL).status is StoreStatus.SAVED
    assert memory.store(base, Scope.PROJECT, "p").status is StoreStatus.SAVED


@pytest.mark.parametrize(
    "text",
    [
        "staging DB password is Tr0ub4dor-9x",
        "api key sk-test-0000000000000000000000",
        "Authorization: Bearer eyJhbGciOi.J9.x",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
        "https://bob:pw@git.example.test/r.git",
        "数据库密码是 hunter2abc",
    ],
)
def test_l_04_secrets_are_refused_with_an_explanation(path: Path, text: str) -> None:
    result = LongTermMemory(path).store(text, Scope.GLOBAL)
    assert result.status is StoreStatus.REFUSED and "Not saved" in result.message
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    [
        "we use bearer tokens",
        "the fix is 0123456789abcdef0123456789abcdef01234567",
        "password reset page is /reset",
        "the token is stored in the vault",
        "密码重置页面是 /reset",
    ],
)
def test_l_04_harmless_words_are_saved(path: Path, text: str) -> None:
    assert LongTermMemory(path).store(text, Scope.GLOBAL).status is StoreStatus.SAVED


def test_l_07_deleting_deletes(path: Path) -> None:
    memory = LongTermMemory(path)
    ids = {text: memory.store(text, Scope.GLOBAL).entry.id for text in "ABC"}  # type: ignore[union-attr]
    assert memory.delete(ids["B"])
    assert contents(memory) == ["A", "C"] == contents(LongTermMemory(path))
    assert not memory.delete(ids["B"]) and not memory.delete("unknown")


def test_l_07_two_processes_never_bring_each_others_facts_back(path: Path) -> None:
    first, second = LongTermMemory(path), LongTermMemory(path)
    b = first.store("B", Scope.GLOBAL).entry
    assert b is not None
    second.reload_if_changed()
    first.delete(b.id)
    second.store("D", Scope.GLOBAL)
    assert contents(second) == ["D"]
    assert first.reload_if_changed() and contents(first) == ["D"]
    assert not first.reload_if_changed()


def test_l_07_edits_by_hand_survive(path: Path) -> None:
    memory = LongTermMemory(path)
    memory.store("typo hre", Scope.GLOBAL)
    path.write_text(path.read_text().replace("hre", "here"))
    memory.store("E", Scope.GLOBAL)
    assert contents(memory) == ["typo here", "E"] == contents(LongTermMemory(path))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text(min_size=1, max_size=30), max_size=6))
def test_what_is_saved_comes_back_once(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    memory = LongTermMemory(tmp_path_factory.mktemp("m") / "f.json")
    saved = [r.entry for t in texts if (r := memory.store(t, Scope.GLOBAL)).status is StoreStatus.SAVED]
    again = LongTermMemory(memory.path).entries()
    assert list(again) == saved
    assert len({normal_form(entry.content) for entry in again}) == len(again)


def test_a_file_that_cannot_be_read_is_told_and_nothing_is_saved(path: Path) -> None:
    path.mkdir(parents=True)
    memory = LongTermMemory(path)
    assert memory.notices and memory.entries() == ()
    assert memory.store("x", Scope.GLOBAL).status is StoreStatus.FAILED
