"""Sections of Markdown as rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeagent_tui.text import clean_text
from codeagent_tui.tui.blocks.code import add_code
from codeagent_tui.tui.blocks.rows import Layout, Roles, Row, Span, decoration
from codeagent_tui.tui.blocks.styled import NO_PREFIX, Prefix, Styled, flow
from codeagent_tui.tui.blocks.wrapping import columns
from codeagent_tui.tui.markdown.inline import is_plain, plain_lines, styled_lines
from codeagent_tui.tui.markdown.parser import parse
from codeagent_tui.tui.markdown.sections import Kind, Section
from codeagent_tui.tui.markdown.table import Table, add_table, read_table

if TYPE_CHECKING:
    from markdown_it.token import Token

_TEXT: Roles = ("text",)
_BULLETS = ("•", "◦", "▪")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_BLOCK_MARK = re.compile(r"(?:^|\n)(?:[#>=+|:-]|\d{1,9}[.)]|$)|\|")
_LONGEST_RULE = 40
_LEAVES = ("heading_open", "paragraph_open", "fence", "code_block", "hr", "table_open")


def add_section(layout: Layout, section: Section, width: int) -> None:
    """Add the rows of `section` at `width` columns; its gap is the caller's."""
    if section.kind is Kind.FENCE:
        add_code(layout, section.source, section.info, width, NO_PREFIX, label=not section.continued)
    elif section.kind is Kind.TABLE:
        add_table(layout, read_table(section.source), width, head=not section.continued)
    elif section.kind is Kind.PROSE and is_plain(section.source) and not _BLOCK_MARK.search(section.source):
        for line in plain_lines(section.source):
            flow(layout, line, width, ground=_TEXT)
    else:
        _Renderer(layout, width).render(section)


@dataclass(slots=True)
class _Container:
    """A quote or a list's item that is open: what stands before its first row, and before the others."""

    first: tuple[Span, ...]
    rest: tuple[Span, ...]
    ground: Roles = ()
    fresh: bool = True


class _Renderer:
    """Walks the tokens of one section."""

    def __init__(self, layout: Layout, width: int) -> None:
        self._layout = layout
        self._width = width
        self._containers: list[_Container] = []
        self._depth = 0
        self._end = 0
        """The line of the source after the last leaf that was drawn."""

    def render(self, section: Section) -> None:
        if section.continued and section.kind is Kind.ITEM:
            self._open(_Container((decoration("  "),), (decoration("  "),)))
        tokens = parse(section.source)
        if tokens is None:
            for line in section.source.split("\n"):
                flow(self._layout, Styled.plain(line), self._width, ground=_TEXT)
            return
        self._walk(tokens, section.number)

    def _walk(self, tokens: Sequence[Token], number: int) -> None:
        index = 0
        numbered = number
        while index < len(tokens):
            token = tokens[index]
            if token.type in _LEAVES and token.map is not None:
                self._gap_before(token.map[0])
                self._end = token.map[1]
            match token.type:
                case "blockquote_open":
                    bar = (decoration("▏ ", "quote", "bar"),)
                    self._open(_Container(bar, bar, ("quote",)))
                case "list_item_open":
                    self._open_item(token, numbered if self._depth == 1 else -1, tokens[index + 1 : index + 3])
                    numbered = -1
                case "bullet_list_open" | "ordered_list_open":
                    self._depth += 1
                case "bullet_list_close" | "ordered_list_close":
                    self._depth -= 1
                case "blockquote_close":
                    self._close()
                case "list_item_close":
                    self._close(unseen=True)
                case "heading_open":
                    self._text(tokens[index + 1], (f"h{token.tag[1:]}",))
                    index += 2
                case "paragraph_open":
                    self._text(tokens[index + 1], ())
                    index += 2
                case "fence" | "code_block":
                    code = clean_text(token.content).removesuffix("\n")
                    add_code(self._layout, code, clean_text(token.info), self._width, self._prefix())
                case "hr":
                    prefix = self._prefix()
                    rule = "─" * max(1, min(_LONGEST_RULE, self._width - prefix.width))
                    self._decorated(prefix, decoration(rule, "faint"))
                case "table_open":
                    index = self._table(tokens, index)
                case _:
                    pass
            index += 1

    def _gap_before(self, line: int) -> None:
        """Keep one empty line where the source has any between two leaves."""
        if not self._layout.lines or line <= self._end or self._end == 0:
            return
        spans = tuple(span for container in self._containers if not container.fresh for span in container.rest)
        self._layout.blank()
        self._layout.rows[-1] = Row(spans, len(self._layout.lines) - 1)

    def _open(self, container: _Container) -> None:
        """Enter a container; one for whose mark there is no room left is not seen."""
        used = sum(columns(span.text) for each in self._containers for span in each.rest)
        width = max(sum(columns(span.text) for span in spans) for spans in (container.first, container.rest))
        if used + width > max(self._width - 12, self._width // 2):
            container.first = container.rest = ()
        self._containers.append(container)

    def _close(self, *, unseen: bool = False) -> None:
        container = self._containers[-1]
        if unseen and container.fresh:
            self._decorated(self._prefix())
        self._containers.pop()

    def _open_item(self, token: Token, number: int, inside: Sequence[Token]) -> None:
        if token.info:
            mark = f"{token.info if number < 0 else number}{token.markup} "
        else:
            mark = f"{_BULLETS[(self._depth - 1) % len(_BULLETS)]} "
        role = "bullet"
        if len(inside) == 2 and inside[1].type == "inline" and (task := _TASK.match(inside[1].content)):
            mark, role = ("☐ ", "bullet") if task[1] == " " else ("☑ ", "done")
        self._open(_Container((decoration(mark, role),), (decoration(" " * columns(mark)),)))

    def _prefix(self) -> Prefix:
        """Return what stands before the next rows; the marks of items are used up by it."""
        first: list[Span] = []
        rest: list[Span] = []
        for container in self._containers:
            first += container.first if container.fresh else container.rest
            rest += container.rest
            container.fresh = False
        return Prefix(tuple(first), tuple(rest))

    def _ground(self) -> Roles:
        return (*_TEXT, *(role for container in self._containers for role in container.ground[:1]))[:2]

    def _text(self, inline: Token, roles: Roles) -> None:
        prefix = self._prefix()
        begin = 0
        in_item = bool(self._containers) and not self._containers[-1].ground
        lines = plain_lines(inline.content) if is_plain(inline.content) else styled_lines(inline.children or [])
        if in_item and prefix.first != prefix.rest and (task := _TASK.match(lines[0].text)):
            begin = task.end()
        for line in lines:
            flow(self._layout, line, self._width, prefix=prefix, ground=(*self._ground(), *roles), begin=begin)
            prefix, begin = Prefix(prefix.rest, prefix.rest), 0

    def _decorated(self, prefix: Prefix, *spans: Span) -> None:
        self._layout.lines.append("")
        self._layout.rows.append(Row((*prefix.first, *spans), len(self._layout.lines) - 1))

    def _table(self, tokens: Sequence[Token], index: int) -> int:
        """Add a table that stands in a container; return the index of its last token."""
        rows: list[list[Styled]] = []
        sides: list[str] = []
        while tokens[index].type != "table_close":
            token = tokens[index]
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append(styled_lines(tokens[index + 1].children or [])[0])
                if len(rows) == 1:
                    sides.append(str(token.attrs.get("style", "left")).removeprefix("text-align:"))
            index += 1
        head, *body = map(tuple, rows)
        add_table(self._layout, Table(head, tuple(body), tuple(sides)), self._width, self._prefix())
        return index
