"""Replacing a piece of a text exactly: pure functions, no guesses; every byte outside the change stays."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from codeagent_tui.tools.tool import ToolError

_FOLDED = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " ", "\u3000": " ", "–": "-", "—": "-"})
_MOST_LINES_COMPARED = 20_000
_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Unified:
    """A text with CRLF read as LF, and the way back to its real positions."""

    text: str
    joins: tuple[int, ...]
    """Where in `text` a line feed stands for CR LF."""

    @classmethod
    def of(cls, original: str) -> Unified:
        """Return `original` unified."""
        if "\r\n" not in original:
            return cls(original, ())
        joins, at, parts = [], 0, original.split("\r\n")
        for part in parts[:-1]:
            at += len(part)
            joins.append(at)
            at += 1
        return cls("\n".join(parts), tuple(joins))

    def real(self, index: int) -> int:
        """Return the position in the original of `index` in `text`."""
        return index + bisect_left(self.joins, index)


def replace_exact(original: str, old: str, new: str, *, every: bool, shown: str) -> str:
    """Return `original` with `old` replaced by `new`, literally; once, or everywhere when `every`.

    Line ends match whatever they are; new lines take their neighbours' ending.

    Raises:
        ToolError: when `old` is not there (with the nearest lines), or is there more than once (with line numbers),
            or nothing would change.
    """
    unified = Unified.of(original)
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if old == new:
        raise ToolError(f"{shown} was not changed: old_text and new_text are the same.")
    places = list(_places(unified.text, old, overlapping=not every))
    if not places:
        raise ToolError(f"{shown} was not changed: old_text is not in it. {nearest(unified.text, old)}")
    if len(places) > 1 and not every:
        numbers = ", ".join(str(unified.text.count("\n", 0, place) + 1) for place in places[:_MOST_SHOWN])
        more = f" and {len(places) - _MOST_SHOWN} more" if len(places) > _MOST_SHOWN else ""
        raise ToolError(
            f"{shown} was not changed: old_text is in it {len(places)} times (lines {numbers}{more}). Give more of the "
            "lines around the place you mean, or set replace_all."
        )
    before, after = _common(old, new)
    gone, come = len(old) - before - after, new[before : len(new) - after]
    pieces, done = [], 0
    for place in places:
        start = unified.real(place + before)
        end = unified.real(place + before + gone)
        pieces += [original[done:start], come.replace("\n", _ending(original, start, end))]
        done = end
    return "".join([*pieces, original[done:]])


def _places(text: str, wanted: str, *, overlapping: bool) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + (1 if overlapping else len(wanted)))


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


def _ending(original: str, start: int, end: int) -> str:
    """Return the line ending that is used around a place."""
    inside = original.find("\n", start, end)
    at = inside if inside >= 0 else original.find("\n", end)
    if at < 0:
        at = original.rfind("\n", 0, start)
    return "\r\n" if at > 0 and original[at - 1] == "\r" else "\n"


def nearest(text: str, wanted: str) -> str:
    """Return the lines of `text` that come nearest to `wanted`, and what differs, for an error message."""
    lines, sought = text.split("\n"), wanted.strip("\n").split("\n")
    if len(lines) > _MOST_LINES_COMPARED:
        return "The file is long; read the place again."
    folded = [_fold(line) for line in lines]
    target = [_fold(line) for line in sought]
    for at in range(len(lines) - len(target) + 1):
        if folded[at : at + len(target)] == target:
            found = lines[at : at + len(target)]
            return (
                f"Lines {at + 1}-{at + len(found)} differ only in {_difference(found, sought)}:\n{_numbered(found, at)}"
            )
    anchor = max(target, key=len, default="")
    close = difflib.get_close_matches(anchor, [line for line in folded if line], n=1, cutoff=0.6) if anchor else []
    if not close:
        return "Nothing in it comes near; read it again."
    at = max(0, folded.index(close[0]) - target.index(anchor))
    found = lines[at : at + min(len(target) + 1, _MOST_SHOWN)]
    return f"The nearest is:\n{_numbered(found, at)}\nUse the text exactly as it stands there."


def _fold(line: str) -> str:
    return " ".join(line.translate(_FOLDED).split())


def _numbered(lines: list[str], at: int) -> str:
    return "\n".join(f"{at + number}\t{line[:300]}" for number, line in enumerate(lines[:_MOST_SHOWN], 1))


def _difference(found: list[str], sought: list[str]) -> str:
    pairs = list(zip(found, sought, strict=False))
    reasons = []
    if any(_indent(a) != _indent(b) for a, b in pairs):
        reasons.append("indentation")
    if any(a.translate(_FOLDED).strip() != a.strip() or b.translate(_FOLDED).strip() != b.strip() for a, b in pairs):
        reasons.append("curly quotes, dashes or no-break spaces")
    if any(a.rstrip() != a or b.rstrip() != b for a, b in pairs):
        reasons.append("trailing blanks")
    return " and ".join(reasons) or "white space"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
