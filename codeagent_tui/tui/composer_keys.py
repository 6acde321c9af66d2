"""The editing keys of the composer: what each does to the buffer."""

from __future__ import annotations

from collections.abc import Callable

from codeagent_tui.tui.composer_buffer import ComposerBuffer

Edit = Callable[[ComposerBuffer], object]


def _moves(target: Callable[[ComposerBuffer], int], *, select: bool = False) -> Edit:
    return lambda buffer: buffer.move(target(buffer), select=select)


def _left(buffer: ComposerBuffer) -> int:
    return buffer.selection[0] if buffer.selection else buffer.left_of(buffer.cursor)


def _right(buffer: ComposerBuffer) -> int:
    return buffer.selection[1] if buffer.selection else buffer.right_of(buffer.cursor)


def _line_start(buffer: ComposerBuffer) -> int:
    return buffer.line_start(buffer.cursor)


def _line_end(buffer: ComposerBuffer) -> int:
    return buffer.line_end(buffer.cursor)


def _word_left(buffer: ComposerBuffer) -> int:
    return buffer.word_left(buffer.cursor)


def _word_right(buffer: ComposerBuffer) -> int:
    return buffer.word_right(buffer.cursor)


def _newline(buffer: ComposerBuffer) -> None:
    buffer.insert("\n")


def _for_all(edit: Edit, *keys: str) -> dict[str, Edit]:
    return dict.fromkeys(keys, edit)


EDITING_KEYS: dict[str, Edit] = {
    **_for_all(_newline, "shift+enter", "ctrl+enter", "alt+enter", "ctrl+j"),
    **_for_all(_moves(_left), "left", "ctrl+b"),
    **_for_all(_moves(_right), "right", "ctrl+f"),
    **_for_all(_moves(_line_start), "home", "ctrl+a"),
    **_for_all(_moves(_line_end), "end", "ctrl+e"),
    **_for_all(_moves(_word_left), "ctrl+left", "alt+left", "alt+b"),
    **_for_all(_moves(_word_right), "ctrl+right", "alt+right", "alt+f"),
    "shift+left": _moves(lambda b: b.left_of(b.cursor), select=True),
    "shift+right": _moves(lambda b: b.right_of(b.cursor), select=True),
    "shift+home": _moves(_line_start, select=True),
    "shift+end": _moves(_line_end, select=True),
    **_for_all(_moves(_word_left, select=True), "ctrl+shift+left", "alt+shift+left"),
    **_for_all(_moves(_word_right, select=True), "ctrl+shift+right", "alt+shift+right"),
    "ctrl+shift+a": lambda b: b.select_all(),
    **_for_all(lambda b: b.delete_left(), "backspace", "ctrl+h"),
    **_for_all(lambda b: b.delete_right(), "delete", "ctrl+d"),
    **_for_all(lambda b: b.kill_word_left(), "ctrl+w", "alt+backspace", "ctrl+backspace"),
    **_for_all(lambda b: b.kill_word_right(), "alt+d", "ctrl+delete", "alt+delete"),
    "ctrl+u": lambda b: b.kill_to_line_start(),
    "ctrl+k": lambda b: b.kill_to_line_end(),
    "ctrl+y": lambda b: b.yank(),
    **_for_all(lambda b: b.undo(), "ctrl+underscore", "ctrl+minus"),
    **_for_all(lambda b: b.redo(), "ctrl+shift+z", "alt+underscore"),
}
"""Names of keys as Textual has them. `ctrl+h` is what some terminals send for backspace."""
