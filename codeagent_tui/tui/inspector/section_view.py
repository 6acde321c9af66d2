"""A scrolling text of foldable sections with a cursor: the line API draws what is visible, threads lay out the rest."""

from __future__ import annotations

import asyncio
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from codeagent_tui.tui.inspector.cursor_rows import ROW_EDGES, CursorRows
from codeagent_tui.tui.inspector.sections import Hit, Laid, Section, find, lay_out, pattern_of
from codeagent_tui.tui.pieces import Piece, on_both_sides

_INDENT = 2
_OPEN, _FOLDED, _PLAIN = "▾", "▸", " "
_ROLES = ("lead", "name", "text", "muted", "head", "place", "added", "removed", "title", "figure")


class SectionView(CursorRows):
    """Shows sections; which are open, the cursor and the place survive another set of them (by their keys)."""

    PREFIX = "sections"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"sections--{role}" for role in _ROLES),
        "sections--cursor",
        "sections--picked",
        "sections--found",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left_square_bracket,K", "section(-1)", show=False),
        Binding("right_square_bracket,J", "section(1)", show=False),
        Binding("enter,space", "fold", show=False),
        Binding("z", "fold_all", show=False),
        Binding("n", "next_hit(1)", show=False),
        Binding("N", "next_hit(-1)", show=False),
    ]

    class Moved(Message):
        """The cursor stands in another section."""

    class Searched(Message):
        """The search stands at `place` of `total` places (0 of 0: there is none)."""

        def __init__(self, place: int, total: int) -> None:
            super().__init__()
            self.place, self.total = place, total

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sections: Sequence[Section] = ()
        self._open: set[str] = set()
        self._laid: dict[str, Laid] = {}
        self._starts: list[int] = []
        self._pattern: re.Pattern[str] | None = None
        self._hits: list[Hit] = []
        self._told = ""

    # What is shown.

    async def show(self, sections: Sequence[Section], *, opened: Iterable[str] = ()) -> None:
        """Show other sections; `opened` are open the first time that they are shown."""
        known = {section.key for section in self.sections}
        self._open |= {key for key in opened if key not in known}
        laid = await self._laid_out([section for section in sections if section.key in self._open], self._text_width)
        held, before = self._place(), self.current
        self.sections, self._laid, self._hits = sections, laid, []
        self._count_rows()
        self._go_back_to(held)
        if (self.current and self.current.key) != (before and before.key):
            self.post_message(self.Moved())
        await self._find()

    async def _laid_out(self, sections: Iterable[Section], width: int) -> dict[str, Laid]:
        laid: dict[str, Laid] = {}
        for section in sections:
            held = self._laid.get(section.key)
            fits = held is not None and held.width == width and held.section == section
            laid[section.key] = held if fits and held else await asyncio.to_thread(lay_out, section, width)
        return laid

    def _count_rows(self) -> None:
        heights = (1 + len(self._laid[s.key].rows) if s.key in self._laid else 1 for s in self.sections)
        *self._starts, count = accumulate(heights, initial=0)
        self.set_row_count(count)

    @property
    def _text_width(self) -> int:
        # The scrollbar's column is always kept free: text that wraps anew when it appears would jump.
        return max(1, self.content_region.width - _INDENT - ROW_EDGES - self.styles.scrollbar_size_vertical)

    async def on_resize(self, event: events.Resize) -> None:
        """Wrap again at the new width, with the same place at the cursor."""
        if any(laid.width != self._text_width for laid in self._laid.values()):
            self.run_worker(self._wrap_again(), group="wrap", exclusive=True)
        else:
            self._count_rows()
            self.show_cursor()

    async def _wrap_again(self) -> None:
        laid = await self._laid_out([s for s in self.sections if s.key in self._laid], self._text_width)
        held = self._place()
        self._laid = {key: one for key, one in laid.items() if key in self._open}
        self._count_rows()
        self._go_back_to(held)

    # Where the cursor is.

    @property
    def current(self) -> Section | None:
        """The section that the cursor is in."""
        return self.sections[self._section_at(self.at)] if self.at < self.row_count else None

    def _section_at(self, row: int) -> int:
        return bisect_right(self._starts, row) - 1

    def _place(self) -> tuple[str, int, int]:
        """Return the cursor's section, its line there (-1: the heading), and the rows above it on the screen."""
        if not self.at < self.row_count:
            return "", -1, 0
        index = self._section_at(self.at)
        row = self.at - self._starts[index] - 1
        key = self.sections[index].key
        line = self._laid[key].rows[row][0] if row >= 0 else -1
        return key, line, self.rows_above_cursor

    def _go_back_to(self, place: tuple[str, int, int]) -> None:
        key, line, above = place
        index = next((i for i, section in enumerate(self.sections) if section.key == key), None)
        self.put_cursor(self.at if index is None else self._row_of(index, line), above)

    def cursor_moved(self) -> None:
        """Tell when it came into another section."""
        section = self.current
        if section is not None and section.key != self._told:
            self._told = section.key
            self.post_message(self.Moved())

    def _row_of(self, index: int, line: int, start: int = 0) -> int:
        laid = self._laid.get(self.sections[index].key)
        row = self._starts[index]
        if laid is None or line < 0:
            return row
        within = bisect_right(laid.rows, (line, start, sys.maxsize))
        return row + max(1, min(within, len(laid.rows)))

    def action_section(self, by: int) -> None:
        """Go to the heading of the next section, or to that of this one, then of the one before."""
        if self.row_count:
            index = self._section_at(self.at)
            inside = self.at > self._starts[index]
            self.move_cursor(self._starts[max(0, min(index + by + (inside and by < 0), len(self.sections) - 1))])

    def on_click(self, event: events.Click) -> None:
        """Put the cursor there; on a heading, fold or unfold."""
        row = event.y + self.scroll_offset.y
        if row < self.row_count:
            self.move_cursor(row)
            if row == self._starts[self._section_at(row)]:
                self.action_fold()

    # Folding.

    def action_fold(self) -> None:
        """Fold or unfold the section at the cursor."""
        section = self.current
        if section is None or not section.text:
            return
        if section.key in self._open:
            self._open.discard(section.key)
            self._laid.pop(section.key, None)
            self.at = self._starts[self._section_at(self.at)]
            self._count_rows()
            self.show_cursor()
        else:
            self.run_worker(self.unfold(section), group="unfold")

    def action_fold_all(self) -> None:
        """Unfold everything; when everything is open, fold it."""
        closed = [section for section in self.sections if section.text and section.key not in self._open]
        if closed:
            self.run_worker(self.unfold(*closed), group="unfold")
            return
        held = self._place()
        self._open.clear()
        self._laid.clear()
        self._count_rows()
        self._go_back_to((held[0], -1, held[2]))

    async def unfold(self, *sections: Section) -> None:
        """Show the texts of `sections`."""
        self._open |= {section.key for section in sections}
        laid = await self._laid_out(sections, self._text_width)
        held = self._place()
        self._laid |= {key: one for key, one in laid.items() if key in self._open}
        self._count_rows()
        self._go_back_to(held)

    # Searching.

    async def search(self, words: str) -> None:
        """Mark all places of `words` ("": none) and go to the first one at or after the cursor."""
        self._pattern = pattern_of(words) if words else None
        self._hits = []
        self.refresh()
        await self._find()
        await self._go_to_hit(0)

    async def _find(self) -> None:
        sections, pattern = self.sections, self._pattern
        hits = await asyncio.to_thread(find, sections, pattern) if pattern else []
        if sections is self.sections and pattern is self._pattern:
            self._hits = hits

    def action_next_hit(self, by: int) -> None:
        """Go to the next place, or (-1) to the one before."""
        if self._hits:
            self.run_worker(self._go_to_hit(by), group="hit", exclusive=True)

    async def _go_to_hit(self, by: int) -> None:
        if not self._hits:
            self.post_message(self.Searched(0, 0))
            return
        index = self._section_at(self.at) if self.row_count else 0
        _, line, _ = self._place()
        here = (index, line)
        after = [n for n, hit in enumerate(self._hits) if (hit.section, hit.line) >= here]
        at = after[0] if after else 0
        standing = (self._hits[at].section, self._hits[at].line) == here
        if by > 0 and standing:
            at = next((n for n in after if (self._hits[n].section, self._hits[n].line) > here), 0)
        elif by < 0:
            at = (at if after else len(self._hits)) - 1
        hit = self._hits[at % len(self._hits)]
        section = self.sections[hit.section]
        if hit.line >= 0 and section.key not in self._laid:
            await self.unfold(section)
        self.move_cursor(self._row_of(hit.section, hit.line, hit.start))
        self.post_message(self.Searched(at % len(self._hits) + 1, len(self._hits)))

    # Drawing.

    def row_pieces(self, row: int, width: int) -> list[Piece]:
        """Return a heading, or a row of an open section's text."""
        index = self._section_at(row)
        within = row - self._starts[index] - 1
        return self._heading(index, width) if within < 0 else self._text_row(index, within)

    def _heading(self, index: int, width: int) -> list[Piece]:
        section = self.sections[index]
        is_open = section.key in self._laid
        sign = _PLAIN if not section.text else _OPEN if is_open else _FOLDED
        left: list[Piece] = [(f"{sign} ", "figure"), (section.title, "name" if section.text else "title")]
        if section.note:
            left.append((f"  {section.note}", "muted"))
        if not is_open and section.text:
            left.append((f"  {section.preview}", "muted"))
        return on_both_sides(left, [(section.figure, "figure")] if section.figure else [], width)

    def _text_row(self, index: int, within: int) -> list[Piece]:
        laid = self._laid[self.sections[index].key]
        line, start, end = laid.rows[within]
        text, role = laid.lines[line]
        return [(" " * _INDENT, "text"), (text[start:end], role)]

    def row_segments(self, pieces: Iterable[Piece], here: bool) -> Iterable[Segment]:
        """Return the pieces with their styles, what was searched for marked."""
        for text, role in pieces:
            style = self.style_of(role, here)
            if self._pattern is None:
                yield Segment(text, style)
                continue
            at = 0
            for match in self._pattern.finditer(text):
                if match.start() > at:
                    yield Segment(text[at : match.start()], style)
                yield Segment(match[0], style + self.get_component_rich_style("sections--found", partial=True))
                at = match.end()
            if at < len(text):
                yield Segment(text[at:], style)
