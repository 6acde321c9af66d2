"""A Markdown text that arrives in pieces: cleaned, cut into sections, and shown decently while it is unfinished."""

from __future__ import annotations

import re

from codeagent_tui.text import clean_text, grapheme_floor
from codeagent_tui.tui.markdown.sections import Section, Sections

LONGEST_LINE = 8_192
"""Characters after which a line is cut; what comes after them is a line of its own."""
_LOOK_AHEAD = 64
# Characters that begin something which only later characters finish (ECMA-48 introducers), and half a line end.
_UNFINISHED = re.compile("[\x1b\x9b\x90\x98\x9d\x9e\x9f][^\n]*\\Z|\r\\Z")
_LONGEST_HELD = 4_096
"""Characters after which an unfinished escape sequence is taken as it is; real ones are far shorter."""
_ONLY_MARKS = re.compile(r"[ \t]*(?:[-=*+_#>|`~:\s]*|\d+[.)]?[ \t]*|[-*+][ \t]+\[[ xX]?\]?[ \t]*)$")
_LINK_BEGUN = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*$")


class CleanStream:
    """Cleans a text that arrives in pieces to what cleaning it as a whole would give."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what can be said so far of the text that was not returned yet."""
        text = self._held + text
        unfinished = _UNFINISHED.search(text)
        cut = unfinished.start() if unfinished else len(text)
        if len(text) - cut > _LONGEST_HELD:
            cut = len(text)
        self._held = text[cut:]
        return clean_text(text[:cut])

    def finish(self) -> str:
        """Return the rest."""
        text, self._held = clean_text(self._held), ""
        return text


class MarkdownStream:
    """Takes pieces of a text; `done` are its finished sections, `ahead()` are those that may still change."""

    def __init__(self) -> None:
        self._clean = CleanStream()
        self._sections = Sections()
        self._line = ""
        self._finished = False

    @property
    def done(self) -> list[Section]:
        """The sections that will not change."""
        return self._sections.done

    def feed(self, text: str) -> None:
        """Take the next piece."""
        self._take(self._clean.feed(text))

    def finish(self) -> None:
        """Say that the text has ended; every section is done then."""
        self._take(self._clean.finish())
        if self._line:
            self._sections.add(self._line)
        self._line = ""
        self._sections.finish()
        self._finished = True

    def _take(self, text: str) -> None:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._sections.add(self._cut(line))
        self._line = self._cut(self._line)

    def _cut(self, line: str) -> str:
        """Hand the front of a line that is too long on, and return the rest of it."""
        while len(line) > LONGEST_LINE + _LOOK_AHEAD:
            at = grapheme_floor(line[: LONGEST_LINE + _LOOK_AHEAD], LONGEST_LINE) or LONGEST_LINE
            self._sections.add(line[:at])
            line = line[at:]
        return line

    def ahead(self) -> list[Section]:
        """Return the sections after `done`, as they are best shown now."""
        if self._finished:
            return []
        sections, line = self._sections, self._line
        if sections.in_fence:
            return sections.ahead([] if not line.strip("`~ \t") else [line])
        if sections.in_table:
            return sections.ahead([])
        if _may_be_table_head(sections.last_line) and _ONLY_MARKS.match(line):
            return sections.ahead([], without_last=True)
        shown = presentable(line)
        return sections.ahead([shown] if shown else [])


def _may_be_table_head(line: str) -> bool:
    return line.lstrip(" ").startswith("|")


def presentable(line: str) -> str:
    """Return what to show of an unfinished line, so that no mark is seen which will turn into a look.

    Marks of blocks that have no text yet are held back, and so is a row of a table; what was opened is closed.
    """
    if _ONLY_MARKS.match(line) or line.lstrip(" ").startswith(("```", "~~~", "|")):
        return ""
    shown = _LINK_BEGUN.sub(r"\1", line)
    plain = re.sub(r"`[^`]*`", "", shown)
    if plain.count("`") % 2:
        return shown.removesuffix("`") + ("`" if not shown.endswith("`") else "")
    for mark in ("**", "~~", "__"):
        if plain.count(mark) % 2:
            shown = shown.removesuffix(mark) if shown.endswith(mark) else shown.rstrip() + mark
    return shown
