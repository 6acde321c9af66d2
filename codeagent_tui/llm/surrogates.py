"""Half characters in what a server sends: put together where both halves come, replaced where one stays alone.

JSON may hold half of a UTF-16 pair as an escape, and Python reads it; it can be neither saved nor sent.
"""

from __future__ import annotations


class SurrogateJoiner:
    """Makes the pieces of one text whole; a half at a piece's end waits for the next piece."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """Return `text` as it may be used, without a half that may still be completed."""
        if self._half:
            text, self._half = self._half + text, ""
        if text.isascii():
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return whole_characters(text)

    def end(self) -> str:
        """Return what never became whole, as a replacement mark."""
        half, self._half = self._half, ""
        return "\ufffd" if half else ""


def whole_characters(text: str) -> str:
    """Return `text` with halves that belong together joined and lone ones replaced by U+FFFD. Idempotent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
