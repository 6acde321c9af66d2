"""What a list says of a session: two rows, cut to the width. Pure, so it is easy to test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeagent_tui.byte_sizes import shown_size
from codeagent_tui.text import cell_width, cut_cells, one_line
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.pieces import Piece, on_both_sides

if TYPE_CHECKING:
    from codeagent_tui.sessions.summary import SessionSummary

NO_TITLE = "(nothing said)"
_LONGEST = 200
_LEAST_FOR_FIRST = 50
"""Columns for the words; with fewer only the last ones are shown."""


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session of the list. `size` is in bytes, `here` whether it belongs to the present folder."""

    summary: SessionSummary
    size: int
    here: bool = True

    @property
    def title(self) -> str:
        """What it is about, on one line."""
        return one_line(self.summary.title, _LONGEST) or NO_TITLE

    def matches(self, words: list[str]) -> bool:
        """Whether all of `words` (in lower case) are in what is shown of it."""
        summary = self.summary
        parts = (summary.title, summary.first, summary.last, summary.session_id, "" if self.here else summary.cwd)
        text = "\n".join(parts).lower()
        return all(word in text for word in words)


def session_rows(listed: ListedSession, width: int, now: float, *, current: str, folders: bool) -> list[list[Piece]]:
    """Return the two rows of a session at `width` columns.

    Args:
        listed: The session.
        width: The columns there are.
        now: The time in seconds since the epoch.
        current: The id of the session that is open.
        folders: Whether sessions of several folders are in the list.
    """
    summary = listed.summary
    is_open = summary.session_id == current
    left: list[Piece] = [("● " if is_open else "  ", "title"), (listed.title, "title")]
    states = [] if is_open or summary.ended else ["not ended"]
    states += ["fork"] if summary.parent else []
    when = age(now - summary.modified)
    right: list[Piece] = [(f"{' · '.join(states)}  ", "state")] if states and width >= _LEAST_FOR_FIRST else []
    figures = _figures(listed)
    room = width - cell_width(figures) - 4
    below: list[Piece] = [("  ", "muted"), (cut_cells(_words(listed, room, folders=folders), max(0, room)), "muted")]
    return [
        on_both_sides(left, [*right, (when, "muted")], width),
        on_both_sides(below, [(figures, "muted")], width),
    ]


def _figures(listed: ListedSession) -> str:
    summary = listed.summary
    turns = f"{summary.turns} turn{'' if summary.turns == 1 else 's'}" if summary.turns else ""
    tokens = f"{short_count(summary.tokens)} tokens" if summary.tokens else ""
    return " · ".join(filter(None, (turns, tokens, shown_size(listed.size))))


def _words(listed: ListedSession, room: int, *, folders: bool) -> str:
    """Return the first and the last words; the first ones only where the title is not made of them."""
    summary = listed.summary
    parts = []
    if folders:
        parts.append("this folder" if listed.here else cut_cells(one_line(summary.cwd), max(12, room // 2)))
    first, last = one_line(summary.first), one_line(summary.last)
    if first and first != last and not first.startswith(listed.title.rstrip("…")) and room >= _LEAST_FOR_FIRST:
        parts.append(cut_cells(first, room // 3))
    parts.append(last)
    return " … ".join(filter(None, parts))
