"""What the budget gauge says at a width: bars, figures, the word for the state, the cost. Pure, so easy to test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from codeagent_tui.tui.pieces import Piece, width_of

if TYPE_CHECKING:
    from codeagent_tui.conversation.events import ContextReading
    from codeagent_tui.conversation.messages import Usage

FILLED, EMPTY, TRIGGER, CEILING = "▆", "▁", "┃", "║"
ESTIMATED = "~"
"""Stands before a total that no provider's count has confirmed yet."""
NEAR_SHARE = 0.8
"""From this share of the trigger on, the state is called near."""


class Pressure(StrEnum):
    """How full the history is, or what is done about it: the word on the screen."""

    CALM = "calm"
    NEAR = "near"
    OVER = "over"
    COMPACTING = "compacting"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Compacting:
    """A compaction of the history that goes on: `done` of `total` pieces are summarised, 0 of 0 while it is not known.

    `waiting`: the next request would pass the ceiling, and waits for it.
    """

    done: int = 0
    total: int = 0
    waiting: bool = False

    @property
    def progress(self) -> str:
        """The pieces in figures; one piece alone shows no progress."""
        return f"{self.done}/{self.total}" if self.total > 1 else ""


@dataclass(frozen=True, slots=True)
class GaugeState:
    """All that the gauge shows. `condensing`: the short-term memory is being compressed; `usage` is what the session
    has cost so far by the provider's count."""

    reading: ContextReading
    compacting: Compacting | None = None
    condensing: bool = False
    usage: Usage | None = None


def pressure(reading: ContextReading, compacting: Compacting | None = None) -> Pressure:
    """Return the state: over at the trigger, near from `NEAR_SHARE` of it; a compaction comes before both."""
    if compacting is not None:
        return Pressure.WAITING if compacting.waiting else Pressure.COMPACTING
    if reading.total >= reading.trigger:
        return Pressure.OVER
    return Pressure.NEAR if reading.total >= reading.trigger * NEAR_SHARE else Pressure.CALM


def short_count(tokens: int) -> str:
    """Return a token count in at most five characters: `812`, `41.2k`, `200k`, `1.05M`."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 99_950:
        return f"{tokens / 1_000:.1f}k".replace(".0k", "k")
    if tokens < 999_500:
        return f"{tokens / 1_000:.0f}k"
    return f"{tokens / 1_000_000:.2f}".rstrip("0").rstrip(".") + "M"


def bar(filled: int, whole: int, width: int, role: str, mark: int = 0, ceiling: int = 0) -> list[Piece]:
    """Return a bar of `width` cells for `filled` of `whole`; `mark` and `ceiling` (of `whole`) are drawn as lines, 0
    for none. Where both fall on one cell it is the mark's.

    Anything above nothing shows at least one cell, and only a full bar is full.
    """
    if width <= 0 or whole <= 0:
        return []
    cells = min(width, round(filled / whole * width))
    if filled > 0:
        cells = max(1, cells)
    if filled < whole:
        cells = min(cells, width - 1) if width > 1 else cells
    glyphs = [(FILLED, role)] * cells + [(EMPTY, "track")] * (width - cells)
    if 0 < ceiling < whole:
        glyphs[min(width - 1, round(ceiling / whole * width))] = (CEILING, "ceiling")
    if 0 < mark < whole:
        glyphs[min(width - 1, round(mark / whole * width))] = (TRIGGER, "trigger")
    return _joined(glyphs)


def _joined(glyphs: list[tuple[str, str]]) -> list[Piece]:
    pieces: list[Piece] = []
    for glyph, role in glyphs:
        if pieces and pieces[-1][1] == role:
            pieces[-1] = (pieces[-1][0] + glyph, role)
        else:
            pieces.append((glyph, role))
    return pieces


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write the gauge; the first that fits is taken. Bars: the least cells, 0 for none."""

    history_bar: int
    short_bar: int
    history_label: str = ""
    figures: str = ""
    short_label: str = ""
    short_figures: str = ""
    cost: str = ""


