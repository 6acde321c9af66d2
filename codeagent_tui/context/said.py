"""Shortens what the user said, without losing what was asked and what was laid down."""

from __future__ import annotations

import re

from codeagent_tui.context.standing import is_standing

GAP = " … "
"""Stands where something was left out."""
_SENTENCE = re.compile(r"(?:(?!\n| … |[.!?;]\s|[。！？；]).)*(?:[.!?;](?=\s)|[。！？；]+)?")
_PROSE = 0.7
"""Share of letters and spaces from which on a sentence is taken for a person's: log lines have some 0.5."""
_FIRST_CJK = "\u2e80"
_CHARACTERS_A_WORD = 3
_AROUND = " \t\n…"
_LEAST_PIECE = 30
"""Characters of a sentence that are worth keeping when the whole does not fit."""


def cut_said(text: str, characters: int) -> str:
    """Return `text` in at most `characters` characters, with a mark where something is left out.

    What was asked stands at the beginning or the end: those sentences come first, then rules, wherever they stand,
    then what is nearest to the ends. Prose comes before what a program wrote.
    """
    if len(text) <= characters:
        return text
    sentences = [span for found in _SENTENCE.finditer(text) if (span := _trimmed(text, found.span()))]
    words = [text[start:end] for start, end in sentences]
    kept: dict[int, str] = {}
    for at in _by_weight(words):
        room = characters - sum(len(piece) + len(GAP) for piece in kept.values())
        if len(words[at]) <= room:
            kept[at] = words[at]
        elif at in (0, len(words) - 1) and room >= min(_LEAST_PIECE, characters):
            kept[at] = cut_text(words[at], room - len(GAP))
    return _joined(text, sentences, kept)[:characters]


def cut_text(text: str, characters: int) -> str:
    """Return the beginning and the end of `text`, `characters` in all and a mark between them."""
    if len(text) <= characters:
        return text
    head = (characters * 2) // 3
    return f"{text[:head]}{GAP}{text[len(text) - (characters - head) :]}"


def is_cut_of(short: str, text: str) -> bool:
    """Whether `short` is what `cut_text` made of `text`."""
    return GAP in short and short != text and cut_text(text, len(short) - len(GAP)) == short


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int] | None:
    """Return where the words of a sentence stand, without marks of an earlier cut; None when there are none."""
    sentence = text[slice(*span)]
    start = span[0] + len(sentence) - len(sentence.lstrip(_AROUND))
    words = sentence.strip(_AROUND)
    return (start, start + len(words)) if any(map(str.isalnum, words)) else None


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
    """Return the share of words: people write more of them and fewer signs than programs. A Han character is a word."""
    words = sum(_CHARACTERS_A_WORD if char >= _FIRST_CJK else char.isalpha() or char == " " for char in sentence)
    return words / (words + sum(char < _FIRST_CJK and not (char.isalpha() or char == " ") for char in sentence))


def _joined(text: str, sentences: list[tuple[int, int]], kept: dict[int, str]) -> str:
    """Return what is kept, with its own white space between neighbours and a mark where something is missing."""
    joined, before = "", -1
    for at in sorted(kept):
        between = text[sentences[at - 1][1] : sentences[at][0]] if at else ""
        joined += (between if at == before + 1 and len(between) <= len(GAP) else GAP) + kept[at]
        before = at
    return (joined if before == len(sentences) - 1 else joined + GAP).strip()
