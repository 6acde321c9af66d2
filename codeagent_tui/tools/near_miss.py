"""Where a text that is not in a file nearly is, and what differs: for an error message that can be acted on."""

from __future__ import annotations

import difflib
import heapq
import unicodedata
from collections.abc import Sequence

from codeagent_tui.text import cut_characters

_QUOTES = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "′": "'", "″": '"'}
_DASHES = dict.fromkeys("‐‑‒–—−", "-")
_BLANKS = dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " ")
_UNSEEN = dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_SIGNS = str.maketrans({**_QUOTES, **_DASHES, **_BLANKS, **_UNSEEN})
_KINDS = (
    (_QUOTES, "curly quotes"),
    (_DASHES, "dashes"),
    (_BLANKS, "no-break or wide spaces"),
    (_UNSEEN, "invisible characters"),
)
_MOST_LINES = 50_000
_MOST_COMPARED = 400
_COMPARED_CHARACTERS = 300
_SHOWN_LINES = 12
_SHOWN_CHARACTERS = 200
_ALIKE = 0.6


def nearest(text: str, wanted: str) -> str:
    """Return, in a sentence or two, the lines of `text` that come nearest to `wanted`, and the first difference."""
    lines, sought = text.split("\n"), wanted.strip("\n").split("\n")
    if len(lines) > _MOST_LINES:
        return "Read the place again and copy the text from there."
    folded, target = [_folded(line) for line in lines], [_folded(line) for line in sought]
    at = _same_but_for_signs(folded, target)
    if at is None:
        at = _most_alike(folded, target)
    if at is None:
        return "Nothing in it comes near; read it again and copy the text from there."
    found = lines[at : at + len(sought)]
    return f"The nearest is:\n{_numbered(found, at)}\n{_difference(found, sought, at)}"


def _folded(line: str) -> str:
    """Return `line` without what is easily mistaken: kinds of quotes, dashes, blanks, and how many of them."""
    return " ".join(line.translate(_SIGNS).split())


def _same_but_for_signs(lines: Sequence[str], target: Sequence[str]) -> int | None:
    for at in range(len(lines) - len(target) + 1):
        if lines[at] == target[0] and list(lines[at : at + len(target)]) == target:
            return at
    return None


def _most_alike(lines: Sequence[str], target: Sequence[str]) -> int | None:
    """Return where `target` would stand by its most telling line: equal to one in `lines`, else the most like it."""
    for number in sorted(range(len(target)), key=lambda number: -len(target[number])):
        if len(target[number]) > 3 and target[number] in lines:
            return max(0, lines.index(target[number]) - number)
    anchor = max(target, key=len)
    words = set(anchor.split())
    if not words:
        return None
    # Comparing is dear: only lines that share most words, or at least about the length, are worth it.
    candidates = heapq.nsmallest(
        _MOST_COMPARED,
        (number for number, line in enumerate(lines) if line),
        key=lambda number: (-len(words.intersection(lines[number].split())), abs(len(lines[number]) - len(anchor))),
    )
    best, best_ratio = None, _ALIKE
    matcher = difflib.SequenceMatcher(b=anchor[:_COMPARED_CHARACTERS], autojunk=False)
    for number in candidates:
        matcher.set_seq1(lines[number][:_COMPARED_CHARACTERS])
        if matcher.quick_ratio() > best_ratio and matcher.ratio() > best_ratio:
            best, best_ratio = number, matcher.ratio()
    return None if best is None else max(0, best - target.index(anchor))


def _numbered(lines: Sequence[str], at: int) -> str:
    shown = [f"{at + number}\t{cut_characters(line, _SHOWN_CHARACTERS)}" for number, line in enumerate(lines, 1)]
    more = [f"… {len(lines) - _SHOWN_LINES} more lines"] if len(lines) > _SHOWN_LINES else []
    return "\n".join(shown[:_SHOWN_LINES] + more)


def _difference(found: Sequence[str], sought: Sequence[str], at: int) -> str:
    """Say what kind of difference there is, with the first pair of lines spelled so that it can be seen."""
    for number, (there, given) in enumerate(zip(found, sought, strict=False)):
        if there != given:
            return (
                f"Line {at + number + 1} differs in {_kind(there, given)}:\n"
                f"  file:     {_spelled(there)}\n  old_text: {_spelled(given)}"
            )
    if len(found) < len(sought):
        return "The file ends there; old_text goes on."
    return "The lines are the same, but not what is around them: compare where old_text begins and ends."


def _kind(there: str, given: str) -> str:
    if _folded(there) != _folded(given):
        return "upper and lower case" if there.casefold() == given.casefold() else "its text"
    kinds = []
    if _indent(there) != _indent(given):
        kinds.append(f"indentation ({_counted(_indent(there))} in the file, {_counted(_indent(given))} in old_text)")
    if (there.rstrip() == there and given.rstrip() != given) or (there.rstrip() != there and given.rstrip() == given):
        kinds.append("blanks at the end")
    kinds += [kind for signs, kind in _KINDS if _of(there, signs) != _of(given, signs)]
    return ", ".join(kinds) or "blanks within the line"


def _of(line: str, signs: dict[str, str] | dict[str, None]) -> list[str]:
    return [char for char in line if char in signs]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _counted(indent: str) -> str:
    tabs, blanks = indent.count("\t"), len(indent) - indent.count("\t")
    parts = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in ((tabs, "tab"), (blanks, "space")) if count]
    return " and ".join(parts) or "none"


def _spelled(line: str) -> str:
    """Return `line` in quotes with everything that looks like something else, or like nothing, as an escape."""
    spelled = "".join(
        char if (char.isascii() and char.isprintable() and char != "\\") or _is_plain(char) else ascii(char)[1:-1]
        for char in cut_characters(line, _SHOWN_CHARACTERS, "")
    )
    return f"«{spelled}»" + ("…" if len(line) > _SHOWN_CHARACTERS else "")


def _is_plain(char: str) -> bool:
    """Whether a character outside ASCII shows itself: a letter, a digit, a mark."""
    return char > "\x7f" and unicodedata.category(char)[0] in "LNM"
