"""A model that plays a coding agent by chance: reads, edits, commands, lists of work, several calls at once."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from tests.support.answers import Played, Wanted

_VERSION = re.compile(r"VERSION = (\d+)")
_MODULES = 24


def make_workspace(folder: Path, seed: int = 0) -> None:
    """Put the files into `folder` that the agent works on: 24 modules of some 1 to 6 KB, and a long log."""
    chance = random.Random(seed)
    (folder / "src").mkdir(parents=True, exist_ok=True)
    for number in range(_MODULES):
        functions = "\n\n".join(
            f"def step_{number}_{at}(value: int) -> int:\n    return value * {chance.randrange(1, 999)} + {at}"
            for at in range(chance.randrange(10, 70))
        )
        (folder / "src" / f"m{number:02}.py").write_text(f"VERSION = 1\n\n\n{functions}\n")
    lines = (
        f"2026-03-{1 + at // 40:02}T12:{at % 60:02}:07Z worker-{at % 64} id={chance.randrange(16**8):08x} ok"
        for at in range(400)
    )
    (folder / "service.log").write_text("\n".join(lines) + "\n")


class ScriptedAgent:
    """Answers requests of a conversation. The same seed and the same requests: the same answers."""

    def __init__(self, seed: int = 0, *, most_rounds: int = 4) -> None:
        """A turn takes at most `most_rounds` rounds of tools."""
        self._seed = seed
        self._most_rounds = most_rounds
        self._turn = ""
        self._round = 0
        self._made = 0

    def __call__(self, request: dict[str, Any]) -> Played:
        """Answer the newest message of the user, or call tools for it first."""
        said = _last_said(request)
        if said != self._turn:
            self._turn, self._round = said, 0
        chance = random.Random(f"{self._seed} {said} {self._round}")
        rounds = random.Random(f"{self._seed} {said}").randrange(self._most_rounds + 1)
        if self._round >= rounds:
            return Played(self._answer(said, chance))
        self._round += 1
        count = chance.choice((1, 1, 1, 2, 4))
        return Played(
            "Let me look." if chance.random() < 0.4 else "",
            thinking="First the file, then the tests." if chance.random() < 0.2 else "",
            calls=tuple(self._call(request, chance) for _ in range(count)),
        )

    def _answer(self, said: str, chance: random.Random) -> str:
        more = " ".join(
            chance.choice(("The step is pure.", "It is called twice.", "Tests cover it.")) for _ in range(6)
        )
        return f"About “{said[:60]}”: done as asked. {more}"

    def _call(self, request: dict[str, Any], chance: random.Random) -> Wanted:
        path = f"src/m{chance.randrange(_MODULES):02}.py"
        kind = chance.randrange(10)
        if kind == 0 and (edit := _edit(request)):
            return edit
        if kind <= 4:
            return Wanted("read_file", {"path": path, "limit": chance.choice((40, 120, 2_000))})
        if kind == 5:
            self._made += 1
            return Wanted("write_file", {"path": f"notes/n{self._made:03}.md", "content": f"note {self._made}\n" * 8})
        if kind == 6:
            return Wanted("run_command", {"command": f"head -n {chance.randrange(5, 60)} service.log"})
        if kind == 7:
            states = ("done", "in_progress", "pending")
            items = [{"text": f"part {at} of {path}", "status": chance.choice(states)} for at in range(4)]
            return Wanted("todo", {"items": items})
        if kind == 8:
            return Wanted("search_code", {"pattern": f"step_{chance.randrange(_MODULES)}_1"})
        return Wanted("read_file", {"path": f"src/missing_{chance.randrange(99)}.py"})


def _edit(request: dict[str, Any]) -> Wanted | None:
    """Return an edit of the file that was read last, if its version can be seen."""
    messages = request["messages"]
    for at in range(len(messages) - 1, 0, -1):
        for call in messages[at].get("tool_calls") or ():
            found = re.search(r"src/m\d\d\.py", call["function"]["arguments"])
            if call["function"]["name"] != "read_file" or not found:
                continue
            results = (m["content"] for m in messages[at + 1 :] if m.get("tool_call_id") == call["id"])
            version = _VERSION.search(next(results, ""))
            if version:
                new = f"VERSION = {int(version[1]) + 1}\n"
                return Wanted("edit_file", {"path": found[0], "old_text": f"{version[0]}\n", "new_text": new})
    return None


def _last_said(request: dict[str, Any]) -> str:
    return next(str(m["content"]) for m in reversed(request["messages"]) if m["role"] == "user")
