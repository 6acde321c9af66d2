"""Characters in a command that a screen does not show as what they are: what is approved must be what is seen."""

from __future__ import annotations

import re

# Controls but tab and line ends, a carriage return that ends no line, bidi controls (UAX #9), and blanks of no width.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]|\r(?!\n)"
)
_MOST_NAMED = 4


def invisible_characters(command: str) -> tuple[str, ...]:
    """Return a sentence that names the characters of `command` that are not seen; empty when there are none."""
    found = dict.fromkeys(f"U+{ord(hit[0]):04X}" for hit in _INVISIBLE.finditer(command))
    if not found:
        return ()
    named = ", ".join(list(found)[:_MOST_NAMED])
    return (f"It holds characters that are not shown as they are: {named}",)
