"""The first row of a block that folds: one row, cut to the width, its right part kept in sight."""

from __future__ import annotations

from codeagent_tui.text import cut_cells
from codeagent_tui.tui.blocks.block import Block
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Layout, Row, Span, decoration
from codeagent_tui.tui.blocks.styled import Prefix, Styled, flow
from codeagent_tui.tui.blocks.wrapping import columns


class TitlePart(Part):
    """`sign words  state`. The words can be selected; `state` stands behind them and is cut last."""

    __slots__ = ("_sign", "_state", "_words", "_wrapped")

    def __init__(self, block: Block, *, gap: bool) -> None:
        super().__init__(block, gap=gap)
        self._sign = decoration("")
        self._words = Styled.plain("")
        self._state: tuple[Span, ...] = ()
        self._wrapped = False

    def say(self, sign: Span, words: Styled, state: tuple[Span, ...] = (), *, wrapped: bool = False) -> None:
        """Set what the row says; `wrapped` shows all the words, on as many rows as they take."""
        self._sign, self._words, self._state, self._wrapped = sign, words, state, wrapped
        self.changed()

    def build(self, layout: Layout, width: int) -> None:
        """Add the row."""
        state = _fitting(self._state, max(0, width - 8))
        used = columns(self._sign.text) + sum(columns(span.text) for span in state)
        if self._wrapped and columns(self._words.text) > width - used:
            rest = (decoration(" " * columns(self._sign.text)),)
            flow(layout, self._words, width, prefix=Prefix((self._sign,), rest))
            if state:
                layout.rows.append(Row((*rest, *state), len(layout.lines) - 1))
            return
        layout.lines.append(self._words.text)
        shown = cut_cells(self._words.text, max(1, width - used))
        kept = len(shown) - (shown != self._words.text)
        spans = [self._sign, *self._words.spans(0, kept)]
        if kept < len(shown):
            spans.append(decoration("…", "hint"))
        layout.rows.append(Row((*spans, *state), len(layout.lines) - 1))

    def estimate(self, width: int) -> int:
        """Return 1."""
        return 1


def _fitting(state: tuple[Span, ...], room: int) -> tuple[Span, ...]:
    """Cut the words of the state to `room` columns."""
    fitting: list[Span] = []
    for span in state:
        text = cut_cells(span.text, room)
        if not text:
            break
        fitting.append(span._replace(text=text))
        room -= columns(text)
    return tuple(fitting)


def state_of(text: str, *roles: str) -> Span:
    """Return a piece of the state, two blanks before it."""
    return decoration(f"  {text}", *roles)
