"""Pieces of tool calls → calls, whatever a server leaves out: indexes, ids, names, in any frame."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from codeagent_tui.llm.provider import CallPiece

# More than any file that one call should write; the rest is dropped, and the call is found to be cut.
_MOST_CHARACTERS = 4_000_000


@dataclass(slots=True)
class WrittenCall:
    """A call as far as it has come; `id` and `name` may still be empty."""

    index: int | None
    id: str
    name: str
    pieces: list[str] = field(default_factory=list)
    size: int = 0

    @property
    def arguments(self) -> str:
        """What has come of the arguments."""
        return "".join(self.pieces)

    @property
    def is_whole(self) -> bool:
        """Whether the arguments are a whole JSON object already."""
        if not self.pieces or not self.pieces[-1].rstrip().endswith("}"):
            return False
        try:
            return isinstance(json.loads(self.arguments, strict=False), dict)
        except (ValueError, RecursionError):
            return False


class CallCollector:
    """Collects the calls of one answer, in the order in which they begin."""

    def __init__(self) -> None:
        self.calls: list[WrittenCall] = []

    def take(self, piece: CallPiece) -> None:
        """Add `piece` to the call that it belongs to."""
        call = self._call_of(piece)
        if call is None:
            if not (piece.id or piece.name or piece.arguments):
                return
            call = WrittenCall(piece.index, "", "")
            self.calls.append(call)
        call.id = call.id or piece.id or ""
        call.name = call.name or piece.name or ""
        if call.index is None:
            call.index = piece.index
        if piece.arguments and call.size < _MOST_CHARACTERS:
            call.pieces.append(piece.arguments)
            call.size += len(piece.arguments)

    def _call_of(self, piece: CallPiece) -> WrittenCall | None:
        """Return the call that `piece` goes on with, or None when it begins a new one."""
        if piece.id:
            same = next((call for call in self.calls if call.id == piece.id), None)
            if same is not None:
                return same
        if piece.index is not None:
            same = next((call for call in reversed(self.calls) if call.index == piece.index), None)
            if same is not None:
                return None if _begins_another(piece, same) else same
        last = self.calls[-1] if self.calls else None
        if last is None or _is_elsewhere(piece, last):
            return None
        # Without an index a name begins a call, unless the last one still lacks its own.
        return None if piece.name and last.name else last


def _begins_another(piece: CallPiece, same: WrittenCall) -> bool:
    """Some servers give every parallel call the index 0: a new id with a name, or a name after whole arguments."""
    if not piece.name or not same.name:
        return False
    if piece.id and same.id:
        return True
    return same.is_whole


def _is_elsewhere(piece: CallPiece, last: WrittenCall) -> bool:
    """Whether `piece` brings an index that nothing has yet, and what a new call begins with."""
    new_index = piece.index is not None and last.index is not None
    return new_index and bool(piece.id or piece.name)
