"""Unified diffs of what a tool changes: exact where that is quick, coarse where it would not be."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from codeagent_tui.tools.output import DIFF_CHARACTERS, partial

_CONTEXT = 3
# difflib takes quadratic time on what really differs; past this many lines the middle is shown as one replacement.
_MOST_COMPARED = 1_500


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff, bounded in size, and how many lines came and went in all."""

    text: str
    added: int
    removed: int

    @property
    def counts(self) -> str:
        """`+3 -1`."""
        return f"+{self.added} -{self.removed}"


def unified_diff(shown: str, before: str | None, after: str) -> Diff:
    """Return the diff from `before` (None: the file is new) to `after` under the name `shown`.

    Lines end at line feeds. Carriage returns are left away where every line of both has one, else shown: a change of
    line endings is a change.
    """
    old, new = _lines(before or ""), _lines(after)
    if all(line.endswith("\r\n") for line in (*old, *new)):
        old, new = ([f"{line[:-2]}\n" for line in lines] for lines in (old, new))
    else:
        old, new = ([line.replace("\r", "␍") for line in lines] for lines in (old, new))
    start, end = _same_ends(old, new)
    if max(len(old), len(new)) - start - end > _MOST_COMPARED:
        lines = _coarse(old, new, start, end)
    else:
        low, high = max(0, start - _CONTEXT - 1), max(0, end - _CONTEXT - 1)
        compared = difflib.unified_diff(old[low : len(old) - high], new[low : len(new) - high], n=_CONTEXT)
        lines = [_shifted(line, low) for line in list(compared)[2:]]
    source = "/dev/null" if before is None else f"a/{shown}"
    text = f"--- {source}\n+++ b/{shown}\n" + "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    if len(text) > DIFF_CHARACTERS:
        cut = text.rfind("\n", 0, DIFF_CHARACTERS) + 1
        text = text[:cut] + partial(f"{len(text) - cut:,} more characters of this diff") + "\n"
    return Diff(text, *(sum(line.startswith(sign) for line in lines) for sign in "+-"))


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _same_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many lines the two share at their start and at their end, not counted twice."""
    most = min(len(old), len(new))
    start = 0
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _coarse(old: list[str], new: list[str], start: int, end: int) -> list[str]:
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    head = f"@@ -{start + 1},{len(gone)} +{start + 1},{len(come)} @@\n"
    return [head, *(f"-{line}" for line in gone), *(f"+{line}" for line in come)]


def _shifted(line: str, lines: int) -> str:
    """Move a hunk's line numbers by `lines`: the compared parts started that much later than the files."""
    if not line.startswith("@@") or not lines:
        return line
    _, old, new, _ = line.split(" ", 3)
    return f"@@ -{_moved(old, lines)} +{_moved(new, lines)} @@\n"


def _moved(span: str, lines: int) -> str:
    first, comma, count = span[1:].partition(",")
    return f"{int(first) + lines}{comma}{count}"
