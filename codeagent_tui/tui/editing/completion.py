"""What the word at the cursor could become: slash commands at the very start, file names after an `@`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from codeagent_tui.text import clean_text

_COMMAND = re.compile(r"/[\w-]*")
# After a blank, an opening bracket, or a character of a script that is written without blanks; not in `name@host`.
_FILE = re.compile(r"""(?:^|(?<=[\s(\[{]|[^\x00-\x7f]))@(?:"([^"\n]*)|([^\s"]*))\Z""", re.MULTILINE)
_LONGEST_QUERY = 300
_MOST_CHOICES = 50


class CommandHint(NamedTuple):
    """A slash command as the completion shows it."""

    name: str
    argument_hint: str
    summary: str


class Kind(Enum):
    """What is being completed."""

    COMMAND = auto()
    FILE = auto()


class Trigger(NamedTuple):
    """The part of a text, from `start` to `end`, that may be completed."""

    kind: Kind
    start: int
    end: int
    query: str


class Choice(NamedTuple):
    """One completion: what replaces the trigger, and how the list shows it."""

    insert: str
    label: str
    detail: str = ""


def find_trigger(text: str, cursor: int) -> Trigger | None:
    """Return what at the cursor may be completed; None for ordinary text."""
    if text.startswith("/"):
        if _COMMAND.fullmatch(text, 0, cursor) and (cursor == len(text) or text[cursor].isspace()):
            return Trigger(Kind.COMMAND, 0, cursor, text[1:cursor])
        if "\n" not in text[:cursor] and " " not in text[:cursor]:
            return None
    match = _FILE.search(text, max(0, cursor - _LONGEST_QUERY), cursor)
    if match is None:
        return None
    query = match[2] if match[1] is None else match[1]
    return Trigger(Kind.FILE, match.start(), cursor, query)


def command_choices(query: str, hints: Sequence[CommandHint]) -> list[Choice]:
    """Return the commands that fit `query`, best first, else in their own order."""
    ranked = []
    for index, hint in enumerate(hints):
        name = hint.name.removeprefix("/")
        rank = match_rank(query, name)
        if rank is not None:
            blank = " " if hint.argument_hint else ""
            label = f"/{name} {hint.argument_hint}".rstrip()
            ranked.append(((rank[0], index), Choice(f"/{name}{blank}", label, hint.summary)))
    return [choice for _, choice in sorted(ranked, key=lambda pair: pair[0])]


def file_choices(query: str, names: Iterable[str]) -> list[Choice]:
    """Return the file names that fit `query`, best first; a folder's name ends in `/`."""
    ranked = []
    for name in map(clean_text, names):
        rank = match_rank(query, name)
        if rank is not None:
            ranked.append((*rank, len(name), name))
    return [Choice(_file_mention(name), name) for *_, name in sorted(ranked)[:_MOST_CHOICES]]


def _file_mention(name: str) -> str:
    quoted = any(char.isspace() for char in name) and '"' not in name
    if name.endswith("/"):
        # A folder is a step on the way: the quote stays open and no blank follows.
        return f'@"{name}' if quoted else f"@{name}"
    return f'@"{name}" ' if quoted else f"@{name} "


def match_rank(query: str, name: str) -> tuple[int, int] | None:
    """Return how well `name` fits `query`, the smaller the better; None when it does not hold its characters in order.

    First: the last part of the path is it (0), starts with it (1), the whole path does (2), the last part holds it
    (3), the path does (4), its characters in order in the last part (5), in the path (6). Then, for 5 and 6, over how
    many characters they are spread. Case does not count.
    """
    needle, path = query.casefold(), name.casefold()
    last = path.rstrip("/").rpartition("/")[2]
    tests = (last == needle, last.startswith(needle), path.startswith(needle), needle in last, needle in path)
    for rank, fits in enumerate(tests):
        if fits:
            return rank, 0
    for rank, text in ((5, last), (6, path)):
        spread = _spread(needle, text)
        if spread is not None:
            return rank, spread
    return None


def _spread(needle: str, text: str) -> int | None:
    """Return over how many characters of `text` those of `needle` are spread, in order; None when they are not there.

    The match is read from its end backwards, which finds the shortest one that ends where the first one does.
    """
    at = -1
    for char in needle:
        at = text.find(char, at + 1)
        if at < 0:
            return None
    end = at
    for char in reversed(needle[:-1]):
        at = text.rfind(char, 0, at)
    return end - at + 1


def replacement(text: str, trigger: Trigger, choice: Choice) -> tuple[int, int, str]:
    """Return start, end and new text for taking `choice`; a blank or quote that is there already is not doubled."""
    end, new = trigger.end, choice.insert
    if '"' in new and text.startswith('"', end):
        end += 1
    if new.endswith(" ") and text[end : end + 1].isspace():
        new = new[:-1]
    return trigger.start, end, new
