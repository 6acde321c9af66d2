"""The chat pane: what was said and done, block by block. Its interface is that of the events it shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.timer import Timer

from codeagent_tui.tui.transcript_reading import TranscriptReading

if TYPE_CHECKING:
    from codeagent_tui.conversation.messages import Message
    from codeagent_tui.tui.blocks.answer import AnswerBlock
    from codeagent_tui.tui.blocks.block import Block
    from codeagent_tui.tui.blocks.reasoning import ReasoningBlock
    from codeagent_tui.tui.blocks.tool import ToolBlock

_TICK = 1.0
"""Seconds between two states of a running tool's clock."""


class Transcript(TranscriptReading):
    """The conversation on the screen.

    Texts may come from anywhere: they are cleaned when they are shown, and no markup is read in them but Markdown in
    answers. Everything can be called before the widget has a size. The kinds of block are imported where they are made:
    an empty transcript, the first frame, needs none of them.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._answer: AnswerBlock | None = None
        self._reasoning: ReasoningBlock | None = None
        self._attempt: list[Block] = []
        """What the present step has streamed, to be taken off when it is tried again."""
        self._calls: dict[str, ToolBlock] = {}
        self._clock: Timer | None = None

    def on_mount(self) -> None:
        """Load what the first message will need, beside the loop, when the first frame is drawn."""
        self.call_after_refresh(lambda: self.run_worker(_load_kinds(), group="kinds", exit_on_error=False))

    def _add(self, block: Block) -> str:
        self.document.add(block)
        self.block_changed(block)
        return block.id

    def _end_step(self) -> None:
        """Close what streams: what comes next is something else."""
        self._end_reasoning()
        self.end_answer()
        self._attempt.clear()

    def add_user(self, text: str, *, queued: bool = False) -> str:
        """Show a message of the user's; return the block's id."""
        from codeagent_tui.tui.blocks.user import UserBlock

        self._end_step()
        return self._add(UserBlock(text, queued=queued))

    def begin_answer(self) -> str:
        """Begin an answer; return the block's id."""
        from codeagent_tui.tui.blocks.answer import AnswerBlock

        self._end_reasoning()
        if self._answer is None:
            self._answer = AnswerBlock()
            self._attempt.append(self._answer)
            self._add(self._answer)
        return self._answer.id

    def append_answer(self, text: str) -> None:
        """Add a piece of the answer."""
        if self._answer is None or self._reasoning is not None:
            self.begin_answer()
        if self._answer is not None:
            self._answer.feed(text)
            self.block_changed(self._answer)

    def end_answer(self, *, interrupted: bool = False) -> None:
        """Say that the answer is whole, or that it was cut off."""
        answer, self._answer = self._answer, None
        if answer is None:
            return
        self._attempt.clear()
        if answer.is_empty and not interrupted:
            self.document.remove(answer)
            self._schedule()
        else:
            answer.end(interrupted=interrupted)
            self.block_changed(answer)

    def append_reasoning(self, text: str) -> None:
        """Add a piece of the model's thinking."""
        from codeagent_tui.tui.blocks.reasoning import ReasoningBlock

        if self._answer is not None:
            # Thinking in the middle of an answer: what was said stands above it, what is said next below.
            self._answer.end()
            self.block_changed(self._answer)
            self._answer = None
        if self._reasoning is None:
            self._reasoning = ReasoningBlock()
            self._attempt.append(self._reasoning)
            self._add(self._reasoning)
        self._reasoning.feed(text)
        self.block_changed(self._reasoning)

    def _end_reasoning(self) -> None:
        reasoning, self._reasoning = self._reasoning, None
        if reasoning is not None:
            reasoning.end()
            self.block_changed(reasoning)

    def discard_attempt(self) -> None:
        """Take what this step has streamed off the screen: it is tried again."""
        for block in self._attempt:
            self._dirty.pop(block, None)
            self.document.remove(block)
        self._attempt.clear()
        self._answer = self._reasoning = None
        self._schedule()

    def add_tool(self, call_id: str, name: str, title: str) -> str:
        """Show a tool call that runs; return the block's id."""
        from codeagent_tui.tui.blocks.tool import ToolBlock

        self._end_step()
        block = ToolBlock(call_id, name, title)
        self._calls[call_id] = block
        if self._clock is None and self.is_mounted:
            self._clock = self.set_interval(_TICK, self._tick, name="transcript clock")
        return self._add(block)

    def tool_progress(self, call_id: str, text: str) -> None:
        """Show the newest output of a running tool; `text` takes the place of what was shown before."""
        block = self._calls.get(call_id)
        if block is not None:
            block.progress(text)
            self.block_changed(block)

    def finish_tool(self, call_id: str, *, ok: bool, summary: str, output: str, diff: str) -> None:
        """Show how a call went. A call that was never announced is ignored."""
        block = self._calls.pop(call_id, None)
        if block is not None:
            block.finish(ok=ok, summary=summary, output=output, diff=diff)
            self.block_changed(block)
        self._stop_clock()

    def _tick(self) -> None:
        now = time.monotonic()
        for block in self._calls.values():
            if block.tick(now):
                self.block_changed(block)

    def _stop_clock(self) -> None:
        if not self._calls and self._clock is not None:
            self._clock.stop()
            self._clock = None

    def add_notice(self, level: str, text: str) -> str:
        """Say something to the user; `level` is info, warning or error. Return the block's id."""
        from codeagent_tui.tui.blocks.notice import NoticeBlock

        self._end_reasoning()
        return self._add(NoticeBlock(level, text))

    def add_rule(self, text: str) -> None:
        """Draw a thin divider with words in it."""
        from codeagent_tui.tui.blocks.notice import RuleBlock

        self._end_reasoning()
        self._add(RuleBlock(text))

    def clear(self) -> None:
        """Take everything off."""
        self._forget_all()
        self.follow()

    def load(self, messages: Iterable[Message]) -> None:
        """Show a history in place of what is there; ten thousand messages take a blink."""
        from codeagent_tui.tui.blocks.history import blocks_of

        self._forget_all()
        for block in blocks_of(messages):
            self.document.add_unseen(block)
        self.follow()

    def _forget_all(self) -> None:
        self.document.clear()
        self._dirty.clear()
        self._attempt.clear()
        self._answer = self._reasoning = self.picked = None
        self._calls.clear()
        self._stop_clock()
        if self.is_mounted:
            self.screen.clear_selection()

    def last_answer_text(self) -> str:
        """Return the newest answer as the Markdown it came as; empty when there is none."""
        from codeagent_tui.tui.blocks.answer import AnswerBlock

        for block in reversed(self.document):
            if isinstance(block, AnswerBlock) and not block.is_empty:
                return block.source()
        return ""


async def _load_kinds() -> None:
    await asyncio.to_thread(_import_kinds)


def _import_kinds() -> None:
    from codeagent_tui.tui.blocks.kinds import load_parser

    load_parser()
