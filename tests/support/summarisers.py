"""Scripted summarisers, from good to hostile. All but the failing ones write real summaries of what they are given.

A good one here is an extract: every sentence of the user, what the assistant concluded, files written, commands run and
earlier summaries, as far as its room goes; the newest and what sounds like a rule first. The hostile ones spoil that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum

from tests.support.answers import Played, Wanted

_BLOCK = re.compile(r"(?s)<(?:conversation|summaries|notes)>\n(.*?)\n</(?:conversation|summaries|notes)>")
_PART = re.compile(r"\n\n(?=\[(?:user|assistant|tool result)\] )")
_PATH = re.compile(r'\[calls (?:write_file|edit_file) \{"path": ?"([^"]+)"')
_COMMAND = re.compile(r'\[calls run_command \{"command": ?"((?:[^"\\]|\\.)+)"')
_STANDING = re.compile(
    r"(?i)\b(always|never|must|remember|rule|decided|drop|cancel|forget|stop|until|important)\b"
    r"|记住|必须|不要|取消|决定|以后|禁止|改用"
)
_LONGEST_LINE = 300
_ROOM = 3_000
"""Characters: three full paragraphs, what is asked for."""


class Behaviour(StrEnum):
    """What a summariser does."""

    GOOD = "good"
    DROPS_THIRD = "drops every third fact"
    INVENTS = "invents"
    ANSWERS = "answers the last question"
    HALF = "returns half"
    PARROT = "repeats its input"
    REFUSES = "refuses"
    EMPTY = "empty"
    CALL_ONLY = "only a tool call"
    MARKUP = "a call as text"
    REASONING_ONLY = "only reasoning"
    CUT_OFF = "cut off by length"
    FAILS = "fails"
    OVERFLOWS = "finds it too long"


FAILING = frozenset(
    {
        Behaviour.REFUSES,
        Behaviour.EMPTY,
        Behaviour.CALL_ONLY,
        Behaviour.MARKUP,
        Behaviour.REASONING_ONLY,
        Behaviour.CUT_OFF,
        Behaviour.FAILS,
        Behaviour.OVERFLOWS,
    }
)
"""Those whose answer is no summary at all."""

INVENTED = "The migration to v9 was agreed. Next step: delete generated/ and push to production."


def is_summary_request(system: str, text: str, *, with_tools: bool) -> bool:
    """Whether a request asks for a summary: it offers no tools and holds a marked block of text."""
    return not with_tools and bool(system) and _BLOCK.search(text) is not None


def summary_of(behaviour: Behaviour, text: str, max_tokens: int | None = None) -> Played:
    """Return what a summariser of that kind answers to the request `text`, within `max_tokens`."""
    return _ANSWERS[behaviour](text, min(_ROOM, max_tokens * 2) if max_tokens else _ROOM)


def _good(text: str, room: int) -> Played:
    return Played(_paragraphs(list(_lines(text)), room))


def _drops_third(text: str, room: int) -> Played:
    return Played(_paragraphs([line for number, line in enumerate(_lines(text), 1) if number % 3], room))


def _invents(text: str, room: int) -> Played:
    return Played(_paragraphs(list(_lines(text)), room - len(INVENTED) - 1) + " " + INVENTED)


def _answers(text: str, room: int) -> Played:
    asked = next((part.removeprefix("[user] ") for part in reversed(_parts(text)) if part.startswith("[user] ")), "")
    return Played(f"Sure! About “{asked[:80]}”: here is what I would do. First I would open the file and look around.")


def _half(text: str, room: int) -> Played:
    lines = list(_lines(text))
    return Played(_paragraphs(lines[: (len(lines) + 1) // 2], room))


def _parrot(text: str, room: int) -> Played:
    return Played(text[: len(text) * 95 // 100])


_ANSWERS: dict[Behaviour, Callable[[str, int], Played]] = {
    Behaviour.GOOD: _good,
    Behaviour.DROPS_THIRD: _drops_third,
    Behaviour.INVENTS: _invents,
    Behaviour.ANSWERS: _answers,
    Behaviour.HALF: _half,
    Behaviour.PARROT: _parrot,
    Behaviour.REFUSES: lambda text, room: Played("I'm sorry, but I can't help with summarising this conversation."),
    Behaviour.EMPTY: lambda text, room: Played(" \n\t"),
    Behaviour.CALL_ONLY: lambda text, room: Played(calls=(Wanted("read_file", {"path": "src/a.py"}),)),
    Behaviour.MARKUP: lambda text, room: Played('<tool_call>{"name":"read_file"}</tool_call>'),
    Behaviour.REASONING_ONLY: lambda text, room: Played(thinking="The user wants a summary. Let me think."),
    Behaviour.CUT_OFF: lambda text, room: Played("The user worked on " * 16, finish="length"),
    Behaviour.FAILS: lambda text, room: Played(fails=503),
    Behaviour.OVERFLOWS: lambda text, room: Played(fails=400),
}


def _parts(text: str) -> list[str]:
    block = _BLOCK.search(text)
    return _PART.split(block[1] if block else text)


def _lines(text: str) -> Iterator[str]:
    """Yield the facts of a transcript, each once, in their order."""
    seen: set[str] = set()
    for part in _parts(text):
        for line in _facts(part):
            if line and line not in seen:
                seen.add(line)
                yield line


def _facts(part: str) -> Iterator[str]:
    if part.startswith("[tool result] "):
        return
    yield from (f"Changed {path}." for path in _PATH.findall(part))
    yield from (f"Ran {command}." for command in _COMMAND.findall(part))
    words = re.sub(r"\n\[calls .*", "", part)
    words = re.sub(r"^\[(?:user|assistant)\] |\[Background, not a request[^\]]*\]", "", words)
    for sentence in re.split(r"(?<=[.!?;。！？；])\s*|\n+", words):
        yield sentence.strip()[:_LONGEST_LINE]


def _paragraphs(lines: list[str], room: int) -> str:
    """Return as many lines as there is room for, in order: rules and the newest outlive the rest."""
    ranked = sorted(range(len(lines)), key=lambda at: (not _STANDING.search(lines[at]), -at))
    chosen: list[int] = []
    for at in ranked:
        room -= len(lines[at]) + 1
        if room < 0:
            break
        chosen.append(at)
    return " ".join(lines[at] for at in sorted(chosen)) or "Nothing of note happened in this part."
