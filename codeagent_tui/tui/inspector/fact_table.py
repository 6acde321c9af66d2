"""The columns of the table of facts, at any width. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.retriever import Injection
from codeagent_tui.text import cell_width, cut_cells
from codeagent_tui.tui.inspector.fact_rows import FactRow
from codeagent_tui.tui.pieces import Piece

INJECTED, NO_ROOM = "◆", "◇"
"""In the prompt for the message; fits it, but not the budget."""
_WIDE, _MIDDLE, _NARROW = 72, 40, 24
_LONGEST_PROJECT = 14
_AGES = ((365 * 86_400, "y"), (86_400, "d"), (3_600, "h"), (60, "m"))


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of each column; 0: not there. Before each but the first two stands one blank more."""

    text: int
    scope: int
    project: int
    age: int
    recalls: int


def columns(width: int) -> Columns:
    """Return the columns for `width` cells."""
    if width >= _WIDE:
        scope, project, age, recalls = 7, _LONGEST_PROJECT, 4, 8
    elif width >= _MIDDLE:
        scope, project, age, recalls = 0, 8, 4, 4
    elif width >= _NARROW:
        scope, project, age, recalls = 0, 0, 4, 0
    else:
        scope = project = age = recalls = 0
    others = sum(cells + 1 for cells in (scope, project, age, recalls) if cells)
    return Columns(max(0, width - 2 - others), scope, project, age, recalls)


def header(width: int) -> list[Piece]:
    """Return the names of the columns."""
    at = columns(width)
    project = "project" if at.scope else "where"
    recalls = "recalled" if at.recalls == 8 else "×"
    named = [(project, at.project), ("age", -at.age), (recalls, -at.recalls)]
    return [("  " + _fitted("fact", at.text), "muted"), *_cells([("scope", at.scope), *named], "muted")]


def fact_pieces(row: FactRow, injection: Injection | None, recalls: int, now: float, width: int) -> list[Piece]:
    """Return a row of the table; `now` is in seconds since the epoch."""
    at = columns(width)
    mark, role = ("  ", "text")
    if injection is not None:
        mark, role = (f"{INJECTED} ", "good") if injection.injected else (f"{NO_ROOM} ", "warning")
    where = row.project if at.scope else row.project or "global"
    cells = [
        (str(row.entry.scope or Scope.GLOBAL), at.scope),
        (where, at.project),
        (short_age(now - row.entry.timestamp), -at.age),
        (f"{recalls}×" if recalls else "", -at.recalls),
    ]
    text_role = "muted" if row.is_elsewhere else "text"
    return [(mark, role), (_fitted(row.text, at.text), text_role), *_cells(cells, "muted")]


def short_age(seconds: float) -> str:
    """Return an age in at most four characters: `now`, `5m`, `3h`, `12d`, `2y`; a moment to come is `now`."""
    for size, unit in _AGES:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"


def _cells(cells: list[tuple[str, int]], role: str) -> list[Piece]:
    return [(" " + _fitted(text, width), role) for text, width in cells if width]


def _fitted(text: str, width: int) -> str:
    """Return `text` in exactly `abs(width)` cells; a negative width sets it right."""
    text = cut_cells(text, abs(width))
    gap = " " * (abs(width) - cell_width(text))
    return gap + text if width < 0 else text + gap
