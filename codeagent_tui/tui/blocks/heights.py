"""Which part stands at which row: an index of heights that can grow, shrink and be corrected in its middle.

Parts lie on shelves of at most `_FULL`; each shelf knows its sum. With 10,000 parts there are about 80 shelves, so that
finding a row, or the top of a part, takes some two hundred additions, and no change moves more than one shelf.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeagent_tui.tui.blocks.part import Part

_FULL = 256


class Shelf:
    """Some parts in order, and the sum of their heights."""

    __slots__ = ("height", "parts")

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts
        self.height = sum(part.height for part in parts)
        for part in parts:
            part.shelf = self


class HeightIndex:
    """The parts of the transcript from top to bottom."""

    def __init__(self) -> None:
        self._shelves: list[Shelf] = []
        self.height = 0
        """Rows of all parts together."""

    def __iter__(self) -> Iterator[Part]:
        for shelf in self._shelves:
            yield from shelf.parts

    @property
    def last(self) -> Part | None:
        """The lowest part."""
        return self._shelves[-1].parts[-1] if self._shelves else None

    def clear(self) -> None:
        """Take everything out."""
        for part in self:
            part.shelf = None
        self._shelves.clear()
        self.height = 0

    def append(self, part: Part) -> None:
        """Put `part` below all others."""
        if not self._shelves or len(self._shelves[-1].parts) >= _FULL // 2:
            self._shelves.append(Shelf([]))
        self._put(self._shelves[-1], len(self._shelves[-1].parts), part)

    def insert_after(self, above: Part, part: Part) -> None:
        """Put `part` directly below `above`."""
        shelf = self._shelf_of(above)
        self._put(shelf, shelf.parts.index(above) + 1, part)
        if len(shelf.parts) > _FULL:
            self._split(shelf)

    def insert_before(self, below: Part, part: Part) -> None:
        """Put `part` directly above `below`."""
        shelf = self._shelf_of(below)
        self._put(shelf, shelf.parts.index(below), part)
        if len(shelf.parts) > _FULL:
            self._split(shelf)

    def _put(self, shelf: Shelf, place: int, part: Part) -> None:
        part.shelf = shelf
        shelf.parts.insert(place, part)
        shelf.height += part.height
        self.height += part.height

    def _split(self, shelf: Shelf) -> None:
        half = len(shelf.parts) // 2
        self._shelves.insert(self._shelves.index(shelf) + 1, Shelf(shelf.parts[half:]))
        del shelf.parts[half:]
        shelf.height = sum(part.height for part in shelf.parts)

    def remove(self, part: Part) -> None:
        """Take `part` out."""
        shelf = self._shelf_of(part)
        shelf.parts.remove(part)
        shelf.height -= part.height
        self.height -= part.height
        part.shelf = None
        if not shelf.parts:
            self._shelves.remove(shelf)

    def resize(self, part: Part, height: int) -> int:
        """Set the height of `part`; return by how much it grew."""
        grown = height - part.height
        if grown:
            part.height = height
            self._shelf_of(part).height += grown
            self.height += grown
        return grown

    def resize_all(self, heights: Iterable[int]) -> None:
        """Set every height, from top to bottom."""
        numbers = iter(heights)
        for shelf in self._shelves:
            for part in shelf.parts:
                part.height = next(numbers)
            shelf.height = sum(part.height for part in shelf.parts)
        self.height = sum(shelf.height for shelf in self._shelves)

    def top_of(self, part: Part) -> int:
        """Return the row at which `part` begins."""
        mine = self._shelf_of(part)
        top = 0
        for shelf in self._shelves:
            if shelf is mine:
                break
            top += shelf.height
        for other in mine.parts:
            if other is part:
                break
            top += other.height
        return top

    def at(self, row: int) -> tuple[Part, int] | None:
        """Return the part that row `row` belongs to and the row's number in it; None below the last one."""
        if row < 0:
            row = 0
        for shelf in self._shelves:
            if row < shelf.height:
                for part in shelf.parts:
                    if row < part.height:
                        return part, row
                    row -= part.height
            row -= shelf.height
        return None

    def below(self, part: Part) -> Part | None:
        """Return the part directly under `part`."""
        shelf = self._shelf_of(part)
        place = shelf.parts.index(part) + 1
        if place < len(shelf.parts):
            return shelf.parts[place]
        place = self._shelves.index(shelf) + 1
        return self._shelves[place].parts[0] if place < len(self._shelves) else None

    def above(self, part: Part) -> Part | None:
        """Return the part directly over `part`."""
        shelf = self._shelf_of(part)
        place = shelf.parts.index(part)
        if place:
            return shelf.parts[place - 1]
        place = self._shelves.index(shelf)
        return self._shelves[place - 1].parts[-1] if place else None

    def _shelf_of(self, part: Part) -> Shelf:
        if part.shelf is None:
            raise LookupError("The part is not in the index.")
        return part.shelf