def cost_words(usage: Usage) -> str:
    """Return what the session has cost, in tokens: sent, how many of these the provider had cached, received."""
    if not usage.prompt_tokens and not usage.completion_tokens:
        return ""
    cached = f" ({short_count(usage.cached_tokens)} cached)" if usage.cached_tokens else ""
    return f"in {short_count(usage.prompt_tokens)}{cached} out {short_count(usage.completion_tokens)}"


def _forms(state: GaugeState) -> Iterator[_Form]:
    reading = state.reading
    share = f"{reading.total / reading.window:.0%}" if reading.window else "0%"
    plain = f"{'' if reading.measured else ESTIMATED}{short_count(reading.total)} / {short_count(reading.window)}"
    whole = f"{plain} · trigger {short_count(reading.trigger)}"
    used = short_count(reading.short_term)
    budget = f"{used} / {short_count(reading.short_term_budget)}"
    full = _Form(24, 8, "history", whole, "short-term", budget)
    middle = _Form(14, 6, "", whole, "short-term", used)
    cost = cost_words(state.usage) if state.usage is not None else ""
    if cost:
        yield replace(full, cost=cost)
        yield replace(middle, cost=cost)
    yield full
    yield middle
    yield _Form(10, 4, "", whole, "short", "")
    yield _Form(8, 4, "", plain, "short", "")
    yield _Form(6, 3, "", plain)
    yield _Form(5, 0, "", plain)
    yield _Form(4, 0, "", share)
    yield _Form(0, 0, "", share)


_LONGEST_HISTORY_BAR = 72
_SHARE_OF_SPARE = 4
"""The short-term bar gets one of this many spare cells; the history has the rest."""


def gauge_pieces(state: GaugeState | None, width: int) -> list[Piece]:
    """Return the gauge as pieces of at most `width` cells in all; None: the session is not open yet.

    Roles: the values of `Pressure` (the bar), `word-…` of them (the word), `short` and `condensing` (the short-term
    bar), `track`, `trigger`, `ceiling`, `figures`, `cost`, `label`, `gap`.
    """
    if state is None:
        return [("opening the session", "label")] if width >= 19 else [("…", "label")]
    for form in _forms(state):
        pieces = _written(state, form, form.history_bar, form.short_bar)
        spare = width - width_of(pieces)
        if spare < 0:
            continue
        grow = min(spare, _LONGEST_HISTORY_BAR - form.history_bar) if form.history_bar else 0
        short = grow // _SHARE_OF_SPARE if form.short_bar else 0
        return _written(state, form, form.history_bar + grow - short, form.short_bar + short)
    reading = state.reading
    share = f"{reading.total / reading.window:.0%}" if reading.window else "0%"
    return [(share, f"word-{pressure(reading, state.compacting)}")] if len(share) <= width else []


def _written(state: GaugeState, form: _Form, history: int, short: int) -> list[Piece]:
    reading, compacting = state.reading, state.compacting
    now = pressure(reading, compacting)
    word = f"{now} {compacting.progress}".rstrip() if compacting is not None else now.value
    parts: list[list[Piece]] = [[(word, f"word-{now}")]]
    if form.history_label:
        parts.append([(form.history_label, "label")])
    parts.append(bar(reading.total, reading.window, history, now.value, reading.trigger, reading.ceiling))
    parts.append([(form.figures, "figures")])
    if short and reading.short_term_budget:
        if form.short_label:
            parts.append([(f"  {form.short_label}", "label")])
        role = "condensing" if state.condensing else "short"
        parts.append(bar(reading.short_term, reading.short_term_budget, short, role))
        if form.short_figures:
            parts.append([(f"{form.short_figures}{' condensing' if state.condensing else ''}", "figures")])
    if form.cost:
        parts.append([(f"  {form.cost}", "cost")])
    pieces: list[Piece] = []
    for part in filter(None, parts):
        if pieces:
            pieces.append((" ", "gap"))
        pieces += part
    return pieces
