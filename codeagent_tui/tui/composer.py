"""The composer: where the user types. It turns keys into edits of the draft and sends it on enter."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from codeagent_tui.text import clean_text
from codeagent_tui.tui.editing.alt_enter import teach_alt_enter
from codeagent_tui.tui.editing.buffer import ComposerBuffer
from codeagent_tui.tui.editing.completer import Completer
from codeagent_tui.tui.editing.completion import Choice, CommandHint
from codeagent_tui.tui.editing.completion_list import CompletionList
from codeagent_tui.tui.editing.draft_view import DraftView
from codeagent_tui.tui.editing.earlier_prompts import EarlierPrompts
from codeagent_tui.tui.editing.file_completion import FileCompletion, FileProvider
from codeagent_tui.tui.editing.history_search import HistorySearch, Outcome
from codeagent_tui.tui.editing.key_burst import QUICK, Enter, KeyBurst
from codeagent_tui.tui.editing.keymap import EDITS, MOVES, NEWLINE_KEYS, typed_character
from codeagent_tui.tui.editing.paste_cleaning import PasteCleaning
from codeagent_tui.tui.editing.pastes import PasteShelf, is_large
from codeagent_tui.tui.note_line import NOTE_HINT, is_note

__all__ = ["CommandHint", "Composer"]

Mode = Literal["chat", "shell", "memory"]

_LONGEST_EDITABLE = 10_000
"""A text that is put in whole (from the history, from a stopped queue) is editable up to this many characters."""
_SHOWN_OF_ENTRY = 300
_VERTICAL = {"up": -1, "down": 1, "shift+up": -1, "shift+down": 1}


class Composer(Widget, can_focus=True):
    """The input of the screen.

    Enter sends; a new line comes from shift+enter, ctrl+j, alt+enter, or enter after a backslash. Up and down walk
    through earlier prompts at the edges of the text, ctrl+r searches them. `/` at the start and `@` offer completions.
    Escape is the app's: it closes what `completing` says is open by `close_completion`.
    """

    class Submitted(Message):
        """The user sends `text`: the whole draft, with large pastes in full."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Changed(Message):
        """The user has changed the draft."""

    def __init__(self, history: Path | None = None) -> None:
        """Make an empty composer; `history` is the file of earlier prompts (None: this run's only)."""
        super().__init__(id="composer")
        self._pastes = PasteShelf()
        self._buffer = ComposerBuffer()
        self._view = DraftView(self._buffer, self._pastes)
        self._list = CompletionList()
        self._completer = Completer(FileCompletion(self._names_came))
        self._earlier = EarlierPrompts(history)
        self._burst = KeyBurst()
        self._unclear_enter: Timer | None = None
        self._goal: int | None = None
        self._cleaning = PasteCleaning(self._pastes)

    def compose(self) -> ComposeResult:
        """Lay out the draft, and the list that opens over it."""
        yield self._list
        yield self._view

    def on_mount(self) -> None:
        """Read the history once the first frame is out."""
        teach_alt_enter()
        self._list.hide()
        self.call_after_refresh(self._load_history)

    def on_unmount(self) -> None:
        """Stop what runs beside."""
        self._completer.close()
        self._cleaning.stop()

    @property
    def text(self) -> str:
        """What would be sent: the whole draft, with large pastes in full."""
        return self._pastes.expand(self._buffer.text)

    @property
    def draft(self) -> str:
        """What is typed and not sent; the same as `text`."""
        return self.text

    @property
    def placeholder(self) -> str:
        """What an empty composer shows."""
        return self._view.placeholder

    @placeholder.setter
    def placeholder(self, text: str) -> None:
        self._view.placeholder = clean_text(text)
        self._view.update()

    @property
    def mode_hint(self) -> Mode:
        """What the beginning makes of the draft: `!` a shell line, `#` a note to memory, else a message."""
        text = self._buffer.text
        if is_note(text):
            return "memory"
        return "shell" if text.startswith("!") else "chat"

    @property
    def completing(self) -> bool:
        """Whether a list is open that takes the escape key."""
        return self._earlier.search is not None or bool(self._completer.choices)

    def set_text(self, text: str) -> None:
        """Replace the draft, with the cursor at its end. The user can take that back."""
        self._earlier.restart()
        self._put_whole(text)

    def clear(self) -> None:
        """Empty the draft for good: nothing is left to take back."""
        self._buffer.reset()
        self._pastes.clear()
        self._cleaning.stop()
        self._earlier.restart()
        self._earlier.search = None
        self._completer.restart()
        self._show_list()
        self._refresh()

    def insert(self, text: str) -> None:
        """Put text from outside at the cursor: cleaned, and as a label when it is large."""
        self._buffer.insert(self._cleaning.shelve(text) if is_large(text) else clean_text(text))
        self._edited(complete=False)

    def set_providers(self, *, commands: Iterable[CommandHint], files: FileProvider | None) -> None:
        """Set what `/` offers, and who is asked for files after `@`."""
        self._completer.commands = tuple(commands)
        self._completer.files.provider = files

    def remember(self, text: str) -> None:
        """Add a text to the history, so that `up` brings it back; it is written in a thread."""
        self._earlier.add(text)

    def close_completion(self) -> bool:
        """Close the list that is open. Returns whether one was."""
        was_open = self.completing
        self._earlier.search = None
        self._completer.dismiss()
        self._show_list()
        return was_open

    def on_focus(self) -> None:
        """Show the cursor."""
        self._view.active = True
        self._view.update()

    def on_blur(self) -> None:
        """Hide the cursor and what is open."""
        self._view.active = False
        self.close_completion()
        self._view.update()

    def on_key(self, event: events.Key) -> None:
        """Take a key, or leave it to the screen."""
        if self._press(event):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Take a paste as it is: its line ends send nothing."""
        event.stop()
        event.prevent_default()
        self._settle_enter(sends=True)
        self.close_completion()
        self.insert(event.text)

    def on_draft_view_moved(self) -> None:
        """Follow the mouse."""
        self._moved()

    def on_completion_list_clicked(self, event: CompletionList.Clicked) -> None:
        """Take what was clicked."""
        event.stop()
        if self._earlier.search is not None:
            self._earlier.search.chosen = event.index
            self._take_found()
        elif event.index < len(self._completer.choices):
            self._completer.chosen = event.index
            self._take_choice()

    def _press(self, event: events.Key) -> bool:
        key = event.key
        self._view.heed_screen()
        self._settle_enter(sends=not self._burst.follows(event.time))
        typed = clean_text(typed_character(key, event.character))
        if self._earlier.search is not None:
            self._burst.press(event.time)
            return self._press_in_search(self._earlier.search, key, typed)
        if key == "enter":
            self._enter(event.time)
            return True
        self._burst.press(event.time)
        return self._press_in_list(key) or self._edit(key, typed)

    def _edit(self, key: str, typed: str) -> bool:
        """Do what `key` means to the draft itself. Returns whether it means anything."""
        if key in _VERTICAL:
            self._go_vertically(_VERTICAL[key], select=key.startswith("shift"))
        elif key in MOVES:
            MOVES[key](self._buffer)
            self._moved()
        elif key in EDITS:
            before = self._buffer.text
            EDITS[key](self._buffer)
            if self._buffer.text == before:
                self._moved()
            else:
                self._edited()
        elif key == "ctrl+r":
            self._earlier.begin_search()
            self._show_list()
        elif key in NEWLINE_KEYS or typed:
            self._type("\n" if key in NEWLINE_KEYS else typed)
        else:
            return False
        return True

    def _type(self, text: str) -> None:
        self._buffer.insert(text, typed=True)
        self._edited()

    def _enter(self, time: float) -> None:
        meaning = self._burst.enter(time)
        if meaning is Enter.LINE_END:
            self._type("\n")
        elif meaning is Enter.UNCLEAR:
            self._unclear_enter = self.set_timer(2 * QUICK, lambda: self._settle_enter(sends=True))
        else:
            self._confirm()

    def _settle_enter(self, *, sends: bool) -> None:
        """Decide about an enter that may have been part of a paste."""
        if self._unclear_enter is None:
            return
        self._unclear_enter.stop()
        self._unclear_enter = None
        if sends:
            self._confirm()
        else:
            self._type("\n")

    def _confirm(self) -> None:
        """Take the choice, begin a new line after a backslash, or send."""
        before = self._buffer.text[: self._buffer.cursor]
        if self._completer.choices and not self._completer.is_complete(self._buffer.text):
            self._take_choice()
        elif (len(before) - len(before.rstrip("\\"))) % 2:
            self._buffer.replace(len(before) - 1, len(before), "\n")
            self._edited()
        else:
            self._send()

    def _send(self) -> None:
        text = self.text
        if text.strip():
            self.remember(text)
            self.clear()
            self.post_message(self.Submitted(text))

    def _go_vertically(self, by: int, *, select: bool) -> None:
        layout = self._view.layout_of_draft
        place = layout.place(self._buffer.cursor)
        goal = place.column if self._goal is None else self._goal
        row = place.row + by
        if 0 <= row < layout.row_count:
            self._buffer.move(layout.index_at(row, goal), select=select)
            self._moved()
            self._goal = goal
            return
        if select or not self._recall_step(by):
            self._buffer.move(0 if by < 0 else len(self._buffer.text), select=select)
        self._moved()

    def _recall_step(self, by: int) -> bool:
        entry = self._earlier.step(by, self.text)
        if entry is None:
            return False
        self._put_whole(entry)
        if by < 0:
            # On the first row, so that the next `up` goes on through the history.
            self._buffer.move(self._view.layout_of_draft.index_at(0, self.size.width))
        self.post_message(self.Changed())
        return True

    def _press_in_search(self, search: HistorySearch, key: str, typed: str) -> bool:
        outcome = search.press(key, typed)
        if outcome is Outcome.TAKE:
            self._take_found()
        elif outcome is Outcome.CANCEL:
            self.close_completion()
        else:
            self._show_list()
        return outcome is not Outcome.NOT_MINE

    def _take_found(self) -> None:
        found = self._earlier.take_found()
        if found is not None:
            self.set_text(found)
            self.post_message(self.Changed())
        self._show_list()

    def _press_in_list(self, key: str) -> bool:
        if not self._completer.choices:
            return False
        if key in ("up", "down"):
            self._completer.step(_VERTICAL[key])
            self._show_list()
        elif key == "tab":
            self._take_choice()
        elif key == "escape":
            self.close_completion()
        else:
            return False
        return True

    def _take_choice(self) -> None:
        start, end, new = self._completer.take(self._buffer.text)
        self._buffer.replace(start, end, new)
        self._edited(complete=new.endswith("/"))

    def _names_came(self) -> None:
        self._completer.offer()
        self._show_list()

    def _show_list(self) -> None:
        room, search = self.region.y, self._earlier.search
        if search is not None:
            found = [Choice(entry, entry[:_SHOWN_OF_ENTRY]) for entry in search.found]
            self._list.show(found, search.chosen, title=search.title, room=room)
        elif self._completer.choices:
            self._list.show(self._completer.choices, self._completer.chosen, room=room)
        else:
            self._list.hide()

    def _edited(self, *, complete: bool = True) -> None:
        if complete and self._buffer.selection is None:
            self._completer.follow(self._buffer.text, self._buffer.cursor)
        else:
            self._completer.close()
        self._show_list()
        self._refresh()
        self.post_message(self.Changed())

    def _moved(self) -> None:
        self._completer.keep(self._buffer.cursor)
        self._show_list()
        self._refresh()

    def _refresh(self) -> None:
        self._goal = None
        self._view.sign = self.mode_hint
        text = self._buffer.text
        self._view.hint = NOTE_HINT if text.strip() == "#" else self._completer.argument_hint(text)
        self._view.update()

    def _put_whole(self, text: str) -> None:
        self._buffer.set_text(self._cleaning.shelve(text) if len(text) > _LONGEST_EDITABLE else clean_text(text))
        self._completer.close()
        self._show_list()
        self._refresh()

    def _load_history(self) -> None:
        self.run_worker(self._earlier.load(), group="history")
