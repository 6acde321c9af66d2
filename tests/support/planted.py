"""What a scripted user says: ordinary requests, and now and then a fact that must never be forgotten."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_ORDINARY = (
    "Look at src/m{a:02}.py and tell me what step {b} is for.",
    "Does anything call step_{a}_{b}? Check the log as well.",
    "Rename the counter in src/m{a:02}.py, part {b}.",
    "看一下 src/m{a:02}.py，第 {b} 步是做什么的？",
    "Run the quick check for part {b} again.",
    "把 src/m{a:02}.py 的第 {b} 个函数讲清楚。",
)
_FACTS = (
    "Remember: the staging port of service-{n:03} is {value}.",
    "From now on, never touch table t_{n:03}; its owner is team {value}.",
    "记住：第 {n:03} 号服务的密钥名是 {value}，不要改。",
    "We decided that queue {n:03} keeps at most {value} messages.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """A user's message; `fact` is the word in it that must stay findable, "" for an ordinary one."""

    text: str
    fact: str = ""


def user_script(turns: int, *, facts: int, seed: int = 0) -> Iterator[Said]:
    """Yield `turns` messages, `facts` of which plant a fact, spread evenly from the first turn on. No two are equal."""
    chance = random.Random(seed)
    planted = {at * turns // facts for at in range(facts)} if facts else set()
    for turn in range(turns):
        if turn in planted:
            value = f"K{turn:04}x{chance.randrange(16**6):06x}"
            yield Said(chance.choice(_FACTS).format(n=turn, value=value), value)
        else:
            text = chance.choice(_ORDINARY).format(a=chance.randrange(24), b=chance.randrange(40))
            yield Said(f"{text} (#{turn})")
