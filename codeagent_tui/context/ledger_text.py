"""A ledger as text in the summary message, and read back from there.

The text is the only place where a ledger is kept: it is logged, resumed and compacted again with its message. Each
entry is one line with its words as a JSON string, so that nothing in them can end the block or begin another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from codeagent_tui.context.ledger_entries import Answer, CommandRun, FileChange, Ledger, WorkItem
from codeagent_tui.text import replace_surrogates

_BEGIN, _END = "<ledger>", "</ledger>"
_INTRODUCTION = "Recorded by the program itself, oldest first; what it says was done is done."
_REQUESTS = "Said by the user (each was answered; the newest message counts):"
_FILES = "Files changed:"
_COMMANDS = "Commands run:"
_ANSWERS = "Decided by the user when asked:"
_ITEMS = "To-do list:"
_LEFT_OUT = "Left out for want of room:"
_MARKS = {"done": "x", "in_progress": "~"}
_STATUSES = {mark: status for status, mark in _MARKS.items()}
_LINE = re.compile(r'- (?P<before>[^"]*?)(?P<text>"(?:[^"\\]|\\.)*")(?P<after>.*)')
_TIMES = re.compile(r" x(\d+)$")


def render(ledger: Ledger) -> str:
    """Return `ledger` as a block of text; "" for an empty one."""
    if ledger.is_empty and not ledger.left_out:
        return ""
    lines = [_BEGIN, _INTRODUCTION]
    lines += _section(_REQUESTS, (_quoted(text) for text in ledger.requests))
    lines += _section(_FILES, (f"{_quoted(f.path)} {f.how}{_times(f.times)}" for f in ledger.files))
    lines += _section(_COMMANDS, (f"{_quoted(c.command)} {c.outcome}{_times(c.times)}" for c in ledger.commands))
    lines += _section(_ANSWERS, map(_answer, ledger.answers))
    lines += _section(_ITEMS, (f"[{_MARKS.get(i.status, ' ')}] {_quoted(i.text)}" for i in ledger.items))
    if ledger.left_out:
        lines.append(f"{_LEFT_OUT} {ledger.left_out}")
    return "\n".join((*lines, _END))


def _section(heading: str, entries: Iterable[str]) -> list[str]:
    lines = [f"- {entry}" for entry in entries]
    return [heading, *lines] if lines else []


def _quoted(text: str) -> str:
    return replace_surrogates(json.dumps(text, ensure_ascii=False))


def _times(count: int) -> str:
    return f" x{count}" if count > 1 else ""


def _answer(answer: Answer) -> str:
    because = f" because {_quoted(answer.reason)}" if answer.reason else ""
    return f"{answer.how}: {_quoted(answer.title)}{because}"


def without_ledger(content: str) -> str:
    """Return the content of a summary message without its ledger."""
    begin = content.rfind(f"\n{_BEGIN}\n")
    return content if begin < 0 else content[:begin].rstrip()


def without_ledger_marks(summary: str) -> str:
    """Return the words of a model so that nothing in them passes for a ledger: what stands in one is believed."""
    return summary.replace(_BEGIN, "‹ledger›").replace(_END, "‹/ledger›")


def ledger_in(content: str) -> Ledger:
    """Return the ledger that stands in the content of a summary message; an empty one when there is none."""
    begin = f"\n{content}".rfind(f"\n{_BEGIN}\n") - 1
    if begin < -1:
        return Ledger()
    held: dict[str, list[re.Match[str]]] = {}
    section, left_out = "", 0
    for line in content[begin + 1 :].split("\n")[1:]:
        if line == _END:
            break
        if line.startswith(_LEFT_OUT):
            number = line.removeprefix(_LEFT_OUT).strip()
            left_out = int(number) if number.isdecimal() and len(number) < 10 else 0
        elif match := _LINE.fullmatch(line):
            held.setdefault(section, []).append(match)
        else:
            section = line
    return Ledger(
        tuple(_text(m) for m in held.get(_REQUESTS, ())),
        tuple(FileChange(_text(m), *_how(m["after"])) for m in held.get(_FILES, ())),
        tuple(CommandRun(_text(m), *_how(m["after"])) for m in held.get(_COMMANDS, ())),
        tuple(_answer_of(m) for m in held.get(_ANSWERS, ())),
        tuple(WorkItem(_text(m), _STATUSES.get(m["before"].strip(" []"), "pending")) for m in held.get(_ITEMS, ())),
        left_out,
    )


def _text(match: re.Match[str]) -> str:
    return _unquoted(match["text"])


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted.strip('"')


def _how(after: str) -> tuple[str, int]:
    times = _TIMES.search(after)
    if times is None:
        return after.strip(), 1
    return after[: times.start()].strip(), int(times[1][:9])


def _answer_of(match: re.Match[str]) -> Answer:
    reason = match["after"].removeprefix(" because ").strip()
    return Answer(_text(match), match["before"].rstrip(": "), _unquoted(reason) if reason.startswith('"') else "")
