"""Shortens what the user said, without losing what was asked and what was laid down."""

from __future__ import annotations

import re

from codeagent_tui.context.standing import is_standing

_GAP = " … "
_SENTENCE = re.compile(r"(?:(?!\n| … |[.!?;]\s|[。！？；]).)*(?:[.!?;](?=\s)|[。！？；]+)?")
_PROSE = 0.7
"""Share of letters and spaces from which on a sentence is taken for a person's: log lines have some 0.5."""
_LEAST_PIECE = 30
"""Characters of a sentence that are worth keeping when the whole does not fit."""


def cut_said(text: str, characters: int) -> str:
    """Return `text` in at most `characters` characters, with a mark where something is left out.

    What was asked stands at the beginning or the end: those sentences come first, then rules, wherever they stand,
    then what is nearest to the ends. Prose comes before what a program wrote.
    """
    if len(text) <= characters:
        return text
    sentences = [found[0].strip() for found in _SENTENCE.finditer(text) if found[0].strip()]
    kept: dict[int, str] = {}
    for at in _by_weight(sentences):
        room = characters - sum(len(piece) + len(_GAP) for piece in kept.values())
        if len(sentences[at]) <= room:
            kept[at] = sentences[at]
        elif at in (0, len(sentences) - 1) and room >= min(_LEAST_PIECE, characters):
            kept[at] = _ends_of(sentences[at], room)
    return _joined(kept, len(sentences))[:characters]


def _by_weight(sentences: list[str]) -> list[int]:
    """Return the places of `sentences`, the most important first."""
    last = len(sentences) - 1

    def weight(at: int) -> tuple[int, float]:
        share = _lettered(sentences[at])
        prose = share >= _PROSE
        if at in (0, last) and prose:
            return 0, -share
        if is_standing(sentences[at]):
            return 1, -share
        return (2 if prose else 3 if at in (0, last) else 4), min(at, last - at)

    return sorted(range(len(sentences)), key=weight)


def _lettered(sentence: str) -> float:
    """Return the share of letters: people write more of them and fewer signs than programs."""
    return sum(char.isalpha() or char == " " for char in sentence) / len(sentence)


def _ends_of(sentence: str, characters: int) -> str:
    if len(sentence) <= characters:
        return sentence
    left = max(0, characters - len(_GAP))
    head = (left * 2 + 2) // 3
    return f"{sentence[:head]}{_GAP}{sentence[len(sentence) - (left - head) :]}"


def _joined(kept: dict[int, str], count: int) -> str:
    text, before = "", -1
    for at in sorted(kept):
        text += (" " if at == before + 1 else _GAP) + kept[at]
        before = at
    return (text if before == count - 1 else text + _GAP).strip()
