"""Makes one summary of a run of messages, in pieces when they do not fit the summariser's window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from codeagent_tui.context.ledger_text import without_ledger
from codeagent_tui.context.prompts.summary import FOCUS, MERGE_REQUEST, SUMMARY_REQUEST, SUMMARY_SYSTEM
from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.llm.summary import SummaryFailed, ask_for_summary
from codeagent_tui.text import cut_characters
from codeagent_tui.tokens import TokenEstimator, estimate_tokens

_RESULT_CHARACTERS = 2_000
_ARGUMENT_CHARACTERS = 500
_LEAST_INPUT = 256
_HALVINGS = 2
"""How often the pieces are made smaller when the server says that one does not fit after all."""


@dataclass(slots=True)
class _Progress:
    done: int
    total: int
    tell: Callable[[int, int], None]

    def step(self) -> None:
        self.done += 1
        self.total = max(self.total, self.done)
        self.tell(self.done, self.total)


class Summariser:
    """Asks a model for summaries; one attempt a call, because the caller can do without."""

    def __init__(
        self,
        model: ChatModel,
        *,
        input_tokens: int,
        output_tokens: int | None = None,
        estimate: TokenEstimator = estimate_tokens,
    ) -> None:
        """`input_tokens` is the most one call may hold by `estimate`, `output_tokens` the most it may answer."""
        self._model = model
        self._input_tokens = max(_LEAST_INPUT, input_tokens)
        self._output_tokens = output_tokens
        self._estimate = estimate
        self.calls = 0
        """Requests made so far."""

    async def summarise(
        self,
        messages: Sequence[Message],
        focus: str | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> str:
        """Return a summary of `messages`; `progress` hears how many of how many calls are done.

        Raises:
            SummaryFailed: when the model failed, refused, was cut off, or said nothing usable.
        """
        wanted = FOCUS.format(focus=focus) if focus else ""
        limit = self._input_tokens - self._estimate(SUMMARY_SYSTEM + wanted)
        for attempt in range(_HALVINGS + 1):
            try:
                return await self._condensed(messages, wanted, max(_LEAST_INPUT // 2, limit), progress)
            except SummaryFailed as failure:
                if not failure.too_long or attempt == _HALVINGS:
                    raise
                # Smaller pieces than it took before: also where everything was one piece.
                limit = min(limit, sum(self._estimate(_rendered(message)) for message in messages)) // 2
                if limit < _LEAST_INPUT // 2:
                    raise
        raise SummaryFailed("The parts do not fit the model's window.")

    async def _condensed(
        self, messages: Sequence[Message], wanted: str, limit: int, progress: Callable[[int, int], None]
    ) -> str:
        # In a thread: the messages of a full window are a megabyte of text.
        pieces = await asyncio.to_thread(lambda: list(self._packed(map(_rendered, messages), limit)))
        steps = _Progress(0, len(pieces) + (len(pieces) > 1), progress)
        parts = [await self._ask(SUMMARY_REQUEST, wanted, piece, steps) for piece in pieces]
        while len(parts) > 1:
            packed = list(self._packed(parts, limit))
            if len(packed) >= len(parts):
                raise SummaryFailed("The parts' summaries do not fit the model's window together.")
            steps.total = max(steps.total, steps.done + len(packed))
            parts = [await self._ask(MERGE_REQUEST, wanted, piece, steps) for piece in packed]
        return parts[0] if parts else ""

    async def _ask(self, request: str, wanted: str, transcript: str, steps: _Progress) -> str:
        self.calls += 1
        text = request.format(focus=wanted, transcript=_defanged(transcript))
        try:
            summary = await ask_for_summary(self._model, SUMMARY_SYSTEM, text, max_output_tokens=self._output_tokens)
        except SummaryFailed as failure:
            if not failure.limit_refused or self._output_tokens is None:
                raise
            # A model with a lower limit than ours: its own is right for it.
            self._output_tokens = None
            summary = await ask_for_summary(self._model, SUMMARY_SYSTEM, text)
        steps.step()
        return summary

    def _packed(self, texts: Iterable[str], limit: int) -> Iterator[str]:
        """Join `texts` into as few pieces of at most `limit` tokens as come in order; a giant text is split."""
        piece: list[str] = []
        used = 0
        for text in texts:
            for part in self._split(text, limit):
                tokens = self._estimate(part) + 1
                if piece and used + tokens > limit:
                    yield "\n\n".join(piece)
                    piece, used = [], 0
                piece.append(part)
                used += tokens
        if piece:
            yield "\n\n".join(piece)

    def _split(self, text: str, limit: int) -> Iterator[str]:
        tokens = self._estimate(text)
        if tokens < limit:
            yield text
            return
        # Halved until it fits: no script is so dense that a character costs more than a few tokens.
        middle = len(text) // 2
        if middle == 0:
            yield text
            return
        yield from self._split(text[:middle], limit)
        yield from self._split(text[middle:], limit)


def _defanged(transcript: str) -> str:
    """Return `transcript` without what would end the block that it is put into."""
    return transcript.replace("</conversation", "‹/conversation").replace("</summaries", "‹/summaries")


def _rendered(message: Message) -> str:
    if message.role is Role.TOOL:
        return f"[tool result] {cut_characters(message.content, _RESULT_CHARACTERS, '… [cut]')}"
    # A ledger is carried on by itself; what it says need not be summarised.
    content = without_ledger(message.content) if message.kind is MessageKind.SUMMARY else message.content
    calls = "".join(
        f"\n[calls {call.name} {cut_characters(call.arguments, _ARGUMENT_CHARACTERS)}]" for call in message.tool_calls
    )
    return f"[{message.role}] {content}{calls}"
