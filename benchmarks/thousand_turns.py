"""A thousand turns through the real screen at a small window: `python -m benchmarks.thousand_turns [TURNS] [FACTS]`.

The program runs on a virtual screen and talks HTTP to a server that refuses whatever the strictest provider would. The
exit code is 1 when anything was refused, forgotten, asked for again and again, or when memory grew beyond its bound.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from tests.support.screen_session import WINDOW, ScreenSession, forget_measurements, screen_session

SAMPLES = 5
LEAST_TURNS = 500
"""Before that caches are still filling, and memory says nothing."""
MOST_KB_A_TURN = 40.0
"""What a turn may add to memory: its own text, which can be scrolled back to, and what a compaction keeps of itself."""


def faults_of(done: ScreenSession, turns: int, kb_a_turn: float) -> list[str]:
    """Return what is wrong with a session, one sentence each."""
    found = [f"unfinished: {text}" for text in done.unfinished]
    found += [f"refused: {text}" for text in done.refused]
    found += [f"forgotten: {fact}" for fact in done.missing]
    found += [f"unpaired: {text}" for text in done.unpaired]
    if done.turns < turns:
        found.append(f"only {done.turns} of {turns} turns")
    if done.overflows:
        found.append(f"{done.overflows} requests were larger than the window")
    if done.requests["summary"] > done.summaries_wanted:
        found.append(f"{done.requests['summary']} summaries were asked for, {done.summaries_wanted} are explained")
    if turns >= LEAST_TURNS and kb_a_turn > MOST_KB_A_TURN:
        found.append(f"memory grew by {kb_a_turn:.0f} KB a turn, {MOST_KB_A_TURN:.0f} are allowed")
    return found


def main(turns: int, facts: int) -> int:
    """Play, print, and return the exit code."""
    process, began = psutil.Process(), time.perf_counter()
    samples: dict[int, float] = {}

    def sample(turn: int) -> None:
        if turn % (turns // SAMPLES) == 0:
            forget_measurements()
            samples[turn] = process.memory_info().rss / 1e6
            print(f"after {turn:>5} turns {samples[turn]:6.1f} MB {time.perf_counter() - began:6.0f} s", flush=True)

    with tempfile.TemporaryDirectory(prefix="codeagent-turns-") as folder:
        done = asyncio.run(screen_session(Path(folder), turns, facts=facts, after_turn=sample))
        log = sum(path.stat().st_size for path in Path(folder, "home").rglob("*.jsonl"))
    first, last = min(samples), max(samples)
    kb_a_turn = (samples[last] - samples[first]) * 1e3 / max(1, last - first)
    ways = Counter(record.way for record in done.compactions)
    print(f"window {WINDOW:,}, largest request {done.largest:,} tokens by the server's count")
    print(
        f"requests: {done.requests['conversation']:,} of the conversation, {done.requests['summary']} summaries for "
        f"{ways['summary']} compactions ({ways['stubs']} more by stubs), {done.requests['notes']:,} for the notes"
    )
    kept = done.facts - len(done.missing)
    print(f"facts in the last request: {kept} of {done.facts}; messages in it: {done.messages}")
    print(f"memory: {kb_a_turn:.0f} KB a turn from turn {first} to {last}; the session's log has {log / 1e6:.1f} MB")
    faults = faults_of(done, turns, kb_a_turn)
    print("\n".join(f"WRONG: {fault}" for fault in faults) or "nothing wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    count = words[0] if words else 1_000
    sys.exit(main(count, words[1] if len(words) > 1 else count // 10))
