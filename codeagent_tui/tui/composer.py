"""The input: a draft of many lines, with history, completion and pastes of any size."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.completion import (
    MOST_SHOWN,
    Candidate,
    CommandHint,
    Wanted,
    command_candidates,
    file_candidates,
    wanted_at,
)
from codeagent_tui.tui.composer_buffer import ComposerBuffer
from codeagent_tui.tui.composer_keys import EDITING_KEYS
from codeagent_tui.tui.composer_layout import Row, column_of, index_at, lay_out, row_of
from codeagent_tui.tui.composer_view import SIGN_CELLS, Marks, candidate_strip, placeholder_strip, text_strip
from codeagent_tui.tui.enter_guard import HOLD_SECONDS, EnterGuard
from codeagent_tui.tui.paste import PasteShelf, is_large
from codeagent_tui.tui.prompt_history import HistoryWalk, PromptHistory

__all__ = ["CommandHint", "Composer"]

_MOST_ROWS = 10
_SIGNS = {"chat": "›", "shell": "!", "memory": "#"}
FileProvider = Callable[[str], Awaitable[Sequence[str]]]


class Composer(Widget, can_focus=True):
    """Takes what the user types. It never sends by itself, and loses nothing that was typed."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"composer--{name}"
        for name in ("text", "sign", "placeholder", "cursor", "selection", "atom", "candidate", "chosen", "note")
    }

    class Submitted(Message):
        """The user sent `text`; pastes are in it whole."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Changed(Message):
        """The draft has changed."""

    def __init__(self, history_path: Path) -> None:
        super().__init__(id="composer")
        self.placeholder = "Ask, or / for commands, @ for files, ! for a shell line"
        self.history = PromptHistory(history_path)
        self._buffer = ComposerBuffer()
        self._walk = HistoryWalk(self.history)
        self._pastes = PasteShelf()
        self._guard = EnterGuard()
        self._commands: Sequence[CommandHint] = ()
        self._files: FileProvider | None = None
        self._wanted: Wanted | None = None
        self._candidates: list[Candidate] = []
        self._chosen = 0
        self._dismissed: tuple[str, int] | None = None
        self._search: str | None = None
        self._search_hit: int | None = None
        self._rows: list[Row] = [Row(0, 0, True)]
        self._laid_out: tuple[str, int] | None = None
        self._top = 0
        self._shown_height = 1
        self._goal_column: int | None = None

    # What the app asks of it

    @property
    def text(self) -> str:
        """The draft as it would be sent: pastes are in it whole."""
        return self._pastes.expand(self._buffer.text)

    @property
    def draft(self) -> str:
        """The same; what is kept when the program ends."""
        return self.text

    @property
    def selected(self) -> str:
        """The selected part of the draft."""
        return self._pastes.expand(self._buffer.selected)

    @property
    def mode_hint(self) -> str:
        """What sending would do: `chat`, `shell` (a leading `!`) or `memory` (a leading `#`)."""
        return {"!": "shell", "#": "memory"}.get(self._buffer.text[:1], "chat")

    @property
    def completing(self) -> bool:
        """Whether a list of completions (or the history search) is open, which esc closes."""
        return bool(self._candidates) or self._search is not None

    def set_text(self, text: str) -> None:
        """Hold `text` as the draft, the cursor at its end; a very long one as a paste."""
        self._walk.leave()
        self._buffer.set(self._kept(text) if is_large(text) else clean_text(text))
        self._changed()

    def clear(self) -> None:
        """Empty the draft."""
        self._walk.leave()
        self._buffer.set("")
        self._changed()

    def insert(self, text: str) -> None:
        """Put `text` where the cursor is."""
        self._buffer.insert(clean_text(text))
        self._changed()

    def remember(self, text: str) -> None:
        """Add `text` to the history, so that `up` brings it back."""
        self.history.add(text)

    def set_providers(self, *, commands: Sequence[CommandHint], files: FileProvider | None) -> None:
        """Say what there is to complete; `files` is given what stands after the `@`."""
        self._commands, self._files = commands, files

    def close_completion(self) -> bool:
        """Close the list or the search; return whether one was open."""
        was_open = self.completing
        if self._search is not None:
            self._search = None
        elif self._wanted is not None:
            self._dismissed = (self._wanted.kind, self._wanted.start)
        self._close_list()
        self._redraw()
        return was_open

    # Life

    def on_mount(self) -> None:
        """Load the history when the first frame is out."""
        self.call_after_refresh(lambda: self.run_worker(self.history.load, thread=True, group="history"))

    def watch_has_focus(self, _: bool) -> None:
        """The cursor shows the focus."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Another theme: draw anew."""
        super().notify_style_update()
        self.refresh()

    # Keys

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self._enter(event.time)
            return
        if self._guard.key(event.time):
            self._buffer.insert("\n")
        handled = self._searching(event) if self._search is not None else self._editing(event)
        if handled:
            event.stop()
            event.prevent_default()

    def _editing(self, event: events.Key) -> bool:
        if self._candidates and self._choosing(event.key):
            return True
        if event.key in ("up", "down", "shift+up", "shift+down"):
            self._vertical(-1 if event.key.endswith("up") else 1, select=event.key.startswith("shift"))
            return True
        self._goal_column = None
        act = EDITING_KEYS.get(event.key)
        if act is not None:
            act(self._buffer)
            self._changed()
            return True
        if event.key == "ctrl+r":
            self._search, self._search_hit = "", None
            self._close_list()
            self._redraw()
            return True
        if event.character is not None and event.is_printable:
            self._buffer.insert(clean_text(event.character), typing=True)
            self._changed()
            return True
        return False

    def _choosing(self, key: str) -> bool:
        if key in ("up", "down"):
            self._chosen = (self._chosen + (1 if key == "down" else -1)) % len(self._candidates)
            self._redraw()
            return True
        if key == "tab":
            self._accept()
            return True
        return False

    def _enter(self, at: float) -> None:
        if self._guard.enter(at):
            self._deliberate_enter()
        else:
            self.set_timer(HOLD_SECONDS, self._release_enter)

    def _release_enter(self) -> None:
        if not self._guard.holding:
            return
        if self._guard.release():
            self._deliberate_enter()
        else:
            self._buffer.insert("\n")
            self._changed()

    def _deliberate_enter(self) -> None:
        if self._search is not None:
            self._search = None
            self._changed()
        elif self._candidates and not self._is_complete():
            takes_more = self._accept()
            if not takes_more:
                self._submit()
        elif self._buffer.text[: self._buffer.cursor].endswith("\\") and self._buffer.cursor == len(self._buffer.text):
            self._buffer.delete_left()
            self._buffer.insert("\n")
            self._changed()
        else:
            self._submit()

    def _submit(self) -> None:
        text = self.text
        if not text.strip():
            return
        self.remember(text)
        self._pastes = PasteShelf()
        self._buffer = ComposerBuffer(killed=self._buffer.killed)
        self._walk.leave()
        self._changed()
        self.post_message(self.Submitted(text))

    def _vertical(self, direction: int, *, select: bool) -> None:
        """Go up or down a row; from the first or the last one, through the history."""
        rows = self._layout()
        buffer = self._buffer
        at = row_of(rows, buffer.cursor)
        if 0 <= at + direction < len(rows):
            column = column_of(buffer.text, rows[at], buffer.cursor)
            self._goal_column = max(column, self._goal_column or 0)
            buffer.move(index_at(buffer.text, rows[at + direction], self._goal_column), select=select)
            self._redraw()
            return
        if select:
            buffer.move(0 if direction < 0 else len(buffer.text), select=True)
            self._redraw()
            return
        text = self._walk.older(self.text) if direction < 0 else self._walk.newer()
        if text is not None:
            buffer.set(self._kept(text) if is_large(text) else text)
            self._changed(walking=True)

    # History search

    def _searching(self, event: events.Key) -> bool:
        query = self._search or ""
        if event.key == "ctrl+r":
            self._find(query, before=self._search_hit)
        elif event.key == "backspace":
            self._find(query[:-1])
        elif event.character is not None and event.is_printable:
            self._find(query + event.character)
        else:
            self._search = None
            self._changed()
            return False
        return True

    def _find(self, query: str, before: int | None = None) -> None:
        hit = self._walk.search(query, before) if query else None
        self._search = query
        if hit is not None:
            self._search_hit = hit
            text = self.history.entries[hit]
            self._buffer.set(self._kept(text) if is_large(text) else text)
        self._redraw()

    # Pastes

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        if is_large(event.text):
            placeholder = self._kept(event.text)
            self._buffer.insert(placeholder)
        else:
            self._buffer.insert(clean_text(event.text))
        self._changed()

    def _kept(self, text: str) -> str:
        placeholder = self._pastes.put(text)
        self._buffer.atoms = self._pastes.placeholders
        self.run_worker(self._pastes.clean(placeholder), group="paste")
        return placeholder

    # Completion

    def _is_complete(self) -> bool:
        """Whether enter would accept nothing but what is there already."""
        wanted, chosen = self._wanted, self._candidates[self._chosen]
        return wanted is not None and wanted.kind == "command" and chosen.insert.strip() == wanted.text

    def _accept(self) -> bool:
        """Put the chosen completion in; return whether more is to be typed after it."""
        wanted, chosen = self._wanted, self._candidates[self._chosen]
        if wanted is None:
            return True
        self._buffer.move(wanted.start)
        self._buffer.move(wanted.start + self._length(wanted), select=True)
        self._buffer.insert(chosen.insert)
        self._close_list()
        self._changed(complete=chosen.insert.endswith("/"))
        return wanted.kind != "command" or chosen.insert.endswith(" ")

    def _length(self, wanted: Wanted) -> int:
        opening = self._buffer.text[wanted.start : wanted.start + 2]
        marks = 0 if wanted.kind == "command" else 2 if opening == '@"' else 1
        return marks + len(wanted.text)

    def _complete(self) -> None:
        wanted = wanted_at(self._buffer.text, self._buffer.cursor)
        if wanted is None or self._dismissed == (wanted.kind, wanted.start):
            self._dismissed = None if wanted is None else self._dismissed
            self._close_list()
            return
        self._wanted = wanted
        if wanted.kind == "command":
            self._offer(command_candidates(wanted, self._commands))
        elif self._files is not None:
            self.run_worker(self._complete_file(wanted), group="complete", exclusive=True)

    async def _complete_file(self, wanted: Wanted) -> None:
        if self._files is None:
            return
        paths = await self._files(wanted.text)
        if self._wanted == wanted:
            self._offer(file_candidates(paths))
            self._redraw()

    def _offer(self, candidates: list[Candidate]) -> None:
        self._candidates = candidates
        self._chosen = 0

    def _close_list(self) -> None:
        self._wanted = None
        self._candidates = []
        self._chosen = 0

    # Drawing

    def _changed(self, *, walking: bool = False, complete: bool = True) -> None:
        if not walking:
            self._walk.leave()
        self._buffer.atoms = self._pastes.placeholders
        if complete and not walking:
            self._complete()
        else:
            self._close_list()
        self._redraw()
        self.post_message(self.Changed())

    def _redraw(self) -> None:
        height = self._wanted_height(self.size.width)
        if height != self._shown_height:
            self._shown_height = height
            self.refresh(layout=True)
        else:
            self.refresh()
        self.call_later(self._place_cursor)

    def _layout(self, width: int | None = None) -> list[Row]:
        # One cell stays free at the end of each row: the cursor may stand there.
        room = max(1, (self.size.width if width is None else width) - SIGN_CELLS - 1)
        if self._laid_out != (self._buffer.text, room):
            self._rows = lay_out(self._buffer.text, room)
            self._laid_out = (self._buffer.text, room)
        return self._rows

    def _list_rows(self) -> int:
        return min(MOST_SHOWN, len(self._candidates)) + (self._search is not None)

    def _wanted_height(self, width: int) -> int:
        most = max(1, min(_MOST_ROWS, self.app.size.height * 2 // 5))
        return min(most, len(self._layout(width))) + self._list_rows()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows of the draft, within bounds, and of the list above it."""
        self._shown_height = self._wanted_height(width)
        return self._shown_height

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"composer--{name}")

    def render_line(self, y: int) -> Strip:
        """Draw one row: of the list, or of the draft."""
        width = self.size.width
        listed = min(self._list_rows(), max(0, self.size.height - 1))
        if y < listed:
            return self._list_line(y, width)
        return self._text_line(y - listed, self.size.height - listed, width)

    def _list_line(self, y: int, width: int) -> Strip:
        if self._search is not None:
            words = f"history: {one_line(self._search)}▏ ctrl+r older, enter takes it, esc closes"
            return candidate_strip(Candidate("", words), False, 0, self._style, width)
        first = max(0, min(self._chosen - MOST_SHOWN // 2, len(self._candidates) - MOST_SHOWN))
        shown = self._candidates[first : first + MOST_SHOWN]
        if y >= len(shown):
            return Strip.blank(width, self._style("text"))
        cells = max(len(candidate.label) for candidate in shown)
        return candidate_strip(shown[y], first + y == self._chosen, cells, self._style, width)

    def _text_line(self, y: int, height: int, width: int) -> Strip:
        sign = _SIGNS[self.mode_hint]
        if not self._buffer.text:
            if y:
                return Strip.blank(width, self._style("text"))
            return placeholder_strip(sign, self.placeholder, self.has_focus, self._style, width)
        rows = self._layout()
        at = row_of(rows, self._buffer.cursor)
        self._top = max(at - height + 1, min(self._top, at, len(rows) - height), 0)
        number = self._top + y
        if number >= len(rows):
            return Strip.blank(width, self._style("text"))
        atoms = [span for atom in self._buffer.atoms for span in _spans(self._buffer.text, atom)]
        cursor = self._buffer.cursor if self.has_focus and number == at else None
        marks = Marks(cursor, self._buffer.selection, atoms)
        return text_strip(self._buffer.text, rows[number], sign if number == 0 else "", marks, self._style, width)

    @property
    def cursor_offset(self) -> Offset:
        """Where the cursor is within the widget, in cells."""
        rows = self._layout()
        at = row_of(rows, self._buffer.cursor)
        column = column_of(self._buffer.text, rows[at], self._buffer.cursor)
        return Offset(SIGN_CELLS + column, self._list_rows() + max(0, at - self._top))

    def _place_cursor(self) -> None:
        """Put the terminal's own cursor where the text goes in: input methods open their window there."""
        if self.has_focus:
            self.app.cursor_position = self.content_region.offset + self.cursor_offset

    # Mouse

    async def _on_mouse_down(self, event: events.MouseDown) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self._point(offset, select=event.shift):
            self.capture_mouse()

    async def _on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self:
            self._point(event.get_content_offset_capture(self), select=True)

    async def _on_mouse_up(self, event: events.MouseUp) -> None:
        if self.app.mouse_captured is self:
            self.release_mouse()

    def _point(self, offset: Offset, *, select: bool) -> bool:
        rows = self._layout()
        number = offset.y - self._list_rows()
        if number < 0:
            if offset.y < len(self._candidates):
                first = max(0, min(self._chosen - MOST_SHOWN // 2, len(self._candidates) - MOST_SHOWN))
                self._chosen = first + offset.y
                self._accept()
            return False
        row = rows[min(len(rows) - 1, self._top + number)]
        self._buffer.move(index_at(self._buffer.text, row, max(0, offset.x - SIGN_CELLS)), select=select)
        self._redraw()
        return True


def _spans(text: str, atom: str) -> list[tuple[int, int]]:
    found = []
    at = text.find(atom)
    while at >= 0:
        found.append((at, at + len(atom)))
        at = text.find(atom, at + len(atom))
    return found
