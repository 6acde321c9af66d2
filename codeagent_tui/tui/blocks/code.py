"""Lines of code as rows: highlighted, wrapped anywhere, copied unwrapped."""

from __future__ import annotations

import re

from codeagent_tui.tui.blocks.highlight import HIGHLIGHTER
from codeagent_tui.tui.blocks.rows import Layout, Row, decoration
from codeagent_tui.tui.blocks.styled import Prefix, Styled, flow
from codeagent_tui.tui.blocks.wrapping import columns

_GROUND = ("code-block",)
_BAR = decoration("▏ ", "code-block", "bar")
_LANGUAGE = re.compile(r"[\w+#.-]+")


def language_of(info: str) -> str:
    """Return the language that a fence's info string names."""
    found = _LANGUAGE.match(info.strip().removeprefix("{.").removeprefix("."))
    return found[0].lower()[:30] if found else ""


def add_code(layout: Layout, code: str, info: str, width: int, prefix: Prefix, *, label: bool = True) -> None:
    """Add the lines of `code`; the language stands at the right of the first row where there is room.

    An info string that says more than the language has a row of its own.
    """
    language = language_of(info)
    runs = HIGHLIGHTER.runs(code, language)
    if runs is None and not HIGHLIGHTER.knows(language):
        layout.waits_for.add(language)
    if label and info.strip() and not _LANGUAGE.fullmatch(info.strip()):
        before = Prefix((*prefix.first, _BAR), (*prefix.rest, _BAR))
        flow(layout, Styled.plain(info.strip(), "label"), width, prefix=before, ground=_GROUND)
        prefix, label = Prefix(prefix.rest, prefix.rest), False
    first = len(layout.rows)
    for number, line in enumerate(code.split("\n")):
        styled = Styled(line, runs[number]) if runs is not None else Styled.plain(line)
        before = Prefix((*(prefix.rest if number else prefix.first), _BAR), (*prefix.rest, _BAR))
        flow(layout, styled, width, prefix=before, ground=_GROUND, words=False)
    if label and language:
        layout.rows[first] = _labelled(layout.rows[first], language, width)


def _labelled(row: Row, language: str, width: int) -> Row:
    used = columns(row.text)
    room = width - used - columns(language) - 1
    if room < 2:
        return row
    gap = decoration(" " * room, *row.ground)
    return Row((*row.spans, gap, decoration(language, *_GROUND, "label")), row.line, row.ground)
