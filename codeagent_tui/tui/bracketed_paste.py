"""Takes bracketed pastes out of a terminal's input as they are.

Textual's parser reads a paste one character at a time: 5 MB keep it busy for seven seconds (measured on two cores),
and the interpreter with it. Found by their marks instead, they cost nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

_START = "\x1b[200~"
_END = "\x1b[201~"
_OVERLAP = len(_START) - 1


@dataclass(frozen=True, slots=True)
class Pasted:
    """A whole paste, not cleaned."""

    text: str


class PasteReader:
    """Splits input into pastes and the rest, which goes to the parser in its order.

    A mark that two reads cut in half is left to the parser with everything up to the paste's end: to hold a lone
    escape back until the next read would keep the escape key waiting.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._pasting = False
        self._parser_pastes = False
        self._tail = ""

    def feed(self, data: str) -> Iterator[str | Pasted]:
        """Yield what `data` brings: texts for the parser, and pastes that are complete."""
        while data:
            if self._pasting:
                data = yield from self._collect(data)
            elif self._parser_pastes:
                data = yield from self._pass_up_to_end(data)
            else:
                data = yield from self._pass_up_to_start(data)

    def _pass_up_to_start(self, data: str) -> Generator[str | Pasted, None, str]:
        seen = self._tail + data
        if self._tail and _START in seen[: len(self._tail) + _OVERLAP]:
            self._parser_pastes = True
            return data
        before, mark, rest = data.partition(_START)
        self._pasting = bool(mark)
        self._tail = "" if mark else seen[-_OVERLAP:]
        if before:
            yield before
        return rest

    def _pass_up_to_end(self, data: str) -> Generator[str | Pasted, None, str]:
        seen = self._tail + data
        at = seen.find(_END)
        end = len(seen) if at < 0 else at + len(_END)
        passed = seen[len(self._tail) : end]
        self._parser_pastes = at < 0
        self._tail = seen[-_OVERLAP:] if at < 0 else ""
        yield passed
        return seen[end:]

    def _collect(self, data: str) -> Generator[str | Pasted, None, str]:
        self._parts.append(data)
        seen = self._tail + data
        if _END not in seen:
            self._tail = seen[-_OVERLAP:]
            return ""
        text, _, rest = "".join(self._parts).partition(_END)
        self._parts.clear()
        self._pasting = False
        self._tail = ""
        yield Pasted(text)
        return rest
