"""Cuts Markdown into sections, line by line: what is behind a cut is never looked at again.

A cut is made where CommonMark ends every open block whatever follows: at a line that is not indented and stands after
an empty one, at a fence, and at an item of a list that is not indented. Long lists, tables and fences thus never have
to be read as a whole. The same cuts are made however the text arrives, so a text that was streamed looks like the same
text loaded. Sections are bounded: one that grows past `LINES` or `CHARACTERS` is cut at a line end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

CHARACTERS = 16_384
LINES = 400
_MOST_CHARACTERS = 65_536
"""What a section may grow to while it is inside a fence of its own, where it cannot be cut."""
FENCE_LINES = (32, 80)
"""A fence is cut between these many lines: at a line that begins anew if there is one, else at the last."""


class Kind(Enum):
    """What a section is."""

    PROSE = "prose"
    """Paragraphs, headings, quotes, whatever needs no look beyond itself."""
    ITEM = "item"
    """One item of a list, with all that is in it."""
    FENCE = "fence"
    """Code between fences; the fences are not part of the source."""
    TABLE = "table"


class Section(NamedTuple):
    """A piece of Markdown that can be laid out by itself.

    `gap` says that an empty line stood above. `number` is an ordered item's, counted as CommonMark does; -1 for a
    bullet. `info` is a fence's language; `continued` marks all but the first piece of a long fence or table.
    """

    kind: Kind
    source: str
    gap: bool = False
    number: int = -1
    info: str = ""
    continued: bool = False


_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$")
_ITEM = re.compile(r"(?:([-+*])|(\d{1,9})([.)]))(?:[ \t]+|$)")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_ENDS_TABLE = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|$)|>)")
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


@dataclass(slots=True)
class _Open:
    """The section that lines are being added to."""

    kind: Kind = Kind.PROSE
    lines: list[str] = field(default_factory=list)
    size: int = 0
    gap: bool = False
    number: int = -1
    info: str = ""
    continued: bool = False
    fence: str = ""
    """The marks that opened a FENCE."""
    indent: int = 0
    """Columns that a FENCE's lines lose, or that the content of an ITEM is indented by."""
    marker: str = ""
    """What the marker of an ITEM ends in: only items of one sort make a list."""
    inner_fence: bool = False
    """Whether a fence that is part of an ITEM is open."""

    def add(self, line: str) -> None:
        if self.kind is Kind.ITEM:
            if line.lstrip().startswith(("```", "~~~")):
                self.inner_fence = not self.inner_fence
            if self.continued:
                line = line[min(self.indent, _indent_of(line)) :]
        self.lines.append(line)
        self.size += len(line) + 1

    def is_full(self, line: str) -> bool:
        most = _MOST_CHARACTERS if self.inner_fence else CHARACTERS
        return self.size + len(line) > most or (len(self.lines) >= LINES and not self.inner_fence)

    def rest(self, *, gap: bool) -> _Open:
        """Return the section that goes on where this one is cut; a table's goes on with its head."""
        lines = self.lines[:2] if self.kind is Kind.TABLE else []
        return replace(self, lines=lines, size=0, gap=gap, continued=True, inner_fence=False)

    def section(self) -> Section:
        source = "\n".join(self.lines) if self.kind is Kind.FENCE else "\n".join(self.lines).rstrip("\n")
        return Section(self.kind, source, self.gap, self.number, self.info, self.continued)


