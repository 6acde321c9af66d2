"""Cuts a ledger down to the room that there is for it, what matters least first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from codeagent_tui.context.ledger_entries import Ledger, WorkItem
from codeagent_tui.context.ledger_text import render
from codeagent_tui.context.said import cut_said, cut_text
from codeagent_tui.context.standing import is_standing
from codeagent_tui.tokens import TokenEstimator, estimate_tokens

_EntryT = TypeVar("_EntryT")


@dataclass(frozen=True, slots=True)
class _Bounds:
    """How much of each kind there is room for: characters of a text, entries of a kind. In the order in which what
    room is left is given back to them."""

    items: int
    files: int
    standing: int
    command: int
    commands: int
    last_plain: int
    plain: int


_STEPS = (
    _Bounds(items=50, files=600, standing=1_200, command=400, commands=300, last_plain=10_000, plain=600),
    _Bounds(items=50, files=400, standing=800, command=240, commands=200, last_plain=10_000, plain=300),
    _Bounds(items=50, files=300, standing=500, command=160, commands=120, last_plain=10_000, plain=160),
    _Bounds(items=50, files=300, standing=400, command=140, commands=100, last_plain=10_000, plain=100),
    _Bounds(items=40, files=200, standing=300, command=120, commands=80, last_plain=200, plain=60),
    _Bounds(items=30, files=120, standing=200, command=100, commands=50, last_plain=60, plain=60),
    _Bounds(items=20, files=80, standing=140, command=80, commands=30, last_plain=20, plain=60),
    _Bounds(items=12, files=40, standing=100, command=60, commands=15, last_plain=8, plain=40),
    _Bounds(items=6, files=20, standing=60, command=40, commands=6, last_plain=3, plain=40),
    _Bounds(items=3, files=8, standing=40, command=30, commands=3, last_plain=1, plain=30),
)
"""From generous to tight; the first that fits is taken. Rules and decisions outlive ordinary requests, and files and
open work outlive old commands."""


def fitted(ledger: Ledger, tokens: int, estimate: TokenEstimator = estimate_tokens) -> Ledger:
    """Return `ledger` cut down until its text costs at most `tokens`; an empty one when not even its last words do."""
    widest = cut = _bounded(ledger, _STEPS[0])
    for step, bounds in enumerate(_STEPS):
        # From the step before: a pasted megabyte is read once.
        cut = _bounded(cut, bounds)
        if estimate(render(cut)) <= tokens:
            return _filled_up(widest, step, tokens, estimate) if step else cut
    while not cut.is_empty:
        cut = _without_oldest(cut)
        if estimate(render(cut)) <= tokens:
            return cut
    return Ledger()


def _filled_up(widest: Ledger, step: int, tokens: int, estimate: TokenEstimator) -> Ledger:
    """Return `widest` cut by the bounds of `step`, each of them given back as much as there is room for."""
    bounds = _STEPS[step]
    best = _bounded(widest, bounds)
    for name in (field.name for field in fields(_Bounds)):
        for wider in reversed(_STEPS[:step]):
            if getattr(wider, name) == getattr(bounds, name):
                continue
            tried = replace(bounds, **{name: getattr(wider, name)})
            cut = _bounded(widest, tried)
            if estimate(render(cut)) > tokens:
                break
            best, bounds = cut, tried
    return best


def _without_oldest(ledger: Ledger) -> Ledger:
    """Return `ledger` without the oldest eighth of its requests but the first, or, when there are none left, of all."""
    if len(ledger.requests) > 2:
        # The first one says what all of it is for.
        kept = (ledger.requests[0], *_without_eighth(ledger.requests[1:]))
        return replace(ledger, requests=kept, left_out=ledger.left_out + len(ledger.requests) - len(kept))
    others = (ledger.files, ledger.commands, ledger.answers, ledger.items)
    if any(others):
        files, commands, answers, items = (
            _without_eighth(ledger.files),
            _without_eighth(ledger.commands),
            _without_eighth(ledger.answers),
            _without_eighth(ledger.items),
        )
        gone = sum(map(len, others)) - sum(map(len, (files, commands, answers, items)))
        return Ledger(ledger.requests, files, commands, answers, items, ledger.left_out + gone)
    if len(ledger.requests) > 1:
        return replace(ledger, requests=ledger.requests[1:], left_out=ledger.left_out + 1)
    return Ledger(left_out=ledger.left_out + len(ledger.requests))


def _without_eighth(entries: tuple[_EntryT, ...]) -> tuple[_EntryT, ...]:
    return entries[max(1, len(entries) // 8) :]


def _bounded(ledger: Ledger, bounds: _Bounds) -> Ledger:
    requests = tuple(_bounded_requests(ledger.requests, bounds))
    files = ledger.files[-bounds.files :]
    commands = tuple(
        replace(run, command=cut_text(run.command, bounds.command)) for run in ledger.commands[-bounds.commands :]
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
    # The first one says what all of it is for.
    standing = [at == 0 or is_standing(text) for at, text in enumerate(requests)]
    plain_left = standing.count(False)
    for stands, text in zip(standing, requests, strict=True):
        if stands:
            yield cut_said(text, bounds.standing)
            continue
        if plain_left <= bounds.last_plain:
            yield cut_said(text, bounds.plain)
        plain_left -= 1
