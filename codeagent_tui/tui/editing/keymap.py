"""Which key edits the draft how. Keys that need the layout (up, down) or have several meanings are the composer's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from codeagent_tui.tui.editing.buffer import ComposerBuffer
from codeagent_tui.tui.editing.clusters import next_boundary, previous_boundary
from codeagent_tui.tui.editing.motions import (
    Motion,
    blank_left,
    line_end,
    line_start,
    text_end,
    text_start,
    word_left,
    word_right,
)

Act: TypeAlias = Callable[[ComposerBuffer], None]

NEWLINE_KEYS = frozenset({"shift+enter", "ctrl+j", "alt+enter", "ctrl+enter", "shift+\r", "ctrl+\r", "alt+\r"})
"""Keys that always begin a new line. The last three are how xterm's modifyOtherKeys arrives."""

_MOVES: dict[Motion, tuple[str, ...]] = {
    previous_boundary: ("left", "ctrl+b"),
    next_boundary: ("right", "ctrl+f"),
    word_left: ("ctrl+left", "alt+left", "alt+b"),
    word_right: ("ctrl+right", "alt+right", "alt+f"),
    line_start: ("home", "ctrl+a"),
    line_end: ("end", "ctrl+e"),
    text_start: ("ctrl+home",),
    text_end: ("ctrl+end",),
}

_SELECTIONS: dict[Motion, tuple[str, ...]] = {
    previous_boundary: ("shift+left",),
    next_boundary: ("shift+right",),
    word_left: ("ctrl+shift+left", "alt+shift+left"),
    word_right: ("ctrl+shift+right", "alt+shift+right"),
    line_start: ("shift+home",),
    line_end: ("shift+end",),
    text_start: ("ctrl+shift+home",),
    text_end: ("ctrl+shift+end",),
}

_DELETIONS: dict[Motion, tuple[str, ...]] = {
    previous_boundary: ("backspace", "shift+backspace", "ctrl+h"),
    next_boundary: ("delete", "ctrl+d"),
}


def _line_end_or_beyond(text: str, index: int) -> int:
    """At the end of a line ctrl+k takes the line end itself, so that pressing it again goes on."""
    end = line_end(text, index)
    return min(end + 1, len(text)) if end == index else end


_CUTS: dict[Motion, tuple[str, ...]] = {
    blank_left: ("ctrl+w",),
    word_left: ("alt+backspace", "ctrl+backspace"),
    word_right: ("alt+d", "ctrl+delete", "alt+delete"),
    line_start: ("ctrl+u",),
    _line_end_or_beyond: ("ctrl+k",),
}

MOVES: dict[str, Act] = {
    **{key: partial(ComposerBuffer.go, motion=motion) for motion, keys in _MOVES.items() for key in keys},
    **{
        key: partial(ComposerBuffer.go, motion=motion, select=True)
        for motion, keys in _SELECTIONS.items()
        for key in keys
    },
}
"""Keys that move the cursor."""

EDITS: dict[str, Act] = {
    **{key: partial(ComposerBuffer.delete, motion=motion) for motion, keys in _DELETIONS.items() for key in keys},
    **{key: partial(ComposerBuffer.cut, motion=motion) for motion, keys in _CUTS.items() for key in keys},
    "ctrl+y": ComposerBuffer.yank,
    # ctrl+z reaches the composer only where the app does not suspend with it.
    **dict.fromkeys(("ctrl+underscore", "ctrl+z", "alt+z"), ComposerBuffer.undo),
    **dict.fromkeys(("ctrl+shift+z", "alt+shift+z"), ComposerBuffer.redo),
}
"""Keys that change the text."""

HELP: tuple[tuple[str, str], ...] = (
    ("enter", "Send"),
    ("shift+enter, ctrl+j, alt+enter", "Begin a new line; so does enter after a backslash"),
    ("up, down", "Go through earlier prompts, from the first and the last row"),
    ("ctrl+r", "Search earlier prompts"),
    ("tab", "Take the completion of a /command or an @file"),
    ("ctrl+left, ctrl+right", "Go by words; with shift, select"),
    ("home, end", "Go to the start or the end of the line; ctrl+a and ctrl+e too"),
    ("ctrl+w, alt+backspace", "Cut the word before the cursor"),
    ("ctrl+u, ctrl+k", "Cut to the start or the end of the line"),
    ("ctrl+y", "Put back what was cut"),
    ("ctrl+_, alt+z", "Undo; with shift (alt+shift+z), redo"),
)
"""What the composer's keys do, for the help: the keys as people write them, and a sentence."""

_COMMAND_MODIFIERS = ("ctrl+", "alt+", "meta+", "super+", "hyper+")


def typed_character(key: str, character: str | None) -> str:
    """Return what a key types; "" for a key that is not for typing.

    Joiners and variation selectors count: an emoji arrives as several keys. The code point is not cleaned yet.
    """
    if key == "shift+space":
        # Terminals with the kitty protocol send it without a character.
        return " "
    if not character or len(character) != 1 or character < " " or key.startswith(_COMMAND_MODIFIERS):
        return ""
    return character
