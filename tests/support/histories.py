"""Random histories for property tests: everything a conversation may hold, through the public door.

Hypothesis chooses how many turns, how large and the seed; chance does the rest. Drawing every word would take a hundred
times as long, and what matters here shrinks by the number of turns and their size.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, ToolCall, assistant, tool_result, user

_WORDS = (
    "parser",
    "记忆系统",
    "\U0001f680",
    "カタカナ",
    "0f3a9c",
    "</conversation>",
    '{"a": 1}',
    "\u202e",
    "naïve",
    "안녕",
)
_PATHS = ("src/a.py", "src/b.py", "文档/说明.md", "a b.txt", "")
_TOOLS = ("read_file", "write_file", "edit_file", "run_command", "todo", "search_code")
_ENDINGS = ("[exit code 0]\nok", "[exit code 1]\nfailed", "[Not permitted. The user says: no]", " ", "")
NEVER_CAME = "-"
"""The result of a call that has none."""


@dataclass(frozen=True, slots=True)
class Round:
    """An assistant message with calls, and how each one ended."""

    text: str
    calls: tuple[tuple[str, str, str], ...]
    """Each a tool, an argument, and its result."""


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """What the user said, the rounds of tools, and the last answer, "" where there is none."""

    said: str
    rounds: tuple[Round, ...] = ()
    answer: str = ""
    interrupted: bool = False


def scripts(most_turns: int = 9, *, least_turns: int = 0) -> st.SearchStrategy[list[ScriptedTurn]]:
    """Return conversations of that many turns, some of them with a giant one among small ones."""
    return st.builds(
        _script,
        st.integers(0, 2**32),
        st.integers(least_turns, most_turns),
        st.sampled_from((3, 40, 400, 2_000)),
        st.sampled_from((0, 2, 9)),
    )


def _script(seed: int, turns: int, words: int, rounds: int) -> list[ScriptedTurn]:
    chance = random.Random(seed)
    giant = chance.randrange(turns) if turns and chance.random() < 0.3 else -1
    return [_turn(chance, words * (20 if at == giant else 1), rounds) for at in range(turns)]


def _turn(chance: random.Random, words: int, most_rounds: int) -> ScriptedTurn:
    rounds = tuple(
        Round(
            chance.choice(("", _text(chance, 8))),
            tuple(_call(chance, words) for _ in range(chance.choice((1, 1, 2, 4)))),
        )
        for _ in range(chance.randint(0, most_rounds))
    )
    answer = chance.choice(("", _text(chance, words // 4 + 1), _text(chance, 12)))
    return ScriptedTurn(_text(chance, chance.choice((4, words))), rounds, answer, chance.random() < 0.2)


def _call(chance: random.Random, words: int) -> tuple[str, str, str]:
    result = chance.choice((NEVER_CAME, *_ENDINGS, *[_text(chance, words)] * 8))
    return chance.choice(_TOOLS), chance.choice(_PATHS), result


def _text(chance: random.Random, words: int) -> str:
    """Return a text of at most `words` words, never blank: prose, one word again and again, a rule, or an image."""
    count = chance.randint(1, max(1, words))
    word = chance.choice(_WORDS)
    return chance.choice(
        (
            " ".join(chance.choice(_WORDS) for _ in range(min(count, 60))),
            f"{word} " * count,
            f"Never forget: {word} {chance.randrange(999)}",
            f"see [image] data:image/png;base64,{'iVBOR' * count}",
        )
    )


def append_turn(history: History, turn: ScriptedTurn) -> None:
    """Let `turn` happen in `history`."""
    history.append(user(turn.said))
    for number, spoken in enumerate(turn.rounds):
        # The same ids again and again, as some servers give them: the history makes them unique.
        calls = [
            ToolCall(f"c{number}_{at}", name, _arguments(name, path)) for at, (name, path, _) in enumerate(spoken.calls)
        ]
        stored = history.append(assistant(spoken.text, *calls))
        for call, (_, _, result) in zip(stored.tool_calls, spoken.calls, strict=True):
            if result != NEVER_CAME:
                decision = "no" if result.startswith("[Not permitted") else ""
                history.append(tool_result(call.id, result, failed=result.startswith("["), decision=decision))
    if turn.answer:
        history.append(replace(assistant(turn.answer), interrupted=turn.interrupted))


def _arguments(name: str, path: str) -> str:
    if name == "run_command":
        return json.dumps({"command": f"cat {path}"})
    if name == "todo":
        return json.dumps({"items": [{"text": f"do {path}", "status": "pending"}]})
    return json.dumps({"path": path, "content": "x"}) if path else "{}"


def built(script: list[ScriptedTurn]) -> History:
    """Return the history of several turns."""
    history = History()
    for turn in script:
        append_turn(history, turn)
    return history


def last_said(messages: tuple[Message, ...]) -> Message | None:
    """Return the newest message of the user."""
    return next((message for message in reversed(messages) if message.starts_turn), None)


def same(left: tuple[Message, ...], right: tuple[Message, ...]) -> bool:
    """Whether both hold the very same messages."""
    return len(left) == len(right) and all(mine is theirs for mine, theirs in zip(left, right, strict=True))
