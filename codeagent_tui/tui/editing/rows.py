"""A draft laid out in rows of a width: from an index to a place on the screen and back.

What is shown differs from the text in three places: a tab takes four columns, a stand-in shows its paste's label, and
a leading `!` or `#` moves into the margin as the prompt sign.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from codeagent_tui.text import cell_width, graphemes
from codeagent_tui.tui.editing.clusters import STAND_IN
from codeagent_tui.tui.wrapping import wrap_line

SIGN_CELLS = 2
"""The margin: prompt sign and a blank."""
_NARROW = 8
"""Below this width there is no margin."""
_TAB = "    "
_NO_BREAK = "\u00a0"

Labels: TypeAlias = Callable[[str], str]
"""Returns the label of a stand-in."""


class Place(NamedTuple):
    """A row of the draft and a column in it; the sign in the margin has negative columns."""

    row: int
    column: int


class Swap(NamedTuple):
    """One code point of the text at `raw` that is shown as `length` characters from `shown` on."""

    raw: int
    shown: int
    length: int
    is_label: bool


class Line(NamedTuple):
    """One line of the text: what it shows, cut into `(start, end)` rows."""

    shown: str
    swaps: tuple[Swap, ...]
    rows: tuple[tuple[int, int], ...]

    def to_shown(self, raw: int) -> int:
        """Return where the character at `raw` begins in what is shown."""
        at = raw
        for swap in self.swaps:
            if swap.raw >= raw:
                break
            at += swap.length - 1
        return at

    def to_raw(self, shown: int) -> int:
        """Return the text index nearest to `shown`."""
        at = shown
        for swap in self.swaps:
            if shown < swap.shown or (shown == swap.shown and swap.length):
                break
            if shown < swap.shown + swap.length:
                return swap.raw + (2 * (shown - swap.shown) > swap.length)
            at -= swap.length - 1
        return at


def lay_out_line(line: str, width: int, labels: Labels, *, sign: bool = False) -> Line:
    """Lay one line out at `width` columns; with `sign` its first character is shown in the margin."""
    if "\t" not in line and not sign and not STAND_IN.search(line):
        return Line(line, (), tuple(wrap_line(line, width)))
    parts: list[str] = []
    swaps: list[Swap] = []
    length = 0
    for index, char in enumerate(line):
        if sign and index == 0:
            part = ""
        elif char == "\t":
            part = _TAB
        elif STAND_IN.match(char):
            # Labels break only where they are wider than the row.
            part = labels(char).replace(" ", _NO_BREAK)
        else:
            parts.append(char)
            length += 1
            continue
        swaps.append(Swap(index, length, len(part), is_label=char != "\t" and bool(part)))
        parts.append(part)
        length += len(part)
    shown = "".join(parts)
    return Line(shown, tuple(swaps), tuple(wrap_line(shown, width)))


class Layout:
    """All rows of a draft. `update` lays out again only the lines that changed."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._width = 0
        self._known: dict[tuple[str, bool], Line] = {}
        self._lines: list[Line] = []
        self._line_starts: list[int] = []
        self._line_rows: list[int] = []
        self.margin = SIGN_CELLS
        self.row_count = 1
        self.update("", 80, sign=False)

    def update(self, text: str, width: int, *, sign: bool) -> None:
        """Lay `text` out for a widget `width` columns wide."""
        self.margin = SIGN_CELLS if width >= _NARROW else 0
        # One column stays free for the cursor behind a full row.
        room = max(1, width - self.margin - 1)
        known = self._known if room == self._width else {}
        self._width = room
        self._known, self._lines, self._line_starts, self._line_rows = {}, [], [], []
        start = row = 0
        for line in text.split("\n"):
            key = (line, sign and start == 0 and self.margin > 0)
            laid = known.get(key) or lay_out_line(line, room, self._labels, sign=key[1])
            self._known[key] = laid
            self._lines.append(laid)
            self._line_starts.append(start)
            self._line_rows.append(row)
            start += len(line) + 1
            row += len(laid.rows)
        self.row_count = row

    def place(self, index: int) -> Place:
        """Return where the character at `index` is shown."""
        number = bisect_right(self._line_starts, index) - 1
        line = self._lines[number]
        raw = index - self._line_starts[number]
        if raw == 0 and line.swaps and line.swaps[0].length == 0:
            return Place(self._line_rows[number], -self.margin)
        shown = line.to_shown(raw)
        row = bisect_right(line.rows, (shown, len(line.shown) + 1)) - 1
        return Place(self._line_rows[number] + row, cell_width(line.shown[line.rows[row][0] : shown]))

    def index_at(self, row: int, column: int) -> int:
        """Return the index whose place is nearest to `column` of `row`; rows outside are taken as the nearest."""
        row = min(max(row, 0), self.row_count - 1)
        number = bisect_right(self._line_rows, row) - 1
        line, first = self._lines[number], self._line_starts[number]
        start, end = line.rows[row - self._line_rows[number]]
        if column < 0 and row == 0 and line.swaps and line.swaps[0].length == 0:
            return first
        used, at = 0, start
        for begin, stop, cells in graphemes(line.shown[start:end]):
            if used + cells > column:
                break
            used += cells
            at = start + stop
            if at == end and end < len(line.shown):
                # The place behind the last character of a wrapped row is the start of the next one.
                at = start + begin
        return first + line.to_raw(at)

    def shown(self, row: int) -> str:
        """Return what `row` shows."""
        line, start, end = self._row(row)
        return line.shown[start:end]

    def shown_span(self, row: int, start: int, end: int) -> tuple[int, int]:
        """Return which part of what `row` shows lies between the text indices `start` and `end`."""
        line, first, last = self._row(row)
        origin = self._line_starts[bisect_right(self._line_rows, row) - 1]
        low = line.to_shown(max(0, start - origin)) if start > origin else 0
        high = line.to_shown(end - origin) if end >= origin else 0
        return min(max(low, first), last) - first, min(max(high, first), last) - first

    def labels_in(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the parts of what `row` shows that are labels of pastes."""
        line, start, end = self._row(row)
        for swap in line.swaps:
            first, last = max(swap.shown, start), min(swap.shown + swap.length, end)
            if swap.is_label and first < last:
                yield first - start, last - start

    def _row(self, row: int) -> tuple[Line, int, int]:
        number = bisect_right(self._line_rows, row) - 1
        line = self._lines[number]
        start, end = line.rows[row - self._line_rows[number]]
        return line, start, end
