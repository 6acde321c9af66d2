"""Where the cursor goes: pure functions from a text and an index to an index."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from codeagent_tui.tui.editing.clusters import STAND_IN, next_boundary, previous_boundary

Motion: TypeAlias = Callable[[str, int], int]


def line_start(text: str, index: int) -> int:
    """Return the start of the line (up to the line end before)."""
    return text.rfind("\n", 0, index) + 1


def line_end(text: str, index: int) -> int:
    """Return the end of the line."""
    end = text.find("\n", index)
    return len(text) if end < 0 else end


def text_start(text: str, index: int) -> int:
    """Return the start of the text."""
    return 0


def text_end(text: str, index: int) -> int:
    """Return the end of the text."""
    return len(text)


def word_left(text: str, index: int) -> int:
    """Return the start of the word before `index`; what separates words is passed."""
    while index > 0 and _kind_before(text, index) == " ":
        index = previous_boundary(text, index)
    kind = _kind_before(text, index)
    while index > 0 and _kind_before(text, index) == kind:
        index = previous_boundary(text, index)
        if kind == "pasted":
            break
    return index


def word_right(text: str, index: int) -> int:
    """Return the end of the word after `index`; what separates words is passed."""
    while index < len(text) and _kind(text[index]) == " ":
        index = next_boundary(text, index)
    kind = _kind(text[index]) if index < len(text) else ""
    while index < len(text) and _kind(text[index]) == kind:
        index = next_boundary(text, index)
        if kind == "pasted":
            break
    return index


def blank_left(text: str, index: int) -> int:
    """Return the start of the run without blanks before `index`, as the shell's ctrl+w takes it."""
    while index > 0 and text[index - 1].isspace():
        index -= 1
    while index > 0 and not text[index - 1].isspace():
        index = previous_boundary(text, index)
    return index


def word_around(text: str, index: int) -> tuple[int, int]:
    """Return start and end of the run of one kind that holds the character at `index`."""
    if not text:
        return 0, 0
    index = min(index, previous_boundary(text, len(text)))
    kind = _kind(text[index])
    start, end = index, next_boundary(text, index)
    while start > line_start(text, index) and _kind_before(text, start) == kind:
        start = previous_boundary(text, start)
    while end < line_end(text, index) and _kind(text[end]) == kind:
        end = next_boundary(text, end)
    return start, end


def _kind_before(text: str, index: int) -> str:
    return _kind(text[previous_boundary(text, index)]) if index > 0 else ""


def _kind(char: str) -> str:
    """Return a name for what may stand in one word with `char`; a character is judged by its first code point."""
    if char.isspace():
        return " "
    if STAND_IN.match(char):
        return "pasted"
    if "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\U00020000" <= char <= "\U0003ffff":
        return "ideograph"
    return "word" if char.isalnum() or char == "_" else "sign"
