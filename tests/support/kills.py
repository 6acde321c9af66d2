"""Kills a scripted session again and again and proves, after each kill, that nothing was lost."""

from __future__ import annotations

import json
import multiprocessing
import random
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.conversation.pairing import pair_faults
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.file_record import FileRecord, look
from codeagent_tui.sessions.reading import ReadLog, read_log, records_of
from codeagent_tui.sessions.rewind import plan_rewind, user_turns
from codeagent_tui.sessions.rewinding import carry_out
from codeagent_tui.sessions.store import SessionStore
from tests.support.killed_session import PHASES, STEPS, as_sent, run_until_killed, workspace_state

_CHANGES = ("compact", "replace", "restore", "stubs", "drop", "rewind")
_FARTHEST = 160
"""Acts on the file system before a kill: between one and three steps of the script."""


@dataclass
class Kills:
    """What was done: kills, sessions that came to their end, checks of single files and of rewinds."""

    kills: int = 0
    sessions: int = 0
    sent: int = 0
    files: int = 0
    rewinds: int = 0
    torn: int = 0
    where: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def kill_again_and_again(folder: Path, kills: int, seed: int) -> Kills:
    """Kill sessions in `folder` until there were `kills` kills; `faults` says what was wrong afterwards."""
    chance, done = random.Random(seed), Kills()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.killed_session"])
    while done.kills < kills and not done.faults:
        place = folder / f"session{done.sessions}"
        (place / "work" / "files").mkdir(parents=True)
        subprocess.run(["git", "init", "-q"], cwd=place / "work", check=True)
        finished, torn = False, 0
        while not finished and not done.faults and done.kills < kills:
            process = context.Process(
                target=run_until_killed, args=(str(place), chance.randrange(1 << 30), *_aim(chance))
            )
            process.start()
            process.join(120)
            finished = process.exitcode == 0
            if process.exitcode not in (0, -9):
                done.faults.append(f"{place}: the process ended with {process.exitcode}")
            done.kills += process.exitcode == -9
            torn = max(torn, _check(place, done))
        if finished:
            _check_rewinds(place, done, chance)
        done.sessions += 1
        done.torn += torn
        if (place / "where.txt").exists():
            done.where.update((place / "where.txt").read_text().split())
        if not done.faults:
            shutil.rmtree(place)
    return done


def _aim(chance: random.Random) -> tuple[int, str]:
    """Return after how many acts to kill, and in which phase; half of the kills may be anywhere."""
    if chance.random() < 0.5:
        return chance.randint(1, _FARTHEST), ""
    phase = chance.choice(list(PHASES))
    # A compaction is one line in the log; everything else takes several acts.
    return chance.randint(1, 2 if phase == "compaction" else 12), phase


def _check(place: Path, done: Kills) -> int:
    """Resume, note what is wrong in `done.faults`, and return how many torn records were passed over."""
    store = SessionStore(place / "home" / "history", place / "work")
    if not store.summaries():
        return 0
    summary = store.find("")
    loaded = store.load(summary)
    loaded.log.close()
    read = read_log(summary.path, summary.session_id)
    wrong = [f"pairs: {fault}" for fault in pair_faults(loaded.messages)]
    if len(store.summaries()) > 1:
        wrong.append("there is more than one session")
    wrong += _check_sent(place, summary.path, read, done)
    wrong += _check_files(summary.path, done)
    left = [path for top in ("home", "work") for path in (place / top).rglob("*.tmp")]
    wrong += [f"left over: {path}" for path in left]
    done.faults += [f"{place} after {done.kills} kills: {fault}" for fault in wrong]
    return read.skipped


def _check_sent(place: Path, path: Path, read: ReadLog, done: Kills) -> list[str]:
    """Everything that was sent is in the log; and the last request begins the history, unless that was changed."""
    if not (place / "sent.jsonl").exists():
        return []
    sent = [json.loads(line) for line in (place / "sent.jsonl").read_text().splitlines()]
    done.sent = len(sent)
    records = list(records_of(path))
    known = {message_id for record in records for message_id in _message_ids(record)}
    wrong = []
    for request in sent[-40:]:
        for message_id, role, content, *_ in request:
            if message_id not in known and not content.startswith("[No result was recorded"):
                wrong.append(f"a {role} message that was sent is not in the log: {content[:60]!r}")
    present = [as_sent(message) for message in read.replay.messages]
    if sent and not wrong and _unchanged_since(str(sent[-1][-1][0]), records):
        begin = [_without_id(entry) for entry in present[: len(sent[-1])]]
        if begin != [_without_id(entry) for entry in sent[-1]]:
            wrong.append("the history does not begin with the last request")
    return wrong


def _without_id(entry: list[object]) -> list[object]:
    return entry[1:]


def _message_ids(record: dict[str, object] | None) -> list[str]:
    if record is None:
        return []
    held = record.get("messages", [record.get("message")])
    return [str(message["id"]) for message in held if message] if isinstance(held, list) else []


def _unchanged_since(message_id: str, records: list[dict[str, object] | None]) -> bool:
    """Whether the history only grew after the message with that id."""
    at = max(index for index, record in enumerate(records) if message_id in _message_ids(record))
    return not any(record and record.get("type") in _CHANGES for record in records[at + 1 :])


def _check_files(path: Path, done: Kills) -> list[str]:
    """Each file is what its last record says, or what it was before the act that was cut short."""
    histories: dict[Path, list[FileRecord]] = {}
    for record in records_of(path):
        if record and record.get("type") in ("checkpoint", "written") and (held := FileRecord.from_json(record)):
            histories.setdefault(held.path, []).append(held)
    wrong = []
    for path, records in histories.items():
        done.files += 1
        now = look(path)
        if not any(now.same_as(record) for record in records[-2:]):
            wrong.append(f"{path} is in no state that the log knows")
    return wrong


def _check_rewinds(place: Path, done: Kills, chance: random.Random) -> None:
    """Go back through the finished session, turn by turn at random; the files are each time as they were then."""
    store = SessionStore(place / "home" / "history", place / "work")
    states = {f"step {record['step']}": record["files"] for record in _lines(place / "steps.jsonl")}
    loaded = store.load(store.find(""))
    log, work = loaded.log, place / "work"
    turns = user_turns(read_log(log.path, log.session_id))
    for turn in sorted(chance.sample(turns, min(5, len(turns))), key=lambda turn: -turn.index):
        plan = plan_rewind(log, work, turn.index)
        result = carry_out(log, Checkpoints(log, work), plan, "files", "overwrite")
        done.rewinds += 1
        if result.failed or workspace_state(work) != states[turn.text]:
            done.faults.append(f"{place}: the files before {turn.text!r} did not come back: {result.failed}")
    log.close()
    assert len(states) == STEPS


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
