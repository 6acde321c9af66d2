"""Tells a model's thinking from its answer when both come in one text, with tags that may be cut anywhere.

An opening tag counts only where nothing but white space was answered before it; a closing tag without an opening
one (chat templates open it in the prompt) turns everything before it into thinking. Inside code spans and fences
tags are text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPEN = re.compile(rf"\s*<({'|'.join(_NAMES)})>", re.I)
_CLOSE = re.compile(rf"</({'|'.join(_NAMES)})>", re.I)
_OPENING = tuple(f"<{name}>" for name in _NAMES)
_CLOSING = tuple(f"</{name}>" for name in _NAMES)
_FENCE = re.compile(r"^ {0,3}(```|~~~)", re.M)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some answer, or some thinking. `retract` means: everything answered so far was thinking, and `text` is it."""

    text: str
    thinking: bool = False
    retract: bool = False


class ThinkingSplitter:
    """Splits one stream of content. `feed` pieces, then `end`."""

    def __init__(self) -> None:
        self._held = ""
        self._answered = ""
        self._inside = False
        self._tags_seen = False

    def feed(self, text: str) -> list[Piece]:
        """Return what `text` makes certain."""
        self._held += text
        pieces: list[Piece] = []
        while (step := self._step(final=False)) is not None:
            pieces += step
        return pieces

    def end(self) -> list[Piece]:
        """Return what was held back."""
        pieces: list[Piece] = []
        while (step := self._step(final=True)) is not None:
            pieces += step
        return pieces

    def _step(self, *, final: bool) -> list[Piece] | None:
        """Take the next certain part off the held text; None when nothing more is certain."""
        if not self._held:
            return None
        if self._inside:
            return self._thinking(final)
        if not self._answered.strip():
            opened = _OPEN.match(self._held)
            if opened:
                self._held = self._held[opened.end() :]
                self._inside = self._tags_seen = True
                return []
            if not final and _may_become(self._held.lstrip(), _OPENING):
                return None
        return self._answer(final)

    def _thinking(self, final: bool) -> list[Piece] | None:
        closed = _CLOSE.search(self._held)
        if closed:
            text, self._held = self._held[: closed.start()], self._held[closed.end() :].lstrip()
            self._inside = False
            return [Piece(text, thinking=True)] if text else []
        keep = 0 if final else _tail_that_may_become(self._held, _CLOSING)
        text, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return [Piece(text, thinking=True)] if text else None

    def _answer(self, final: bool) -> list[Piece] | None:
        if not self._tags_seen:
            closed = _CLOSE.search(self._held)
            if closed and not _in_code(self._answered + self._held[: closed.start()]):
                thought = self._answered + self._held[: closed.start()]
                self._held = self._held[closed.end() :].lstrip()
                self._answered = ""
                self._tags_seen = True
                return [Piece(thought, thinking=True, retract=True)]
            if closed:
                return self._take(closed.end())
        keep = 0 if final or self._tags_seen else _tail_that_may_become(self._held, _CLOSING)
        return self._take(len(self._held) - keep)

    def _take(self, count: int) -> list[Piece] | None:
        text, self._held = self._held[:count], self._held[count:]
        if self._tags_seen and not self._answered:
            text = text.lstrip()
        self._answered += text
        return [Piece(text)] if text else (None if count == 0 else [])


def _may_become(text: str, tags: tuple[str, ...]) -> bool:
    lowered = text.lower()
    return any(tag.startswith(lowered) for tag in tags)


def _tail_that_may_become(text: str, tags: tuple[str, ...]) -> int:
    at = text.rfind("<")
    return len(text) - at if at >= 0 and _may_become(text[at:], tags) else 0


def _in_code(text: str) -> bool:
    if len(_FENCE.findall(text)) % 2:
        return True
    return text.rsplit("\n\n", 1)[-1].count("`") % 2 == 1
