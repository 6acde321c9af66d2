"""Facts that are edited, moved, deleted together, put back and taken over: by the rules, and whole on disk."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.fact_rules import normal_form
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreStatus


@pytest.fixture
def memory(tmp_path: Path) -> LongTermMemory:
    return LongTermMemory(tmp_path / "memory" / "long_term_memory.json")


def saved(memory: LongTermMemory, text: str, project: str | None = None) -> MemoryEntry:
    entry = memory.store(text, Scope.PROJECT if project else Scope.GLOBAL, project).entry
    assert entry is not None
    return entry


def on_disk(memory: LongTermMemory) -> list[MemoryEntry]:
    return list(LongTermMemory(memory.path).entries())


def held_by_hand(memory: LongTermMemory, **fields: object) -> None:
    """Give the only entry of the file fields that this version does not know."""
    held = json.loads(memory.path.read_text(encoding="utf-8"))
    held["entries"][0] |= fields
    memory.path.write_text(json.dumps(held), encoding="utf-8")


def test_an_edit_keeps_id_time_and_unknown_fields(memory: LongTermMemory) -> None:
    before = saved(memory, "the port is 8080")
    held_by_hand(memory, colour="red")
    result = memory.edit(before.id, " the port is 9090 \n")
    assert result.status is StoreStatus.SAVED and result.entry is not None
    [after] = on_disk(memory)
    assert after == result.entry == memory.get(before.id)
    assert (after.id, after.timestamp, after.content) == (before.id, before.timestamp, "the port is 9090")
    assert after.metadata == {"colour": "red"} and after.tokens == MemoryEntry(before.type, after.content).tokens


def test_an_edit_goes_by_the_rules_of_a_new_fact(memory: LongTermMemory) -> None:
    first, second = saved(memory, "use tabs"), saved(memory, "use spaces")
    assert memory.edit(second.id, "use  tabs").status is StoreStatus.KNOWN
    assert memory.edit(second.id, "password: Tr0ub4dor-9x").status is StoreStatus.REFUSED
    assert memory.edit(second.id, " ").status is StoreStatus.REFUSED
    assert memory.edit(second.id, "use spaces").status is StoreStatus.KNOWN
    assert memory.edit("no such id", "use uv").status is StoreStatus.GONE
    assert on_disk(memory) == [first, second]
    assert memory.edit(second.id, "use  spaces").status is StoreStatus.SAVED
    assert memory.store("use spaces", Scope.GLOBAL).status is StoreStatus.KNOWN
    assert memory.store("use tabs", Scope.GLOBAL).status is StoreStatus.KNOWN


def test_a_fact_moves_between_a_project_and_all(memory: LongTermMemory) -> None:
    fact = saved(memory, "deploy on fridays", "p1")
    assert memory.move(fact.id, Scope.GLOBAL).status is StoreStatus.SAVED
    assert [e.id for e in memory.entries("p2")] == [fact.id]
    assert memory.move(fact.id, Scope.PROJECT, "p2", folder="/w/p2").status is StoreStatus.SAVED
    assert memory.entries("p1") == () and [e.id for e in memory.entries("p2")] == [fact.id]
    [after] = on_disk(memory)
    assert after.timestamp == fact.timestamp and after.metadata == {"folder": "/w/p2"}
    saved(memory, "deploy on fridays")
    assert memory.move(fact.id, Scope.GLOBAL).status is StoreStatus.KNOWN
    assert memory.move("no such id", Scope.GLOBAL).status is StoreStatus.GONE
    assert memory.move(fact.id, Scope.PROJECT).status is StoreStatus.REFUSED


def test_l_07_many_are_forgotten_in_one_write_and_put_back_as_they_were(memory: LongTermMemory) -> None:
    facts = [saved(memory, f"fact {number}") for number in range(5)]
    held_by_hand(memory, colour="red")
    memory.reload_if_changed()
    before = on_disk(memory)
    gone = memory.delete_many([facts[0].id, facts[3].id, "no such id"])
    assert [e.id for e in gone] == [facts[0].id, facts[3].id]
    assert [e.id for e in on_disk(memory)] == [facts[n].id for n in (1, 2, 4)]
    assert memory.delete_many([facts[0].id]) == []
    assert memory.restore(gone) == 2 and memory.restore(gone) == 0
    assert on_disk(memory) == before == list(memory.entries())
    assert before[0].metadata == {"colour": "red"}


def test_what_was_saved_again_meanwhile_is_not_put_back_twice(memory: LongTermMemory) -> None:
    gone = memory.delete_many([saved(memory, "use tabs").id])
    again = saved(memory, "use tabs")
    assert memory.restore(gone) == 0 and on_disk(memory) == [again]


def test_a_project_that_moved_takes_its_facts_along(memory: LongTermMemory) -> None:
    moved, known = saved(memory, "use tabs", "path:/old"), saved(memory, "use uv", "path:/old")
    own, other = saved(memory, "use uv", "path:/new"), saved(memory, "use nix", "path:/other")
    assert memory.reassign("path:/old", "path:/new", folder="/new") == 2
    assert on_disk(memory) == [replace(moved, project="path:/new", metadata={"folder": "/new"}), own, other]
    assert memory.get(known.id) is None
    assert memory.reassign("path:/old", "path:/new") == 0


def test_l_01_a_change_that_cannot_be_written_changes_nothing(
    memory: LongTermMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact, gone = saved(memory, "one"), saved(memory, "two")
    memory.delete(gone.id)
    before = memory.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for result in (memory.edit(fact.id, "three"), memory.move(fact.id, Scope.PROJECT, "p")):
        assert result.status is StoreStatus.FAILED and "Not saved: No space left" in result.message
    with pytest.raises(OSError, match="Not forgotten: No space left"):
        memory.delete_many([fact.id])
    with pytest.raises(OSError, match="Not restored: No space left"):
        memory.restore([gone])
    assert memory.path.read_bytes() == before and list(memory.entries()) == [fact] == on_disk(memory)


ACTS = st.lists(
    st.tuples(st.sampled_from(["store", "edit", "move", "delete", "undo"]), st.integers(0, 9), st.booleans()),
    max_size=25,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ACTS)
def test_two_views_of_one_file_agree_after_any_acts(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int, bool]]
) -> None:
    """What is on disk is what each process sees; one fact a form and scope; each id once; nothing comes back."""
    path = tmp_path_factory.mktemp("m") / "f.json"
    views = (LongTermMemory(path), LongTermMemory(path))
    last: list[MemoryEntry] = []
    for act, number, second in acts:
        memory, entries = views[second], views[not second].entries()
        chosen = entries[number % len(entries)].id if entries else "none"
        match act:
            case "store":
                memory.store(f"fact {number}", Scope.PROJECT if second else Scope.GLOBAL, "p")
            case "edit":
                memory.edit(chosen, f"fact {number}")
            case "move":
                memory.move(chosen, Scope.GLOBAL if second else Scope.PROJECT, "p")
            case "delete":
                last = memory.delete_many([chosen]) or last
                assert memory.get(chosen) is None
            case "undo":
                memory.restore(last)
        for view in views:
            view.reload_if_changed()
        assert views[0].entries() == views[1].entries() == LongTermMemory(path).entries()
    held = views[0].entries()
    assert len({(e.scope, e.project, normal_form(e.content)) for e in held}) == len({e.id for e in held}) == len(held)
