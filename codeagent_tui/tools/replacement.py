"""Replacing a piece of a text exactly: pure functions, no guesses; every byte outside the change stays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from codeagent_tui.tools.file_state import Span
from codeagent_tui.tools.near_miss import nearest
from codeagent_tui.tools.tool import ToolError

_MOST_LINES_NAMED = 12


@dataclass(frozen=True, slots=True)
class Replacement:
    """The text with the change in it, and each place: what it was in the old text, what it is in the new one."""

    text: str
    places: tuple[tuple[Span, Span], ...]


@dataclass(frozen=True, slots=True)
class Unified:
    """A text with every line ending read as LF, and the way back to its real positions."""

    text: str
    joins: tuple[int, ...]
    """Where in `text` a line feed stands for CR LF."""

    @classmethod
    def of(cls, original: str) -> Unified:
        """Return `original` unified. A lone CR is a line ending only where there is no other."""
        if "\n" not in original:
            return cls(original.replace("\r", "\n"), ())
        joins, at, parts = [], 0, original.split("\r\n")
        for part in parts[:-1]:
            at += len(part)
            joins.append(at)
            at += 1
        return cls("\n".join(parts), tuple(joins))

    def real(self, index: int) -> int:
        """Return the position in the original of `index` in `text`."""
        return index + bisect_left(self.joins, index)


def replace_exact(original: str, old: str, new: str, *, every: bool, shown: str) -> Replacement:
    """Return `original` with `old` replaced by `new`, literally; once, or everywhere when `every`.

    Line endings match whatever they are; new lines take their neighbours' ending.

    Raises:
        ToolError: when `old` is not there (with the nearest lines), or is there more than once (with line numbers),
            or nothing would change.
    """
    unified = Unified.of(original)
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if old == new:
        raise ToolError(f"{shown} was not changed: old_text and new_text are the same (but for line endings).")
    matches = list(_matches(unified.text, old, overlapping=not every))
    if not matches:
        raise ToolError(f"{shown} was not changed: old_text is not in it. {nearest(unified.text, old)}")
    if len(matches) > 1 and not every:
        raise ToolError(_ambiguous(unified.text, matches, shown))
    before, after = _common(old, new)
    gone, come = old[before : len(old) - after], new[before : len(new) - after]
    pieces, places = [], []
    done = length = 0
    for match in matches:
        start, end = unified.real(match + before), unified.real(match + before + len(gone))
        first, last = unified.real(match), unified.real(match + len(old))
        put = _with_endings(come, original, start, end)
        pieces += [original[done:start], put]
        length += start - done + len(put)
        places.append(((first, last), (length - len(put) - (start - first), length + last - end)))
        done = end
    return Replacement("".join([*pieces, original[done:]]), tuple(places))


def _matches(text: str, wanted: str, *, overlapping: bool) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + (1 if overlapping else len(wanted)))


def _ambiguous(text: str, matches: list[int], shown: str) -> str:
    numbers = ", ".join(str(text.count("\n", 0, match) + 1) for match in matches[:_MOST_LINES_NAMED])
    more = f" and {len(matches) - _MOST_LINES_NAMED:,} more" if len(matches) > _MOST_LINES_NAMED else ""
    return (
        f"{shown} was not changed: old_text is in it {len(matches):,} times (lines {numbers}{more}). Give more of the "
        "lines around the place you mean, or set replace_all."
    )


def _common(old: str, new: str) -> tuple[int, int]:
    """Return how many characters the two have in common at their start and at their end, not counted twice."""
    most = min(len(old), len(new))
    start = 0
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _with_endings(text: str, original: str, start: int, end: int) -> str:
    """Return `text`, which takes the place of `original[start:end]`, with the line endings of that place.

    As many lines as before keep their endings one by one; more or fewer take that of their neighbour.
    """
    lines = text.split("\n")
    if len(lines) == 1:
        return text
    gone = _endings(original[start:end])
    if len(gone) != len(lines) - 1:
        gone = [_neighbour(original, start, end)] * (len(lines) - 1)
    return "".join(line + ending for line, ending in zip(lines, [*gone, ""], strict=True))


def _endings(text: str) -> list[str]:
    parts = text.split("\n")
    return ["\r\n" if part.endswith("\r") else "\n" for part in parts[:-1]]


def _neighbour(original: str, start: int, end: int) -> str:
    """Return the line ending that is used around a place."""
    if "\n" not in original:
        return "\r" if "\r" in original else "\n"
    at = original.find("\n", start)
    if at < 0:
        at = original.rfind("\n", 0, start)
    return "\r\n" if at > 0 and original[at - 1] == "\r" else "\n"