class Sections:
    """Takes lines and keeps the sections that are finished in `done`."""

    def __init__(self) -> None:
        self.done: list[Section] = []
        self._open: _Open | None = None
        self._blank = False
        """Whether the line before was empty."""

    @property
    def in_fence(self) -> bool:
        """Whether the next line is code, or the end of it."""
        return self._open is not None and self._open.kind is Kind.FENCE

    @property
    def in_table(self) -> bool:
        """Whether the next line can be a row of a table."""
        return self._open is not None and self._open.kind is Kind.TABLE and not self._blank

    @property
    def last_line(self) -> str:
        """The line before, when it is one of a paragraph that could be the head of a table; else nothing."""
        if self._open is None or self._blank or self._open.kind is not Kind.PROSE or not self._open.lines:
            return ""
        return self._open.lines[-1]

    def add(self, line: str) -> None:
        """Take the next whole line, without its end."""
        if self._open is not None and self._open.kind is Kind.FENCE:
            self._in_fence(self._open, line)
        elif not line.strip():
            self._blank = True
            if self._open is not None:
                self._open.add("")
        else:
            self._add_text(line)
            self._blank = False

    def ahead(self, lines: list[str], *, without_last: bool = False) -> list[Section]:
        """Return the sections that are not in `done` yet, as if the text ended after `lines`; nothing is changed.

        `without_last` leaves out the last whole line, for views that hold it back.
        """
        copy = Sections()
        copy._blank = self._blank
        if self._open is not None:
            kept = self._open.lines[:-1] if without_last else list(self._open.lines)
            if kept or self._open.kind is Kind.FENCE:
                copy._open = replace(self._open, lines=kept)
        for line in lines:
            copy.add(line)
        copy._close()
        return copy.done

    def finish(self) -> None:
        """Say that the text has ended."""
        self._close()

    def _add_text(self, line: str) -> None:
        fence = _FENCE.match(line)
        opened = self._open
        if fence is not None and not (opened is not None and opened.kind is Kind.ITEM and self._inside(opened, line)):
            self._begin(_Open(Kind.FENCE, fence=fence[2], indent=len(fence[1]), info=fence[3], gap=self._blank))
            return
        item = None if line[0] == " " or _RULE.match(line) else _ITEM.match(line)
        if item is not None and self._begins_item(line, item):
            self._begin_item(line, item)
        elif opened is None or self._ends(opened, line):
            self._begin(_Open(gap=self._blank), line)
        elif opened.kind is Kind.PROSE and self._makes_table(opened, line):
            self._begin_table(opened, line)
        elif opened.is_full(line):
            self._begin(opened.rest(gap=self._blank), line)
        else:
            opened.add(line)

    def _inside(self, item: _Open, line: str) -> bool:
        return _indent_of(line) >= item.indent

    def _ends(self, opened: _Open, line: str) -> bool:
        """Whether `line`, which is no item and no fence, cannot belong to `opened`."""
        if opened.kind is Kind.TABLE:
            return self._blank or "|" not in line or bool(_ENDS_TABLE.match(line))
        return self._blank and line[0] not in " \t"

    def _begins_item(self, line: str, item: re.Match[str]) -> bool:
        """Whether an unindented marker begins an item here: in a paragraph only a bullet or a 1 with text does."""
        if self._open is None or self._blank or self._open.kind is Kind.ITEM:
            return True
        if self._open.lines and self._open.lines[-1].startswith("#"):
            return True
        return item.end() < len(line) and (item[1] is not None or item[2] == "1")

    def _begin_item(self, line: str, item: re.Match[str]) -> None:
        marker = item[1] or item[3]
        number = -1
        if item[2] is not None:
            before = self._open
            follows = before is not None and before.kind is Kind.ITEM and before.marker == marker and before.number >= 0
            number = before.number + 1 if follows and before is not None else int(item[2])
        width = len(item[1] or item[2] + item[3])
        blanks = len(item[0].expandtabs(4)) - width
        indent = width + (blanks if 1 <= blanks <= 4 and item.end() < len(line) else 1)
        self._begin(_Open(Kind.ITEM, gap=self._blank, number=number, indent=indent, marker=marker), line)

    def _makes_table(self, opened: _Open, line: str) -> bool:
        head = opened.lines[-1] if opened.lines and not self._blank else ""
        if "|" not in head or head.startswith("    ") or not _DELIMITER.match(line):
            return False
        return len(table_cells(head)) == len(table_cells(line))

    def _begin_table(self, opened: _Open, line: str) -> None:
        head = opened.lines.pop()
        opened.size -= len(head) + 1
        gap = opened.gap if not opened.lines else False
        if not opened.lines:
            self._open = None
        self._begin(_Open(Kind.TABLE, gap=gap), head)
        if self._open is not None:
            self._open.add(line)

    def _in_fence(self, opened: _Open, line: str) -> None:
        bare = line.strip()
        indent = _indent_of(line)
        if indent <= 3 and len(bare) >= len(opened.fence) and not bare.strip(opened.fence[0]):
            self._close()
            self._blank = False
            return
        line = line[min(indent, opened.indent) :] if opened.indent else line
        count = len(opened.lines)
        anew = count > 0 and not opened.lines[-1].strip() and line[:1].strip()
        if (count >= FENCE_LINES[0] and anew) or count >= FENCE_LINES[1] or (count and opened.is_full(line)):
            opened = opened.rest(gap=False)
            self._begin(opened)
        opened.add(line)

    def _begin(self, opened: _Open, line: str | None = None) -> None:
        self._close()
        self._open = opened
        if line is not None:
            opened.add(line)

    def _close(self) -> None:
        if self._open is not None:
            self.done.append(self._open.section())
            self._open = None


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def table_cells(line: str) -> list[str]:
    r"""Return the cells of a table's line; `\|` is a bar that divides nothing."""
    text = line.strip()
    text = text.removeprefix("|")
    cells = re.split(r"(?<!\\)\|", text)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells]
