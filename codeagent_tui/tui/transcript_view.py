"""Draws a document of blocks in one widget: the visible rows, and again only those that changed.

Textual's own pipeline is used from `render_lines` on. The rows come finished from the cache of their part, so that a
row that only moved costs nothing; the number of the first row is the viewport's, and Textual's scroll position and
virtual size follow it (without a layout of the whole screen, which a changed virtual size would otherwise cause).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from math import ceil
from typing import ClassVar

from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.document import Document
from codeagent_tui.tui.blocks.look import ROLES, Look
from codeagent_tui.tui.blocks.paint import paint, paint_selected, pointed_strip
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, Row, decoration
from codeagent_tui.tui.blocks.selection import Place
from codeagent_tui.tui.blocks.styled import Prefix, Styled, flow
from codeagent_tui.tui.blocks.viewport import Viewport

FRAME = 1 / 30
"""Seconds between two frames at least."""
_SCROLLED_FRAME = 1 / 20
"""The same after a frame in which most rows moved: each of those is some ten kilobytes for the terminal to read."""
_RIGHT_MARGIN = 1
"""Columns between the text and the scrollbar."""
_PAUSE = 4
"""After a frame, this many times what it took is left to others (keys above all)."""


class TranscriptView(ScrollView, can_focus=True):
    """Shows `document`. `block_changed` is to be called for each block that changed; drawing is put off to a frame."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"transcript--{role}" for role in ROLES}
    FOCUS_ON_CLICK = False  # whoever clicks on a message goes on typing in the composer

    class FollowChanged(Message, namespace="transcript"):
        """The view began or ceased to follow the end, or there is something below that was not seen yet."""

        def __init__(self, following: bool, unseen: bool) -> None:
            super().__init__()
            self.following = following
            self.unseen = unseen

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.auto_links = False
        self.document = Document()
        self.picked: Block | None = None
        self._viewport = Viewport(self.document)
        self._width = 0
        self._welcome = ""
        self._look: Look | None = None
        self._window: list[tuple[Part, int]] = []
        """The part and row that each visible row shows; shorter than the window when the document is."""
        self._shown: list[Strip] = []
        self._blank = Strip.blank(1)
        self._handle = (0, 0, 0, False)
        self._filters: tuple[LineFilter, ...] | None = None
        self._ground = Color(0, 0, 0)
        self._dirty: dict[Block, None] = {}
        self._frame: Timer | None = None
        self._next_frame = 0.0
        self._placing = False
        self._unseen = False
        self._told = (True, False)
        self._loading: set[str] = set()
        self._pressed = Offset(-1, -1)

    # What is shown

    @property
    def following(self) -> bool:
        """Whether the view stays at the end as the document grows."""
        return self._viewport.following

    def set_welcome(self, text: str) -> None:
        """Set what an empty document shows."""
        self._welcome = text
        self._schedule()

    def block_changed(self, block: Block) -> None:
        """Draw `block` again with the next frame."""
        self._dirty[block] = None
        self._unseen = self._unseen or not self.following
        self._schedule()

    def _schedule(self) -> None:
        if self._frame is None and self.is_mounted:
            wait = max(0.001, self._next_frame - time.perf_counter())
            self._frame = self.set_timer(wait, self._draw_frame, name="transcript frame")

    @property
    def waits_for_frame(self) -> bool:
        """Whether something changed that is not drawn yet."""
        return self._frame is not None

    def _draw_frame(self) -> None:
        self._frame = None
        started = time.perf_counter()
        redrawn = self._show()
        spent = time.perf_counter() - started
        pause = _SCROLLED_FRAME if redrawn > self._viewport.height // 2 else FRAME
        self._next_frame = started + max(pause, spent * (1 + _PAUSE))

    def _show(self) -> int:
        """Bring the view up to date with the document, and redraw the rows that look different; return how many."""
        for block in self._dirty:
            self.document.sync(block)
        self._dirty.clear()
        if not self._take_size():
            return 0
        self._set_window(self._viewport.place())
        before = self._shown
        self._shown = self._strips()
        if len(before) != len(self._shown):
            changed = list(range(len(self._shown)))
            self.refresh()
        else:
            changed = [y for y, strip in enumerate(self._shown) if strip is not before[y]]
            if changed:
                self.refresh(*_regions(changed, self.scrollable_content_region.width))
        self._tell()
        return len(changed)

    def _take_size(self) -> bool:
        """Take the widget's present size; False while it has none."""
        width, height = self.size.width, self.scrollable_content_region.height
        if width <= 0 or height <= 0:
            return False
        if width != self._width:
            self._width = width
            self._viewport.rewrap(max(1, self.scrollable_content_region.width - _RIGHT_MARGIN))
            for part in self.document.laid_out():
                part.drop_strips()
            self._blank = self._finished(Strip.blank(width, self._styles_of_roles().style(())))
        self._viewport.height = height
        return True

    def _has_size(self) -> bool:
        """Whether the widget still has the size that was taken."""
        return (self.size.width, self.scrollable_content_region.height) == (self._width, self._viewport.height)

    def _set_window(self, top: int) -> None:
        """Work out which rows are visible, and let Textual's scrolling know."""
        height = self._viewport.height
        self._window = list(self._rows_from(top, height))
        self.document.trim(4 * height)
        size = Size(self._width, max(self.document.index.height, height))
        self._placing = True
        try:
            if size != self.virtual_size:
                self.set_reactive(Widget.virtual_size, size)
            self.scroll_y = top
            self.set_reactive(Widget.scroll_target_y, top)
        finally:
            self._placing = False
        self._move_scrollbar(top)

    def _move_scrollbar(self, top: int) -> None:
        """Draw the scrollbar anew when its handle would look different; it is drawn in eighths of a cell."""
        height, whole = self._viewport.height, self.virtual_size.height
        size = max(1.0, height * height / whole)
        begin = int((height - size) * top / max(1, whole - height) * 8)
        handle = (height, begin, begin + ceil(size * 8), whole > height)
        if handle != self._handle:
            self._handle = handle
            bar = self.vertical_scrollbar
            bar.window_virtual_size, bar.window_size, bar.position = whole, height, top

    def _rows_from(self, top: int, count: int) -> Iterable[tuple[Part, int]]:
        found = self.document.index.at(top)
        if found is None:
            return
        part: Part | None
        part, row = found
        while part is not None and count > 0:
            for number in range(row, min(part.height, row + count)):
                yield part, number
            count -= max(0, part.height - row)
            part, row = self.document.index.below(part), 0

    # Drawing

    def _styles_of_roles(self) -> Look:
        if self._look is None:
            self._look = Look(
                self.rich_style, lambda role: self.get_component_rich_style(f"transcript--{role}", partial=True)
            )
        return self._look

    def _finished(self, strip: Strip) -> Strip:
        """Return `strip` as the terminal is to get it: without colours, for example."""
        if self._filters is None:
            self._filters = tuple(self.get_line_filters())
            self._ground = self.background_colors[1]
        for each in self._filters:
            strip = strip.apply_filter(each, self._ground)
        return strip

    def _strips(self) -> list[Strip]:
        if not len(self.document):
            strips = self._welcome_strips()
        elif (selection := self.text_selection) is not None:
            strips = [self._selected_strip(part, number, selection) for part, number in self._window]
        else:
            strips = [part.strips[number] or self._drawn(part, number) for part, number in self._window]
        if self.picked is not None and self.has_focus:
            strips = [
                self._marked(strip) if part.block is self.picked else strip
                for strip, (part, _) in zip(strips, self._window, strict=True)
            ]
        missing = self._viewport.height - len(strips)
        return strips + [self._blank] * missing

    def _drawn(self, part: Part, number: int) -> Strip:
        """Draw a row, and keep it with its part."""
        layout = self.document.layout_of(part)
        row = layout.rows[number]
        strip = self._blank
        if row.spans or row.ground:
            strip = self._finished(paint(row, self._width, self._styles_of_roles()))
        part.strips[number] = strip
        if layout.waits_for:
            self._load_lexers(layout.waits_for)
        return strip

    def _selected_strip(self, part: Part, number: int, selection: Selection) -> Strip:
        row = self.document.layout_of(part).rows[number]
        span = selection.get_span(Place.of(part, row.line).y)
        if span is None:
            return part.strips[number] or self._drawn(part, number)
        selected = self.screen.get_component_rich_style("screen--selection")
        if self.app.no_color:
            selected += Style(reverse=True)
        return self._finished(paint_selected(row, self._width, self._styles_of_roles(), *span, selected))

    def _marked(self, strip: Strip) -> Strip:
        style = self._styles_of_roles().style(("picked",))
        return Strip.join([self._finished(Strip.blank(1, style)), strip.crop(1)])

    def _welcome_strips(self) -> list[Strip]:
        layout = Layout()
        look = self._styles_of_roles()
        margin = (decoration("  "),)
        for number, line in enumerate(self._welcome.split("\n") if self._welcome else ()):
            role = "hint" if number else "welcome"
            flow(layout, Styled.plain(line, role), self._width, prefix=Prefix(margin, margin))
        above = max(0, (self._viewport.height - len(layout.rows)) // 3)
        rows = [*[Row(())] * above, *layout.rows][: self._viewport.height]
        return [self._finished(paint(row, self._width, look)) for row in rows]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the visible rows of `crop`, drawn before."""
        if not self._has_size() and self._take_size():
            self._set_window(self._viewport.place())
            self._shown = self._strips()
        elif not self._shown and self._viewport.height:
            self._shown = self._strips()
        strips = self._shown[crop.y : crop.bottom]
        if len(strips) < crop.height:
            strips += [Strip.blank(self._width, self.rich_style)] * (crop.height - len(strips))
        left, right = crop.column_span
        if left or right != self._width:
            strips = [strip.crop_extend(left, right, self.rich_style) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Return a visible row with its places in the source: Textual asks for it to know what the mouse points at."""
        if not 0 <= y < len(self._window):
            part = self.document.index.last
            if part is None:
                return Strip([])
            return pointed_strip(Row(()), Place.of(part, len(self.document.layout_of(part).lines)).y)
        part, number = self._window[y]
        row = self.document.layout_of(part).rows[number]
        return pointed_strip(row, Place.of(part, row.line).y)

    def notify_style_update(self) -> None:
        """Draw everything anew: the colours may be others."""
        super().notify_style_update()
        self._look = None
        self._filters = None
        for part in self.document.laid_out():
            part.drop_strips()
        self._shown = []
        if self._width:
            self._blank = self._finished(Strip.blank(self._width, self._styles_of_roles().style(())))

    def _load_lexers(self, languages: Iterable[str]) -> None:
        from codeagent_tui.tui.blocks.highlight import HIGHLIGHTER

        wanted = {each for each in languages if not HIGHLIGHTER.knows(each)} - self._loading
        if wanted:
            self._loading |= wanted
            self.run_worker(self._highlight_when_loaded(wanted), group="lexers", exit_on_error=False)

    async def _highlight_when_loaded(self, wanted: set[str]) -> None:
        from codeagent_tui.tui.blocks.highlight import HIGHLIGHTER

        for language in sorted(wanted):
            await asyncio.to_thread(HIGHLIGHTER.load, language)
        self._loading -= wanted
        for part in list(self.document.laid_out()):
            if part.layout is not None and part.layout.waits_for & wanted:
                part.drop()
        self._schedule()

    # Where the view is

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow a scroll position that somebody else set: the wheel, the scrollbar, a selection that is dragged."""
        rows = round(new_value) - round(old_value)
        if self._placing or not rows or not self._has_size():
            return  # our own doing, or Textual's while it takes another size: not the reader's wish
        if abs(rows) <= 2 * self._viewport.height:
            self.scroll_rows(rows)
        else:
            self._viewport.scroll_to(round(new_value))
            self._scrolled()

    def scroll_rows(self, rows: int) -> None:
        """Move by `rows`, upwards when negative."""
        self._viewport.scroll_by(rows)
        self._scrolled()

    def scroll_home_now(self) -> None:
        """Go to the first row."""
        self._viewport.scroll_to(0)
        self._scrolled()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._viewport.following = True
        self._scrolled()

    def _scrolled(self) -> None:
        if self.is_mounted:
            self._show()

    def _redraw(self) -> None:
        """Draw every row again."""
        self._shown = []
        self.refresh()

    def _tell(self) -> None:
        self._unseen = self._unseen and not self.following
        state = (self.following, self._unseen)
        if state != self._told:
            self._told = state
            self.post_message(self.FollowChanged(*state))


def _regions(rows: list[int], width: int) -> list[Region]:
    """Return the regions that cover `rows`, neighbours together."""
    regions: list[Region] = []
    begin = previous = rows[0]
    for row in rows[1:]:
        if row != previous + 1:
            regions.append(Region(0, begin, width, previous + 1 - begin))
            begin = row
        previous = row
    regions.append(Region(0, begin, width, previous + 1 - begin))
    return regions
