"""What `/context` draws of the window: a map of its parts, their figures, growth and pace. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeagent_tui.text import cell_width, one_line
from codeagent_tui.tui.gauge_layout import CEILING, TRIGGER, cost_words, short_count
from codeagent_tui.tui.pieces import Piece, cut_pieces, on_both_sides, width_of

if TYPE_CHECKING:
    from codeagent_tui.context.picture import ContextItem, ContextPicture
    from codeagent_tui.conversation.messages import Usage

SPARKS = "▁▂▃▄▅▆▇█"
_SWATCH = "■"
_EMPTY = "·"
_MOST_SPARKS = 48
_LEGEND_CELL = 34
"""Columns of one entry of the legend, the gap after it included."""
PART_ROLES = {
    "system prompt": "system",
    "tool schemas": "tools",
    "project memory": "project",
    "long-term memory": "facts",
    "summary": "summary",
    "recalled": "recalled",
    "you": "you",
    "answers": "answers",
    "tool results": "results",
}
_OTHER = "system"


def map_rows(picture: ContextPicture, usage: Usage, width: int) -> list[list[Piece]]:
    """Return the rows above the list of messages, each of at most `width` columns.

    Roles: those of `PART_ROLES` for swatches, `on-…` of them for stretches of the map, `trigger`, `ceiling`, `empty`,
    `name`, `figures`, `label`, `strong`, `spark`, `gap`.
    """
    rows = [
        _headline(picture, width),
        [],
        window_map(picture, width),
        _marks(picture, width),
        [],
        *_legend(picture, width),
        [],
        *_growth(picture, width),
        _beside(picture, usage, width),
    ]
    return [cut_pieces(row, width) for row in rows]


def _headline(picture: ContextPicture, width: int) -> list[Piece]:
    reading = picture.reading
    share = f"{reading.total / reading.window:.0%}" if reading.window else "0%"
    left: list[Piece] = [
        (f"{short_count(reading.total)} of {short_count(reading.window)} tokens", "strong"),
        (f"  {share} of the window", "name"),
    ]
    how = "calibrated by the provider's own count" if reading.measured else "estimated; no provider's count yet"
    return on_both_sides(left, [(how, "label")] if width >= 70 else [], width)


def window_map(picture: ContextPicture, width: int) -> list[Piece]:
    """Return the window as one row: its parts side by side, each as wide as its share, then what is free.

    A stretch holds as much of its part's name as fits. No part is without a cell while there is room.
    """
    window = max(picture.reading.window, picture.reading.total, 1)
    cells: list[tuple[str, str]] = []
    done = 0
    for index, part in enumerate(picture.parts):
        done += part.tokens
        # Rounded from the left edge on, so that the errors do not add up; a cell is kept for each part that follows.
        most = width - len(cells) - (len(picture.parts) - 1 - index)
        count = max(1, min(most, round(done / window * width) - len(cells)))
        role = PART_ROLES.get(part.name, _OTHER)
        label = f" {part.name}" if count >= cell_width(part.name) + 2 else ""
        cells += [(char, f"on-{role}") for char in f"{label:<{count}}"]
    cells = cells[:width]
    cells += [(_EMPTY, "empty")] * (width - len(cells))
    reading = picture.reading
    for mark, glyph, role in ((reading.ceiling, CEILING, "ceiling"), (reading.trigger, TRIGGER, "trigger")):
        if 0 < mark < window:
            cells[min(width - 1, round(mark / window * width))] = (glyph, role)
    pieces: list[Piece] = []
    for glyph, role in cells:
        if pieces and pieces[-1][1] == role:
            pieces[-1] = (pieces[-1][0] + glyph, role)
        else:
            pieces.append((glyph, role))
    return pieces


def _marks(picture: ContextPicture, width: int) -> list[Piece]:
    """Return the row below the map: what its two lines are, as near to them as there is room."""
    reading = picture.reading
    words = f"compaction at {short_count(reading.trigger)} {TRIGGER}"
    ceiling = f"{CEILING} ceiling {short_count(reading.ceiling)}"
    window = max(reading.window, reading.total, 1)
    end = min(width, round(reading.trigger / window * width) + 1)
    if cell_width(words) > end:
        return [(words, "label"), (f"  {ceiling}", "label")]
    left = " " * (end - cell_width(words)) + words
    gap = " " * max(1, round(reading.ceiling / window * width) - end)
    if cell_width(left + gap + ceiling) > width:
        left = f"{words} · {ceiling}".rjust(width)
        return [(left, "label")]
    return [(left, "label"), (gap, "gap"), (ceiling, "label")]


def _legend(picture: ContextPicture, width: int) -> Iterator[list[Piece]]:
    columns = max(1, width // _LEGEND_CELL)
    parts = list(picture.parts)
    rows = -(-len(parts) // columns)
    total = max(1, picture.reading.total)
    for row in range(rows):
        line: list[Piece] = []
        for part in parts[row::rows]:
            figures = f"{short_count(part.tokens):>6} {_share(part.tokens, total):>4}"
            room = min(_LEGEND_CELL, width) - 3 - cell_width(figures) - 3
            line += [
                (f"{_SWATCH} ", PART_ROLES.get(part.name, _OTHER)),
                (f"{part.name:<{max(1, room)}.{max(1, room)}}", "name"),
                (f" {figures}", "figures"),
                ("   ", "gap"),
            ]
        yield line


def _share(tokens: int, whole: int) -> str:
    if not whole:
        return ""
    share = tokens / whole
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def sparkline(values: Sequence[int]) -> str:
    """Return a column for each value, as high as its share of the largest one; nothing for none."""
    most = max(values, default=0)
    return "".join(SPARKS[min(len(SPARKS) - 1, value * len(SPARKS) // (most + 1))] for value in values)


def _growth(picture: ContextPicture, width: int) -> Iterator[list[Piece]]:
    if not picture.growth:
        yield [("growth  ", "label"), ("nothing was said yet", "name")]
        return
    words = _pace_words(picture)
    room = max(8, min(_MOST_SPARKS, width - cell_width(words) - 12))
    shown = picture.growth[-room:]
    line: list[Piece] = [("growth  ", "label"), (sparkline(shown), "spark"), ("  ", "gap")]
    if width_of(line) + cell_width(words) <= width:
        yield [*line, (words, "name")]
    else:
        yield line
        yield [("        ", "gap"), (words, "name")]


def _pace_words(picture: ContextPicture) -> str:
    pace = f"{short_count(picture.pace)} a turn"
    match picture.turns_left:
        case None:
            return pace
        case 0:
            return f"{pace} · a compaction is due now"
        case 1:
            return f"{pace} · at this pace the next turn brings a compaction"
        case left:
            return f"{pace} · at this pace a compaction in about {left:,} turns"


def _beside(picture: ContextPicture, usage: Usage, width: int) -> list[Piece]:
    reading = picture.reading
    short = f"{short_count(reading.short_term)} of {short_count(reading.short_term_budget)}"
    pieces: list[Piece] = [("short-term memory  ", "label"), (short, "name")]
    cost = cost_words(usage)
    if cost:
        pieces += [("   session so far  ", "label"), (cost, "name")]
    return pieces


def item_row(item: ContextItem, window: int, width: int) -> list[Piece]:
    """Return one of the largest messages as a row: its tokens, its share of the window, what it is, its turn."""
    share = _share(item.tokens, window)
    turn = f"turn {item.turn}" if item.turn else "before"
    left: list[Piece] = [(f"{short_count(item.tokens):>6} {share:>4}  ", "muted"), (one_line(item.name), "title")]
    if item.detail:
        left.append((f"  {item.detail}", "muted"))
    return on_both_sides(left, [(f"  {turn:>8}", "muted")], width)
