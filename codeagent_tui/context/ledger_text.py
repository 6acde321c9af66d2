"""A ledger as text in the summary message, bounded, and read back from there.

The text is the only place where a ledger is kept: it is logged, resumed and compacted again with its message. Each
entry is one line with its words as a JSON string, so that nothing in them can end the block or begin another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from codeagent_tui.context.ledger_entries import Answer, CommandRun, FileChange, Ledger, WorkItem
from codeagent_tui.context.said import cut_said
from codeagent_tui.context.standing import is_standing
from codeagent_tui.text import replace_surrogates
from codeagent_tui.tokens import TokenEstimator, estimate_tokens

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


@dataclass(frozen=True, slots=True)
class _Bounds:
    """How much of each kind there is room for: characters of a text, entries of a kind. 0 characters: none at all."""

    standing: int
    plain: int
    last_plain: int
    commands: int
    command: int
    files: int
    items: int


_STEPS = (
    _Bounds(1_200, 600, 10_000, 300, 400, 600, 50),
    _Bounds(800, 300, 10_000, 200, 240, 400, 50),
    _Bounds(500, 160, 10_000, 120, 160, 300, 50),
    _Bounds(400, 100, 10_000, 100, 140, 300, 50),
    _Bounds(300, 60, 200, 80, 120, 200, 40),
    _Bounds(200, 60, 60, 50, 100, 120, 30),
    _Bounds(140, 60, 20, 30, 80, 80, 20),
    _Bounds(100, 40, 8, 15, 60, 40, 12),
    _Bounds(60, 40, 3, 6, 40, 20, 6),
    _Bounds(40, 30, 1, 3, 30, 8, 3),
)
"""From generous to tight; the first that fits is taken. Rules and decisions outlive ordinary requests, and files and
open work outlive old commands."""


def fitted(ledger: Ledger, tokens: int, estimate: TokenEstimator = estimate_tokens) -> Ledger:
    """Return `ledger` cut down until its text costs at most `tokens`; an empty one when not even its last words do."""
    for bounds in _STEPS:
        cut = _bounded(ledger, bounds)
        if estimate(render(cut)) <= tokens:
            return cut
    cut = _bounded(ledger, _STEPS[-1])
    while not cut.is_empty:
        cut = _without_oldest(cut)
        if estimate(render(cut)) <= tokens:
            return cut
    return Ledger()


def _without_oldest(ledger: Ledger) -> Ledger:
    """Return `ledger` without the older half of its requests, or, when there are none left, of everything."""
    if len(ledger.requests) > 1:
        kept = len(ledger.requests) // 2
        return replace(ledger, requests=ledger.requests[-kept:], left_out=ledger.left_out + len(ledger.requests) - kept)
    halves = {name: getattr(ledger, name) for name in ("files", "commands", "answers", "items")}
    if any(halves.values()):
        kept_of = {name: held[(len(held) + 1) // 2 :] for name, held in halves.items()}
        gone = sum(len(held) - len(kept_of[name]) for name, held in halves.items())
        return replace(ledger, **kept_of, left_out=ledger.left_out + gone)
    return Ledger(left_out=ledger.left_out + len(ledger.requests))


def _bounded(ledger: Ledger, bounds: _Bounds) -> Ledger:
    requests = tuple(_bounded_requests(ledger.requests, bounds))
    files = ledger.files[-bounds.files :]
    commands = tuple(
        replace(run, command=_cut(run.command, bounds.command)) for run in ledger.commands[-bounds.commands :]
    )
    answers = ledger.answers[-bounds.items :]
    still_open = len(ledger.open_items)
    # Open work goes last of all: what is done is dropped first.
    items = ledger.open_items[: bounds.items] if still_open >= bounds.items else ledger.items[-bounds.items :]
    if still_open < bounds.items and len(ledger.items) > bounds.items:
        items = (*_last([i for i in ledger.items if i.status == "done"], bounds.items - still_open), *ledger.open_items)
    gone = (
        len(ledger.requests) - len(requests) + len(ledger.files) - len(files) + len(ledger.commands) - len(commands)
        + len(ledger.answers) - len(answers) + len(ledger.items) - len(items)
    )  # fmt: skip
    return Ledger(requests, files, commands, answers, tuple(items), ledger.left_out + gone)


def _last(items: list[WorkItem], count: int) -> list[WorkItem]:
    return items[-count:] if count else []


def _bounded_requests(requests: tuple[str, ...], bounds: _Bounds) -> Iterator[str]:
    plain_left = sum(1 for text in requests if not is_standing(text))
    for text in requests:
        if is_standing(text):
            yield cut_said(text, bounds.standing)
            continue
        if plain_left <= bounds.last_plain:
            yield cut_said(text, bounds.plain)
        plain_left -= 1


def _cut(text: str, characters: int) -> str:
    """Return the beginning and the end of `text`: what was asked stands at one of them."""
    if len(text) <= characters:
        return text
    head = (characters * 2) // 3
    return f"{text[:head]} … {text[len(text) - (characters - head) :]}"
