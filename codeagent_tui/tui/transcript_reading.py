"""What a reader does with the chat pane: scroll, fold, pick a block, select and copy."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp
from textual.selection import Selection

from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.more import MorePart
from codeagent_tui.tui.blocks.selection import selected_text
from codeagent_tui.tui.blocks.title import TitlePart
from codeagent_tui.tui.transcript_view import TranscriptView

_KEEP = 1
"""Rows of the last page that stay visible on the next one."""
_WORD = "_"


class TranscriptReading(TranscriptView):
    """The view with its keys and its mouse. Keys act while it has the focus; `scroll_by_key` acts in any case."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "by_key('up')", "Up", show=False),
        Binding("down,j", "by_key('down')", "Down", show=False),
        Binding("pageup", "by_key('page_up')", "Page up", show=False),
        Binding("pagedown,space", "by_key('page_down')", "Page down", show=False),
        Binding("home,g", "by_key('home')", "Start", show=False),
        Binding("end,G", "by_key('end')", "End", show=False),
        Binding("shift+up,p", "pick(-1)", "Previous block", show=False),
        Binding("shift+down,n", "pick(1)", "Next block", show=False),
        Binding("enter", "toggle_fold", "Fold", show=False),
        Binding("y,c", "copy_block", "Copy", show=False),
    ]

    class Copied(Message, namespace="transcript"):
        """Text went to the clipboard."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    # Scrolling

    def scroll_by_key(self, where: str) -> None:
        """Scroll as a key says: up, down, page_up, page_down, home or end."""
        page = max(1, self.scrollable_content_region.height - _KEEP)
        match where:
            case "home":
                self.scroll_home_now()
            case "end":
                self.follow()
            case _:
                self.scroll_rows({"up": -1, "down": 1, "page_up": -page, "page_down": page}[where])

    def action_by_key(self, where: str) -> None:
        """Scroll."""
        self.scroll_by_key(where)

    def on_scroll_to(self, event: ScrollTo) -> None:
        """Go where the scrollbar is dragged to, without an animation."""
        event.stop().prevent_default()
        if event.y is not None:
            self.scroll_y = event.y

    def on_scroll_up(self, event: ScrollUp) -> None:
        """Go up a page: a click above the scrollbar's handle."""
        event.stop().prevent_default()
        self.scroll_by_key("page_up")

    def on_scroll_down(self, event: ScrollDown) -> None:
        """Go down a page: a click below the scrollbar's handle."""
        event.stop().prevent_default()
        self.scroll_by_key("page_down")

    # Folding

    def toggle_fold(self, block_id: str | None = None) -> None:
        """Fold or unfold a block: that one, or the picked one, or the first visible one that can be folded."""
        block = self.document.get(block_id) if block_id is not None else self._picked_or_visible(foldable=True)
        if block is not None and block.foldable:
            block.fold(not block.folded)
            self._folded(block)

    def fold_all(self, folded: bool) -> None:
        """Fold or unfold everything that can be."""
        for block in self.document:
            if block.foldable and block.folded != folded:
                block.fold(folded)
                if not self.document.is_unseen(block):
                    self._folded(block)

    def _folded(self, block: Block) -> None:
        self.screen.clear_selection()
        self.block_changed(block)

    def action_toggle_fold(self) -> None:
        """Fold or unfold."""
        self.toggle_fold()

    def _picked_or_visible(self, *, foldable: bool) -> Block | None:
        if self.picked is not None and self.document.get(self.picked.id) is self.picked:
            return self.picked
        for part, _ in self._window:
            if part.block.foldable or not foldable:
                return part.block
        return None

    def action_pick(self, step: int) -> None:
        """Pick the next or previous block, beginning with what is visible, and show it."""
        picked = self._picked_or_visible(foldable=False)
        if picked is None:
            return
        if picked is self.picked:
            picked = self.document.neighbour(picked, step) or picked
        self.picked = picked
        self._viewport.reveal(picked)
        self._redraw()

    def on_blur(self) -> None:
        """Take the mark away."""
        self.picked = None
        self._redraw()

    # Mouse and selection

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Note where a click began, to tell it from a selection that is dragged."""
        self._pressed = event.screen_offset

    def on_click(self, event: events.Click) -> None:
        """Fold or unfold what is clicked on; twice selects the word, three times the line."""
        event.prevent_default()
        if event.chain > 1:
            event.stop()  # the screen would select everything
            self._select_around(event.y, event.screen_offset, whole_line=event.chain > 2)
            return
        if event.screen_offset != self._pressed or not 0 <= event.y < len(self._window):
            return
        part, _ = self._window[event.y]
        if part.block.foldable and (part.block.folded or isinstance(part, TitlePart | MorePart)):
            self.toggle_fold(part.block.id)

    def _select_around(self, y: int, at: Offset, *, whole_line: bool) -> None:
        _, place = self.screen.get_widget_and_offset_at(*at)
        if place is None or not 0 <= y < len(self._window):
            return
        part, number = self._window[y]
        layout = self.document.layout_of(part)
        line = layout.lines[layout.rows[number].line]
        begin, end = (0, len(line)) if whole_line else _word_at(line, place.x)
        if begin < end:
            self.screen.selections = {self: Selection(Offset(begin, place.y), Offset(end, place.y))}

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the source of what is selected."""
        return selected_text(self.document, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self._redraw()

    def action_copy_block(self) -> None:
        """Copy what is selected, else the source of the picked or the first visible block."""
        text = self.screen.get_selected_text()
        if not text:
            block = self._picked_or_visible(foldable=False)
            text = block.source() if block is not None else ""
        if text:
            self.app.copy_to_clipboard(text)
            self.post_message(self.Copied(text))


def _word_at(line: str, at: int) -> tuple[int, int]:
    """Return begin and end of the word around character `at`; words of code hang together by their underscores."""
    if at >= len(line):
        return at, at
    begin = end = at
    while begin > 0 and _in_word(line[begin - 1]):
        begin -= 1
    while end < len(line) and _in_word(line[end]):
        end += 1
    return (begin, end) if _in_word(line[at]) else (at, at + 1)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == _WORD
