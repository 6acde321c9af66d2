"""A 40-turn session killed again and again, at random points: `python -m benchmarks.kills [KILLS] [SEED]`.

After each kill it is resumed, and checked: the history pairs, everything that was sent is there, each file is in a
state that the log knows, nothing temporary is left. Sessions that came to their end are rewound at random.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.support.kills import kill_again_and_again


def main(kills: int, seed: int) -> int:
    """Kill and report; the exit code is 1 when anything was wrong."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="codeagent-kills-") as folder:
        done = kill_again_and_again(Path(folder), kills, seed)
    print(f"{done.kills} kills in {done.sessions} sessions, {time.perf_counter() - started:.0f} s")
    print(f"{done.files:,} files checked, {done.rewinds} rewinds, {done.torn} torn records found and passed over")
    print("killed in: " + ", ".join(f"{where} {count}" for where, count in done.where.most_common()))
    for fault in done.faults:
        print(f"WRONG: {fault}")
    return 1 if done.faults else 0


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(words[0] if words else 300, words[1] if len(words) > 1 else 1))
