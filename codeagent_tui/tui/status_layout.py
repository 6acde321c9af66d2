"""What the status line says: what happens now on the left, who and where we are on the right. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from codeagent_tui.settings import PermissionMode
from codeagent_tui.tui.pieces import Piece, cut_pieces, on_both_sides, width_of

OFFLINE = "offline: no language model connected"
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
ASKS = "?"

MODE_WORDS = {
    PermissionMode.ASK: "ask",
    PermissionMode.ACCEPT_EDITS: "accept edits",
    PermissionMode.PLAN: "plan",
    PermissionMode.UNATTENDED: "unattended",
}


@dataclass(frozen=True, slots=True)
class Identity:
    """Model, mode and place. `model` is empty while nothing is known; "offline" is said in whole words."""

    model: str = ""
    offline: bool = False
    mode: PermissionMode = PermissionMode.ASK
    folder: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Retry:
    """A model call that is made again: at `until` on the clock, attempt `attempt` of `attempts` having failed."""

    until: float
    attempt: int
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class Activity:
    """What the agent does. `started` is on the same clock as `now`; `word` is empty while it does nothing."""

    word: str = ""
    started: float = 0.0
    step: int = 0
    limit: int = 0
    retry: Retry | None = None
    asks: bool = False
    """The user is waited for: nothing moves."""
    waiting: int = 0
    """Queued messages."""
    unseen: bool = False
    """There is output below what the reader sees."""
    flash: str = ""
    """Said for a moment, in the place of the rest."""


def duration(seconds: float) -> str:
    """Return `12 s` or `2 min 05 s`."""
    whole = max(0, int(seconds))
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02} s"


def activity_pieces(activity: Activity, now: float, frame: str) -> list[Piece]:
    """Return the left part; `frame` is the spinner's character, empty for none."""
    if activity.flash:
        return [(activity.flash, "flash")]
    pieces: list[Piece] = []
    if activity.word:
        mark = ASKS if activity.asks else frame
        pieces.append((f"{mark} " if mark else "", "spinner"))
        retry = activity.retry
        if retry is not None:
            left = max(0, math.ceil(retry.until - now))
            pieces.append((f"retry in {left} s ({retry.attempt} of {retry.attempts} failed: {retry.reason})", "retry"))
        else:
            pieces.append((activity.word, "word"))
        if not activity.asks:
            pieces.append((f" · {duration(now - activity.started)}", "detail"))
        if activity.limit:
            pieces.append((f" · step {activity.step}/{activity.limit}", "detail"))
    elif not activity.unseen:
        pieces.append(("ready", "detail"))
    if activity.waiting:
        pieces.append((f" · {activity.waiting} waiting", "detail"))
    if activity.unseen:
        pieces.append((f"{' · ' if pieces else ''}↓ new output below", "unseen"))
    return [piece for piece in pieces if piece[0]]


def _identity_forms(identity: Identity) -> Iterator[list[Piece]]:
    """Yield ways to write the identity, the fullest first."""
    model: Piece = (OFFLINE, "offline") if identity.offline else (identity.model, "model")
    brief: Piece = ("offline", "offline") if identity.offline else model
    mode: Piece = (MODE_WORDS[identity.mode], f"mode-{identity.mode}")
    folder: Piece = (identity.folder, "place")
    name: Piece = (PurePath(identity.folder).name or identity.folder, "place")
    branch = f" ({identity.branch})" if identity.branch else ""
    yield _dotted(model, mode, (identity.folder + branch, "place"))
    yield _dotted(model, mode, folder)
    yield _dotted(model, mode, name)
    yield _dotted(brief, mode, name)
    yield _dotted(brief, mode)
    yield _dotted(mode)


def _dotted(*pieces: Piece) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if piece[0]:
            if joined:
                joined.append((" · ", "dot"))
            joined.append(piece)
    return joined


_LEAST_ACTIVITY = 14


def status_pieces(identity: Identity, activity: Activity, now: float, width: int, frame: str = "") -> list[Piece]:
    """Return the line in at most `width` columns: the activity first, then as much identity as fits beside it."""
    left = activity_pieces(activity, now, frame)
    taken = width_of(left)
    for form in _identity_forms(identity):
        if form and taken + 2 + width_of(form) <= width:
            return on_both_sides(left, form, width)
    # A long activity (a retry with its reason) gives way to the mode, which says what runs without asking.
    shortest = _dotted((MODE_WORDS[identity.mode], f"mode-{identity.mode}"))
    if width >= _LEAST_ACTIVITY + 2 + width_of(shortest):
        return on_both_sides(left, shortest, width)
    return cut_pieces(left, width)
