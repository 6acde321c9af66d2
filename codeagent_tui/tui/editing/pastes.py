"""Large pastes: the draft holds one stand-in character each, the whole text comes back when the draft is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeagent_tui.text import clean_text
from codeagent_tui.tui.editing.clusters import FIRST_STAND_IN, MOST_STAND_INS, STAND_IN

MOST_CHARACTERS = 2_000
MOST_LINES = 20
"""A paste above either is shown as a label: more would push the conversation off the screen."""
_MOST_PATHS = 200
_LONGEST_PATH = 4_096
_PIECE = 32_768
"""Characters cleaned at a time: 3 ms at worst, 0.3 ms when nothing is to be removed (measured on two cores)."""
_LINE_END = re.compile("\r\n|\r|\n")
_ESCAPE = re.compile("[\x1b\x80-\x9f]")
_PATH = re.compile(r"""['"]?(?:file://|~?/|\.{1,2}/|[A-Za-z]:[\\/])[^\n]*""")


def is_large(text: str) -> bool:
    """Whether a paste is better shown as a label. A list of paths (files dropped on the terminal) stays text."""
    if len(text) > _MOST_PATHS * _LONGEST_PATH:
        return True
    lines = _line_ends(text) + 1
    if len(text) <= MOST_CHARACTERS and lines <= MOST_LINES:
        return False
    return lines > _MOST_PATHS or not _is_list_of_paths(text)


def _line_ends(text: str) -> int:
    returns = text.count("\r")
    return text.count("\n") + returns - (text.count("\r\n") if returns else 0)


def _is_list_of_paths(text: str) -> bool:
    lines = [line.strip() for line in _LINE_END.split(text) if line.strip()]
    return all(len(line) <= _LONGEST_PATH and _PATH.fullmatch(line) for line in lines)


def clean_in_pieces(text: str) -> Iterator[str]:
    """Yield the parts of `clean_text(text)`, each from a bounded amount of work.

    A part that holds an escape sequence ends at a line end, over which none reaches; any other may end anywhere.
    """
    start = 0
    while start < len(text):
        end = min(start + _PIECE, len(text))
        if _ESCAPE.search(text, start, end):
            found = _LINE_END.search(text, end)
            end = found.end() if found else len(text)
        elif text[end - 1] == "\r" and text[end : end + 1] == "\n":
            end += 1
        # Line ends first: what is left is mostly plain, which `clean_text` sees at a glance.
        yield clean_text(text[start:end].replace("\r\n", "\n").replace("\r", "\n"))
        start = end


class Paste:
    """A large paste: raw when it arrives, cleaned step by step, or at once when its text is asked for."""

    def __init__(self, raw: str, number: int) -> None:
        self._raw: str | None = raw
        self._text = ""
        lines = _line_ends(raw) + (raw[-1:] not in ("\r", "\n"))
        size = readable_size(len(raw) if raw.isascii() else len(raw.encode(errors="surrogatepass")))
        self.label = f"[pasted #{number}: {lines:,} {'line' if lines == 1 else 'lines'}, {size}]"

    @property
    def text(self) -> str:
        """The whole text, cleaned."""
        if self._raw is not None:
            self._settle("".join(clean_in_pieces(self._raw)))
        return self._text

    def holds(self, text: str) -> bool:
        """Whether this is a paste of `text`."""
        return text in (self._raw, self._text)

    def clean_by_steps(self) -> Iterator[None]:
        """Clean the text; between two steps the loop can do something else."""
        parts = []
        for part in clean_in_pieces(self._raw or ""):
            parts.append(part)
            yield
        if self._raw is not None:
            self._settle("".join(parts))

    def _settle(self, text: str) -> None:
        self._text = text
        self._raw = None


class PasteShelf:
    """The large pastes of one draft, by stand-in."""

    def __init__(self) -> None:
        self._pastes: dict[str, Paste] = {}

    def put(self, raw: str) -> tuple[str, Paste]:
        """Keep a paste and return its stand-in; the same text is kept once.

        Raises:
            OverflowError: after more than a thousand pastes in one draft.
        """
        for stand_in, paste in self._pastes.items():
            if paste.holds(raw):
                return stand_in, paste
        if len(self._pastes) == MOST_STAND_INS:
            raise OverflowError("too many pastes in one message")
        stand_in = chr(FIRST_STAND_IN + len(self._pastes))
        self._pastes[stand_in] = new = Paste(raw, len(self._pastes) + 1)
        return stand_in, new

    def label(self, stand_in: str) -> str:
        """Return what is shown for a stand-in."""
        return self._pastes[stand_in].label

    def expand(self, text: str) -> str:
        """Return `text` with each stand-in replaced by its whole paste."""
        return STAND_IN.sub(lambda match: self._pastes[match[0]].text, text) if self._pastes else text

    def clear(self) -> None:
        """Forget all pastes."""
        self._pastes.clear()


def readable_size(size: int) -> str:
    """Return a number of bytes as people read it: `3.2 KB`, `5.0 MB` (powers of 1,000)."""
    if size < 1_000:
        return f"{size} B"
    return f"{size / 1_000:.1f} KB" if size < 999_950 else f"{size / 1_000_000:.1f} MB"
