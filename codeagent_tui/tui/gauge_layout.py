"""What the budget gauge says at a width: bars, figures and the word for the state. Pure, so it is easy to test."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from codeagent_tui.tui.pieces import Piece, width_of

if TYPE_CHECKING:
    from codeagent_tui.conversation.events import ContextReading

FILLED, EMPTY, TRIGGER = "▆", "▁", "┃"
NEAR_SHARE = 0.8
"""From this share of the trigger on, the state is called near."""


class Pressure(StrEnum):
    """How full the history is: the word on the screen."""

    CALM = "calm"
    NEAR = "near"
    OVER = "over"


def pressure(reading: ContextReading) -> Pressure:
    """Return the state: over at the trigger, near from `NEAR_SHARE` of it."""
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


def bar(filled: int, whole: int, width: int, role: str, mark: int = 0) -> list[Piece]:
    """Return a bar of `width` cells for `filled` of `whole`; `mark` (of `whole`) is drawn as a line, 0 for none.

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


def _forms(reading: ContextReading) -> list[_Form]:
    total, window = short_count(reading.total), short_count(reading.window)
    share = f"{reading.total / reading.window:.0%}" if reading.window else "0%"
    plain = f"{total} / {window}"
    whole = f"{plain} · trigger {short_count(reading.trigger)}"
    used = short_count(reading.short_term)
    budget = f"{used} / {short_count(reading.short_term_budget)}"
    return [
        _Form(24, 8, "history", whole, "short-term", budget),
        _Form(14, 6, "", whole, "short-term", used),
        _Form(10, 4, "", whole, "short", ""),
        _Form(8, 4, "", plain, "short", ""),
        _Form(6, 3, "", plain),
        _Form(5, 0, "", plain),
        _Form(4, 0, "", share),
        _Form(0, 0, "", share),
    ]


_LONGEST_HISTORY_BAR = 72
_SHARE_OF_SPARE = 4
"""The short-term bar gets one of this many spare cells; the history has the rest."""


def gauge_pieces(reading: ContextReading | None, width: int) -> list[Piece]:
    """Return the gauge as pieces of at most `width` cells in all.

    Roles: `calm`, `near`, `over` (word and bar), `word-…` for the word, `short`, `track`, `trigger`, `figures`,
    `label`, `gap`.
    """
    if reading is None:
        return [("opening the session", "label")] if width >= 19 else [("…", "label")]
    state = pressure(reading)
    for form in _forms(reading):
        pieces = _written(reading, form, state, form.history_bar, form.short_bar)
        spare = width - width_of(pieces)
        if spare < 0:
            continue
        grow = min(spare, _LONGEST_HISTORY_BAR - form.history_bar) if form.history_bar else 0
        short = grow // _SHARE_OF_SPARE if form.short_bar else 0
        return _written(reading, form, state, form.history_bar + grow - short, form.short_bar + short)
    share = f"{reading.total / reading.window:.0%}" if reading.window else "0%"
    return [(share, f"word-{state}")] if len(share) <= width else []


def _written(reading: ContextReading, form: _Form, state: Pressure, history: int, short: int) -> list[Piece]:
    parts: list[list[Piece]] = [[(state.value, f"word-{state}")]]
    if form.history_label:
        parts.append([(form.history_label, "label")])
    parts.append(bar(reading.total, reading.window, history, state.value, reading.trigger))
    parts.append([(form.figures, "figures")])
    if short and reading.short_term_budget:
        if form.short_label:
            parts.append([(f"  {form.short_label}", "label")])
        parts.append(bar(reading.short_term, reading.short_term_budget, short, "short"))
        if form.short_figures:
            parts.append([(form.short_figures, "figures")])
    pieces: list[Piece] = []
    for part in filter(None, parts):
        if pieces:
            pieces.append((" ", "gap"))
        pieces += part
    return pieces
