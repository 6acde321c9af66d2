"""A model whose summaries come when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from codeagent_tui.context.prompts.summary import SUMMARY_SYSTEM
from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import ChatRequest, ContextOverflow, FinishPiece, StreamEvent, TextPiece, UsagePiece
from tests.support.models import ScriptedModel

SUMMARY = "The user asked several long questions; each was answered. Nothing was changed, nothing is open."
WINDOW = 32_768
PART = "word " * 3_000
"""A message of some 3,750 tokens: five of them are beyond the trigger of the window, seven beyond its ceiling."""


class Summarising(ScriptedModel):
    """Answers at once; summaries come when `gate` is open, and say `summary` (None: the server fails)."""

    def __init__(self, window: int = WINDOW) -> None:
        super().__init__(window=window)
        self.gate = asyncio.Event()
        self.asked = asyncio.Event()
        self.summary: str | None = SUMMARY
        self.price: Usage | None = None
        """What the provider reports for each summary."""
        self.summaries = 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer, or summarise."""
        self.requests.append(request)
        if request.system == SUMMARY_SYSTEM:
            self.summaries += 1
            if self.price is not None:
                yield UsagePiece(self.price)
            self.asked.set()
            await self.gate.wait()
            if self.summary is None:
                raise ContextOverflow("no")
            yield TextPiece(self.summary)
        elif not request.tools:
            yield TextPiece("Condensed notes of the conversation.")
        else:
            yield TextPiece(f"answer {len(self.requests)}")
        yield FinishPiece("stop")

    @property
    def talked(self) -> list[ChatRequest]:
        """The requests of the conversation."""
        return [request for request in self.requests if request.tools]
