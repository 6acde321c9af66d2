"""The file of facts under processes that are killed at any step of a change, and under many that change it at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from codeagent_tui.memory.fact_disk import FactDisk
from codeagent_tui.memory.long_term_memory import LongTermMemory

ROOT = Path(__file__).parents[2]
OLD = ["global: one", "global: two", "global: three"]
AFTER = {
    "store": (OLD, [*OLD, "global: four"]),
    "edit": (OLD, ["global: uno", *OLD[1:]]),
    "move": (OLD, ["project: one", *OLD[1:]]),
    "delete": (OLD, OLD[2:]),
    "restore": (OLD[:2], OLD),
}


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_l_01_a_kill_at_any_step_of_a_change_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    """Whole in either case, the lock free at once, and what lay half written neither read nor left for good."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed_store", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2_000:]
    steps: dict[str, list[list[str]]] = defaultdict(list)
    for line in done.stdout.splitlines():
        report = json.loads(line)
        before, after = AFTER[report["act"]]
        assert report["after"] in (before, after), report
        assert report["killed"] or (report["done"] and report["after"] == after), report
        assert report["later"] == "saved" and report["at_the_end"] == [*report["after"], "global: later"], report
        assert report["left"] == [] and report["modes"] == ["0o600"], report
        steps[report["act"]].append(report["after"])
    assert steps.keys() == AFTER.keys()
    for act, seen in steps.items():
        # There is one step before which all is old, and from which on all is new.
        turn = seen.index(AFTER[act][1])
        assert turn >= 8 and all(state == AFTER[act][0] for state in seen[:turn]), act
        assert all(state == AFTER[act][1] for state in seen[turn:]), act


WORKER = """
import os, random, sys
from pathlib import Path
os.fsync = lambda fd: None  # what it makes sure of is not looked at here, and the disk would take the time
from codeagent_tui.memory.long_term_memory import LongTermMemory
worker, saves = int(sys.argv[2]), int(sys.argv[3])
memory, chance, mine = LongTermMemory(Path(sys.argv[1])), random.Random(worker), []
for number in range(saves):
    mine.append(memory.store(f"fact {worker}.{number}", "global").entry)
    if chance.random() < 0.4:
        gone = mine.pop(chance.randrange(len(mine)))
        assert memory.delete(gone.id)
print(*(entry.content for entry in mine), sep="\\n")
"""


def test_l_07_eight_processes_lose_nothing_and_revive_nothing(tmp_path: Path) -> None:
    """200 saves each, and a delete for every third of them; each process knows only of its own."""
    path = tmp_path / "facts.json"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(path), str(worker), "200"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for worker in range(8)
    ]
    expected = [line for worker in workers for line in worker.communicate(timeout=60)[0].splitlines()]
    assert all(worker.returncode == 0 for worker in workers)
    memory = LongTermMemory(path)
    assert sorted(entry.content for entry in memory.entries()) == sorted(expected)
    assert len(expected) > 8 * 100 and memory.notices == ()
    assert {file.name for file in tmp_path.iterdir()} == {"facts.json", ".facts.json.lock"}


def test_a_lock_that_is_held_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagent_tui.memory.fact_disk._LOCK_SECONDS", 0.05)
    path = tmp_path / "facts.json"
    with FactDisk(path).locked():
        result = LongTermMemory(path).store("use uv", "global")  # type: ignore[arg-type]
    assert "Not saved: another process holds it for too long; try again" in result.message
