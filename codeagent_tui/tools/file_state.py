"""What the model has seen of each file, so that nobody else's change is ever overwritten unseen.

A file is known by its text, piece by piece: pages that were read add up, and a piece counts for as long as it stands
where it was, unchanged. A file that was known whole is judged as a whole. Times and sizes say nothing: a touch is no
change, and a change of the same length within the same second is one.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from codeagent_tui.tools.tool import ToolError

Span = tuple[int, int]
"""Characters of a file's text, from the first up to but not including the second."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The pieces that were seen, each with its digest; `length` is the file's, in characters, if that was all of it."""

    pieces: tuple[tuple[int, int, bytes], ...]
    length: int | None

    @classmethod
    def of(cls, text: str, spans: Sequence[Span]) -> _Known:
        merged = _merged(spans)
        whole = merged == [(0, len(text))] or not text
        pieces = tuple((start, end, _digest(text, start, end)) for start, end in merged)
        return cls(pieces, len(text) if whole else None)

    def standing(self, text: str) -> list[Span]:
        """Return the pieces that are in `text` as they were."""
        return [(start, end) for start, end, digest in self.pieces if _digest(text, start, end) == digest]

    def is_whole(self, text: str) -> bool:
        """Whether `text` is all that was seen, and all of it was."""
        return self.length == len(text) and len(self.standing(text)) == len(self.pieces)


class FileState:
    """The files seen in a session, and one lock a file: edits of the same file happen one after the other."""

    def __init__(self) -> None:
        self._known: dict[Path, _Known] = {}
        self._locks: WeakValueDictionary[Path, asyncio.Lock] = WeakValueDictionary()

    def lock(self, path: Path) -> asyncio.Lock:
        """Return the lock that guards `path` from check to replacement."""
        lock = self._locks.get(path)
        if lock is None:
            lock = self._locks[path] = asyncio.Lock()
        return lock

    def saw(self, path: Path, text: str, spans: Sequence[Span]) -> None:
        """Note that the model was shown `spans` of `path`, whose text is `text`."""
        known = self._known.get(path)
        self._known[path] = _Known.of(text, [*spans, *(known.standing(text) if known else ())])

    def saw_all(self, path: Path, text: str) -> None:
        """Note that the model knows `text` to be all of `path`: it has just written it."""
        self._known[path] = _Known.of(text, [(0, len(text))])

    def changed(self, path: Path, before: str, after: str, places: Sequence[tuple[Span, Span]]) -> None:
        """Note our own change: each place in `before` that became a place in `after`, in order. What was known of
        the rest is still true."""
        known = self._known.get(path)
        spans = [(_moved(start, places), _moved(end, places)) for start, end in known.standing(before)] if known else []
        self._known[path] = _Known.of(after, [*spans, *(new for _, new in places)])

    def check_whole(self, path: Path, text: str, shown: str) -> None:
        """Make sure that the model knows all of what `path` holds now, before that is replaced.

        Raises:
            ToolError: with the advice to read the file (again).
        """
        known = self.check_known(path, text, shown)
        if not known.is_whole(text):
            raise ToolError(
                f"{shown} was not overwritten: only a part of it has been read. Read the rest, or use edit_file."
            )

    def check_places(self, path: Path, text: str, places: Sequence[Span], shown: str) -> None:
        """Make sure that the model has seen the `places` that it is about to change, as they are now.

        Raises:
            ToolError: with the advice to read the file, or those lines, (again).
        """
        known = self.check_known(path, text, shown)
        seen = _merged(known.standing(text))
        for start, end in places:
            if not any(low <= start and end <= high for low, high in seen):
                first, last = (text.count("\n", 0, at) + 1 for at in (start, max(start, end - 1)))
                lines = f"line {first} of it has" if first == last else f"lines {first}-{last} of it have"
                raise ToolError(
                    f"{shown} was not changed: {lines} not been read, or changed since. Read it again "
                    f"(offset={first}), then decide."
                )

    def check_known(self, path: Path, text: str, shown: str) -> _Known:
        """Make sure that the model has read `path`, and that what it knew whole is still that.

        Raises:
            ToolError: with the advice to read the file (again).
        """
        known = self._known.get(path)
        if known is None:
            raise ToolError(f"{shown} was not changed: it has not been read in this session. Read it first.")
        if known.length is not None and not known.is_whole(text):
            raise ToolError(
                f"{shown} was not changed: it is no longer what you read, somebody else has changed it since. "
                "Read it again, then decide."
            )
        return known


def _digest(text: str, start: int, end: int) -> bytes:
    """Return the identity of a piece of text; of one that reaches beyond its end, that of no text at all."""
    if end > len(text):
        return b""
    return hashlib.blake2b(text[start:end].encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _moved(position: int, places: Sequence[tuple[Span, Span]]) -> int:
    """Return where `position` in the text before is afterwards; places that were changed lie within what was seen."""
    shift = 0
    for old, new in places:
        if old[1] > position:
            break
        shift = new[1] - old[1]
    return position + shift
