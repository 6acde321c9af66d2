"""Which rows of the document are on the screen: it follows the end, or it keeps the reader's first line in place.

The place of a reader is a part and a row in it, never a row number of the document: whatever grows, folds or is
measured above, the first visible row stays the same. Only the reader's own scrolling begins or ends following.
"""

from __future__ import annotations

from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.document import Document
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Row


class Viewport:
    """A window of `height` rows onto `document`."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._index = document.index
        self.height = 0
        self.following = True
        self._part: Part | None = None
        self._row = 0
        """The first visible row: its part, and its number in the part."""
        self._reading: tuple[int, int] | None = None
        """Line and character that stood first when the width last changed, until the reader scrolls."""

    def place(self) -> int:
        """Measure what is visible and return the number of the first visible row in the document."""
        if self._document.width <= 0 or self.height <= 0:
            return 0
        if not self.following and self._lay_out_downwards():
            return self._top()
        return self._place_at_end()

    def scroll_by(self, rows: int) -> int:
        """Move by `rows` (upwards when negative), exactly, though heights may be estimates; return the first row."""
        if self.following or self._part is None:
            self._place_at_end()
        self._recover()
        self._row += rows
        self._settle_row()
        return self._after_scrolling()

    def scroll_to(self, row: int) -> int:
        """Go to row number `row` of the document as it is known now; return the first row."""
        self._part, self._row = self._index.at(row) or (self._index.last, 0)
        return self._after_scrolling()

    def reveal(self, block: Block) -> None:
        """Scroll, if it must be, so that the beginning of `block` is visible."""
        first = block.parts[0]
        top = self._top() if self._part is not None and self._part.shelf is not None else 0
        row = self._index.top_of(first)
        if not top <= row < top + self.height:
            self._part, self._row = first, 0
            self._after_scrolling()

    def _after_scrolling(self) -> int:
        self._reading = None
        if self._document.width > 0 and self.height > 0:
            self._lay_out_downwards()
            self.following = self._at_end()
        return self.place()

    def rewrap(self, width: int) -> None:
        """Take another width, keeping the text of the first row in the first row."""
        if width == self._document.width:
            return
        part = self._part
        if self.following or part is None:
            self._reading = None
        elif self._reading is None and part.layout is not None and self._row < len(part.layout.rows):
            self._reading = _place_of(part.layout.rows[self._row])
        self._document.set_width(width)
        if self._reading is not None and part is not None and self._document.measure(part):
            places = [_place_of(row) for row in self._document.layout_of(part).rows]
            self._row = max((index for index, place in enumerate(places) if place <= self._reading), default=0)

    def _top(self) -> int:
        return self._index.top_of(self._part) + self._row if self._part is not None else 0

    def _settle_row(self) -> None:
        """Make `_row` a row of `_part` again, going to the parts above or below."""
        part, row = self._part, self._row
        while part is not None:
            if not self._document.measure(part):
                if part.shelf is None:
                    part, row = part.block.parts[0], 0
            elif row < 0:
                above = self._measured_above(part)
                if above is None:
                    row = 0
                    break
                part = above
                row += part.height
            elif row >= part.height:
                below = self._index.below(part)
                if below is None:
                    row = max(0, part.height - 1)
                    break
                row -= part.height
                part = below
            else:
                break
        self._part, self._row = part, row

    def _measured_above(self, part: Part | None) -> Part | None:
        """Return the part over `part` (None: the last one), measured."""
        while True:
            above = self._index.above(part) if part is not None else self._index.last
            if above is None or self._document.measure(above):
                return above

    def _lay_out_downwards(self) -> bool:
        """Measure from the first visible row down; False when the document ends before the window does."""
        self._recover()
        part, left = self._part, self.height + self._row
        while part is not None:
            if not self._document.measure(part):
                if part.shelf is None:
                    replacement = part.block.parts[0]
                    if part is self._part:
                        self._part, self._row, left = replacement, 0, self.height
                    part = replacement
                continue
            if part is self._part and self._row >= part.height:
                # It shrank (folded, or another width): its last row is the nearest to what was read.
                left -= self._row - max(0, part.height - 1)
                self._row = max(0, part.height - 1)
            left -= part.height
            if left <= 0:
                return True
            part = self._index.below(part)
        return False

    def _recover(self) -> None:
        """Find the nearest part when the one at the top is gone."""
        part = self._part
        if part is None or part.shelf is not None:
            return
        self._part = part.block.parts[0] if part.block.parts else self._index.last
        self._row = 0
        self._reading = None

    def _at_end(self) -> bool:
        """Whether the last row of the document is visible, given that everything from the first row on is measured."""
        part, left = self._part, self.height + self._row
        while part is not None:
            left -= part.height
            if left < 0:
                return False
            part = self._index.below(part)
        return True

    def _place_at_end(self) -> int:
        first: Part | None = None
        missing = self.height
        while missing > 0:
            above = self._measured_above(first)
            if above is None:
                break
            first = above
            missing -= above.height
        self._part, self._row = first, max(0, -missing)
        return self._top()


def _place_of(row: Row) -> tuple[int, int]:
    """Return line and character that a row begins with."""
    return row.line, next((span.at for span in row.spans if span.at >= 0), 0)
