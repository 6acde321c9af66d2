"""Which drafts are notes for project memory: one line that begins with `#`, as `!` begins a shell line.

A Markdown heading can still be sent: `##` and deeper are messages, and so is what has more than one line. `\\#` sends
a line that begins with one `#`. `#12` is a message too: so people name an issue.
"""

from __future__ import annotations

from codeagent_tui.tui.editing.clusters import next_boundary

NOTE_HINT = "a line for CODEAGENT.md (## sends a heading)"
"""What a note shows before anything is typed of it."""
_SIGN = "#"
_ESCAPED = "\\#"


def is_note(text: str) -> bool:
    """Whether `text` is a note, or becomes one when more is typed."""
    # A whole character: the keycap emoji begins with the same code point.
    if text[: next_boundary(text, 0)] != _SIGN or "\n" in text.strip():
        return False
    return not text[1:2].isdigit() and text[1:2] != _SIGN


def note_in(text: str) -> str:
    """Return the note that `text` holds, "" when it is none."""
    return text[1:].strip() if is_note(text) else ""


def unescaped(text: str) -> str:
    """Return a message as it is meant: without the backslash that made it no note."""
    return text[1:] if text.startswith(_ESCAPED) else text
