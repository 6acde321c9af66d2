"""What is remembered after compactions, whatever the summariser: `python -m benchmarks.compaction_quality [SEEDS]`.

Scripted coding sessions (four kinds of work, English and Chinese) are played through real sessions at two windows; then
the last request is searched for everything that was planted in them before the last three turns. `on` is the request as
it is sent, `off` the same without the ledger.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.support.coding_sessions import FactKind, coding_session
from tests.support.coding_words import Language, Work
from tests.support.compaction_recall import CERTAIN, Recall, recall_of
from tests.support.fact_summarisers import Habit

COLUMNS = {
    "files": (FactKind.FILE,),
    "commands": (FactKind.COMMAND,),
    "requests": (FactKind.REQUEST,),
    "open items": (FactKind.OPEN_ITEM,),
    "goals, rules, decisions": (FactKind.GOAL, FactKind.RULE, FactKind.DECISION),
    "refusals": (FactKind.REFUSAL,),
    "cancellations": (FactKind.CANCELLATION,),
    "conclusions": (FactKind.CONCLUSION,),
}
WINDOWS = ((32_768, 36), (131_072, 72))
"""Each with the turns of the sessions that are played in it: some four windows full, and two."""
LONGER = ((32_768, 72), (32_768, 120), (32_768, 200), (131_072, 120), (131_072, 200))


async def played(habit: Habit, window: int, turns: int, seeds: range) -> Recall:
    """Play a session of each kind and language for each of `seeds`, and put together what is left of them."""
    total = Recall()
    for seed in seeds:
        for number, work in enumerate(Work):
            for language in Language:
                script = coding_session(seed * 10 + number, work, language, turns)
                with tempfile.TemporaryDirectory(prefix="codeagent-quality-") as folder:
                    total.add(await recall_of(script, habit, window=window, folder=Path(folder)))
    return total


def shares(recall: Recall) -> list[str]:
    """Return the columns of what was recalled, in percent, with the ledger and without."""
    return [
        f"{_percent(recall.share(kinds))} / {_percent(recall.share(kinds, ledger=False))}" for kinds in COLUMNS.values()
    ]


def _percent(share: float) -> str:
    # Rounded down: 100 % is only what is whole.
    return str(int(share * 1_000) / 10).removesuffix(".0")


def row(*cells: object) -> None:
    """Print a row of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


async def every_summariser(window: int, turns: int, seeds: range) -> bool:
    """Print the table of all summarisers at one window; return whether nothing is lost that must not be."""
    print(f"\n{len(seeds) * len(Work) * len(Language)} sessions of {turns} turns, window {window:,}")
    print("Recall in %, ledger on / off; then wrong orders carried, on / off.\n")
    row("summariser", *COLUMNS, "wrong orders", "calls", "applied", "without summary", "stubs", "tokens left")
    row(*["---"] * (len(COLUMNS) + 7))
    whole = True
    for habit in Habit:
        recall = await played(habit, window, turns, seeds)
        ways = recall.compactions
        row(
            habit,
            *shares(recall),
            f"{recall.wrong_orders} / {recall.wrong_without_ledger}",
            recall.calls,
            ways["summary"],
            ways["dropped"],
            ways["stubs"],
            f"{recall.tokens_after / recall.tokens_before:.0%} of {recall.tokens_before:,}",
        )
        for fault in recall.faults:
            print(f"REFUSED: {fault}")
        for fact in (fact for fact in recall.lost if fact.kind in CERTAIN):
            print(f"LOST: {fact.kind}: {' … '.join(fact.words)}")
        whole &= recall.share(CERTAIN) == 1 and not recall.faults and not recall.overflows and not recall.wrong_orders
    return whole


async def longer_ones(seeds: range) -> None:
    """Print how much of longer sessions a ledger of that size still holds, with a summariser that keeps nothing."""
    print("\nLonger sessions, with a summariser that answers the question: what only the ledger keeps, in %\n")
    row("window", "turns", *COLUMNS, "tokens of a session")
    row(*["---"] * (len(COLUMNS) + 3))
    for window, turns in LONGER:
        recall = await played(Habit.ANSWERS, window, turns, seeds)
        kept = [_percent(recall.share(kinds)) for kinds in COLUMNS.values()]
        sessions = len(seeds) * len(Work) * len(Language)
        row(f"{window:,}", turns, *kept, f"{recall.tokens_before // sessions:,}")


async def main(seeds: int) -> int:
    """Print all tables; the exit code is 1 when something was lost that the ledger must keep."""
    results = [await every_summariser(window, turns, range(seeds)) for window, turns in WINDOWS]
    await longer_ones(range(1))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)))
