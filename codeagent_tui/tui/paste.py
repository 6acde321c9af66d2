"""Pastes: cleaned, and when they are large, one placeholder in the draft and the whole text when it is sent."""

from __future__ import annotations

import asyncio

from codeagent_tui.text import clean_text

LARGE_CHARACTERS = 2_000
LARGE_LINES = 20
_SLICE = 32_768


def is_large(text: str) -> bool:
    """Whether a paste is better shown as a placeholder."""
    return len(text) > LARGE_CHARACTERS or text.count("\n") > LARGE_LINES or text.count("\r") > LARGE_LINES


class PasteShelf:
    """The large pastes of a draft, by their placeholders. Cleaning goes on in slices between two turns of the loop."""

    def __init__(self) -> None:
        self._raw: dict[str, str] = {}
        self._clean: dict[str, str] = {}
        self._count = 0

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The placeholders that mean something."""
        return tuple(self._raw)

    def put(self, raw: str) -> str:
        """Keep `raw` and return its placeholder."""
        self._count += 1
        lines = raw.count("\n") + 1
        placeholder = f"[pasted #{self._count}: {lines:,} {'line' if lines == 1 else 'lines'}, {_size(len(raw))}]"
        self._raw[placeholder] = raw
        return placeholder

    async def clean(self, placeholder: str) -> None:
        """Clean a kept paste without holding the loop up."""
        raw = self._raw.get(placeholder, "")
        pieces = []
        start = 0
        while start < len(raw):
            # Slices end behind a line end where there is one near: an escape sequence does not cross lines.
            end = raw.find("\n", start + _SLICE, start + 2 * _SLICE) + 1 or start + _SLICE
            pieces.append(clean_text(raw[start:end]))
            start = end
            await asyncio.sleep(0)
        if placeholder in self._raw:
            self._clean[placeholder] = "".join(pieces)

    def expand(self, text: str) -> str:
        """Return `text` with the pastes in the places of their placeholders."""
        for placeholder, raw in self._raw.items():
            if placeholder in text:
                whole = self._clean.get(placeholder)
                text = text.replace(placeholder, clean_text(raw) if whole is None else whole)
        return text


def _size(characters: int) -> str:
    if characters < 1_000:
        return f"{characters} characters"
    if characters < 1_000_000:
        return f"{characters / 1_000:.1f} K"
    return f"{characters / 1_000_000:.1f} M"
