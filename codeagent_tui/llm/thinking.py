"""Tells a model's thinking from its answer when both come in one text, with tags that may be cut anywhere.

An opening tag counts only where nothing but white space was answered before it; a closing tag without an opening
one (chat templates open it in the prompt) turns everything before it into thinking. Inside code spans and fences,
and in pairs in the middle of an answer, tags are text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

# Most models, Seed-OSS, Magistral, Kimi-VL.
_TAGS = (
    *((f"<{name}>", f"</{name}>") for name in ("think", "thinking", "thought", "reasoning", "seed:think")),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
)
_OPENING, _CLOSING = (tuple(tags) for tags in zip(*_TAGS, strict=True))
_OPEN = re.compile(rf"\s*(?:{'|'.join(map(re.escape, _OPENING))})", re.I)
_CLOSE = re.compile("|".join(map(re.escape, _CLOSING)), re.I)
_FENCE = re.compile(r"^ {0,3}(```|~~~)", re.M)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some answer, or some thinking. `retract` means: everything answered so far was thinking, and `text` is it."""

    text: str
    thinking: bool = False
    retract: bool = False


class _Where(Enum):
    START = auto()
    """Nothing but white space was answered since the beginning, or since the last thinking."""
    THINKING = auto()
    ANSWER = auto()


class ThinkingSplitter:
    """Splits one stream of content. `feed` pieces, then `end`."""

    def __init__(self) -> None:
        self._held = ""
        self._where = _Where.START
        self._answered: list[str] = []
        self._last_thought = ""
        self._tags_seen = False
        self._apart = False

    def thinking_is_apart(self) -> None:
        """Say that the server sends thinking in a field of its own: a lone closing tag is text then."""
        self._apart = True

    def feed(self, text: str) -> list[Piece]:
        """Return what `text` makes certain."""
        self._held += text
        return self._certain(final=False)

    def end(self) -> list[Piece]:
        """Return what was held back."""
        return self._certain(final=True)

    def _certain(self, *, final: bool) -> list[Piece]:
        pieces: list[Piece] = []
        while self._held and (step := self._step(final)) is not None:
            pieces += step
        return pieces

    def _step(self, final: bool) -> list[Piece] | None:
        """Take the next certain part off the held text; None when nothing more is certain."""
        match self._where:
            case _Where.START:
                return self._start(final)
            case _Where.THINKING:
                return self._thinking(final)
            case _Where.ANSWER:
                return self._answer(final)

    def _start(self, final: bool) -> list[Piece] | None:
        opened = _OPEN.match(self._held)
        if opened:
            self._held = self._held[opened.end() :]
            self._where, self._tags_seen = _Where.THINKING, True
            return []
        if not final and _may_become(self._held.lstrip(), _OPENING):
            return None
        if self._tags_seen:
            # The blank lines between thinking and answer belong to neither.
            self._held = self._held.lstrip()
        self._where = _Where.ANSWER
        return []

    def _thinking(self, final: bool) -> list[Piece] | None:
        position = 0
        while closed := _CLOSE.search(self._held, position):
            before = self._held[closed.start() - 1] if closed.start() else self._last_thought
            if before == "`" and closed.end() == len(self._held) and not final:
                return self._thought(closed.start())
            if before != "`" or self._held[closed.end() : closed.end() + 1] != "`":
                text, self._held = self._held[: closed.start()], self._held[closed.end() :]
                self._where = _Where.START
                return [Piece(text, thinking=True)] if text else []
            # Quoted as code, the tag is what the model thinks about.
            position = closed.end()
        return self._thought(len(self._held) - (0 if final else _tail_that_may_become(self._held, _CLOSING)))

    def _thought(self, count: int) -> list[Piece] | None:
        text, self._held = self._held[:count], self._held[count:]
        self._last_thought = text[-1:] or self._last_thought
        return [Piece(text, thinking=True)] if text else None

    def _answer(self, final: bool) -> list[Piece] | None:
        if self._tags_seen or self._apart:
            return self._take(len(self._held))
        closed = _CLOSE.search(self._held)
        if closed is None:
            return self._take(len(self._held) - (0 if final else _tail_that_may_become(self._held, _CLOSING)))
        thought = "".join(self._answered) + self._held[: closed.start()]
        if _in_code(thought) or _opened_in(thought):
            return self._take(closed.end())
        self._held = self._held[closed.end() :]
        shown = bool(self._answered)
        self._answered.clear()
        self._where, self._tags_seen = _Where.START, True
        return [Piece(thought, thinking=True, retract=shown)] if thought.strip() or shown else []

    def _take(self, count: int) -> list[Piece] | None:
        text, self._held = self._held[:count], self._held[count:]
        if not self._tags_seen:
            self._answered.append(text)
        return [Piece(text)] if text else None


def _may_become(text: str, tags: tuple[str, ...]) -> bool:
    lowered = text.lower()
    return any(tag.startswith(lowered) for tag in tags)


def _tail_that_may_become(text: str, tags: tuple[str, ...]) -> int:
    """Return the length of the end of `text` that may be the beginning of one of `tags`."""
    for mark in "<[◁":
        at = text.rfind(mark)
        if at >= 0 and _may_become(text[at:], tags):
            return len(text) - at
    return 0


def _opened_in(text: str) -> bool:
    """Whether the answer itself opened what is closed now: it speaks of the tags."""
    lowered = text.lower()
    return max(map(lowered.rfind, _OPENING)) > max(map(lowered.rfind, _CLOSING))


def _in_code(text: str) -> bool:
    if len(_FENCE.findall(text)) % 2:
        return True
    return text.rsplit("\n\n", 1)[-1].count("`") % 2 == 1
