"""Lets alt+enter be told from enter in terminals without the kitty keyboard protocol."""

from __future__ import annotations

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import Keys


def teach_alt_enter() -> None:
    """Make Textual read escape + carriage return (alt+enter) as ctrl+j, a new line; left alone it drops the escape."""
    assert isinstance(ANSI_SEQUENCES_KEYS, dict)
    ANSI_SEQUENCES_KEYS.setdefault("\x1b\r", (Keys.ControlJ,))
