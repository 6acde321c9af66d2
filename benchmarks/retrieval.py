"""How well and how fast facts are found, and how fast they are saved: `python -m benchmarks.retrieval [SIZE...]`.

`--locomo PATH` adds the public LoCoMo questions (`locomo10.json`); `--quality` leaves the times out.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.retrieval_quality import NAMES, measure
from benchmarks.retrieval_questions import QuestionSet, locomo, own_sets
from benchmarks.retrieval_speed import measure_apart
from benchmarks.retrieval_store import measure_store
from codeagent_tui.settings import RankerName

_SIZES = (1_000, 10_000, 100_000)
_STORE_FACTS = 10_000


def main() -> None:
    """Print the tables as markdown."""
    parser = argparse.ArgumentParser(description="How well and how fast facts are found.")
    parser.add_argument("sizes", nargs="*", type=int, default=_SIZES, help="numbers of facts to measure speed with")
    parser.add_argument("--locomo", type=Path, help="the file locomo10.json")
    parser.add_argument("--quality", action="store_true", help="only how well, not how fast")
    chosen = parser.parse_args()
    sets: dict[str, list[QuestionSet]] = {one.name: [one] for one in own_sets()}
    if chosen.locomo:
        sets["locomo"] = list(locomo(chosen.locomo))
    _print_quality(sets)
    if not chosen.quality:
        print(f"\nA million look-ups in a dictionary took {_machine():.0f} ms: compare with your machine.\n")
        _print_speed(chosen.sizes)
        _print_store()


def _print_quality(sets: dict[str, list[QuestionSet]]) -> None:
    print("| questions | texts | ranker | recall@1 | recall@5 | recall@10 | MRR |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for label, some in sets.items():
        texts = sum(len(one.texts) for one in some)
        for name in NAMES:
            quality = measure(some, name)
            shares = " | ".join(f"{100 * share:.1f} %" for share in (quality.at_1, quality.at_5, quality.at_10))
            questions = f"{label}, {quality.questions:,}"
            print(f"| {questions} | {texts:,} | {name} | {shares} | {quality.reciprocal_rank:.3f} |", flush=True)


def _print_speed(sizes: list[int]) -> None:
    print("| ranker | facts | index built | memory | new words p50 | max | words again p50 | after a save |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in RankerName:
        for size in sizes:
            speed = measure_apart(name, size)
            times = (speed.first_p50, speed.first_max, speed.again_p50, speed.after_save)
            cells = " | ".join(f"{value:.2f} ms" for value in times)
            print(f"| {name} | {size:,} | {speed.build:.0f} ms | {speed.memory:.0f} MB | {cells} |", flush=True)


def _print_store() -> None:
    store = measure_store(_STORE_FACTS)
    print(f"\nSaving one fact beside {_STORE_FACTS:,} (a file of {store.megabytes:.1f} MB): {store.whole:.1f} ms,")
    print(f"of which fsync {store.fsync:.1f} ms and everything else {store.without_fsync:.1f} ms; the longest took")
    print(f"{store.longest:.1f} ms. Writing as many bytes without fsync: {store.written:.1f} ms.")


def _machine() -> float:
    held = {number: number for number in range(1_000)}
    started = time.perf_counter()
    for _ in range(1_000):
        for number in range(1_000):
            held[number]
    return (time.perf_counter() - started) * 1e3


if __name__ == "__main__":
    main()
