"""Unified diffs of what a tool changes: exact where that is quick, coarse where it would not be."""

from __future__ import annotations

import difflib

from codeagent_tui.tools.output import DIFF_CHARACTERS, partial

_CONTEXT = 3
# difflib takes quadratic time on what really differs; past this many lines the middle is shown as one replacement.
_MOST_COMPARED = 1_500


def unified_diff(shown: str, before: str | None, after: str) -> str:
    """Return the diff from `before` (None: the file is new) to `after` under the name `shown`, bounded in size."""
    old = [] if before is None else before.splitlines(keepends=True)
    new = after.splitlines(keepends=True)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
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
    return text


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


def count_changes(diff: str) -> str:
    """Return `+3 -1` for a diff."""
    lines = diff.splitlines()[2:]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return f"+{added} -{removed}"
