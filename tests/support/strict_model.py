"""The strict provider in process: every request is checked as on the wire, without the wire."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import ChatRequest, ContextOverflow, StreamEvent, UsagePiece
from codeagent_tui.llm.request import payload
from tests.support.answers import Played, as_events
from tests.support.strict_count import count_request
from tests.support.strict_rules import fault_of
from tests.support.summarisers import Behaviour, is_summary_request, summary_of


class StrictModel:
    """A `ChatModel`. Breaking a rule fails the test at once; what is larger than the window is refused."""

    def __init__(
        self,
        model: Callable[[dict[str, Any]], Played],
        *,
        window: int,
        behave: Callable[[int], Behaviour] = lambda number: Behaviour.GOOD,
        usage: bool = True,
    ) -> None:
        self.name = "strict"
        self.window = window
        self._model = model
        self._behave = behave
        self._usage = usage
        self.counts: Counter[str] = Counter()
        """Requests: `conversation`, `history` and `notes` (summaries) that were answered; `overflow`."""
        self.faults: list[str] = []
        self.conversation: list[dict[str, Any]] = []
        """The last three requests of the conversation, as they would be on the wire, refused ones too."""
        self.summaries = asyncio.Event()
        """Cleared: summaries of the history are not answered until it is set."""
        self.summaries.set()
        self.asked = asyncio.Event()
        """Set when a summary of the history is wanted."""
        self.on_request: Callable[[ChatRequest, int], None] = lambda request, size: None
        """Told of each request of the conversation and its size, before it is answered."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Check, and answer.

        Raises:
            ContextOverflow: for what is larger than the window, with the window.
        """
        wire = payload(self.name, request)
        if fault := fault_of(wire):
            self.faults.append(fault)
        size, kind = count_request(wire), _kind_of(request)
        await asyncio.sleep(0)
        if kind == "conversation":
            self.conversation = [*self.conversation[-2:], wire]
            self.on_request(request, size)
        if size + (request.max_output_tokens or 1) > self.window:
            self.counts["overflow"] += 1
            raise ContextOverflow(f"{size} tokens do not fit", status=400, limit=self.window)
        played = self._model(wire) if kind == "conversation" else await self._summary(request, kind)
        self.counts[kind] += 1
        for event in as_events(played, self.counts["conversation"]):
            await asyncio.sleep(0)
            yield event
        if self._usage:
            yield UsagePiece(Usage(size, 40))

    async def _summary(self, request: ChatRequest, kind: str) -> Played:
        if kind == "history":
            self.asked.set()
            await self.summaries.wait()
        return summary_of(self._behave(self.counts[kind]), request.messages[-1].content, request.max_output_tokens)


def _kind_of(request: ChatRequest) -> str:
    text = request.messages[-1].content
    if not is_summary_request(request.system, text, with_tools=bool(request.tools)):
        return "conversation"
    return "notes" if "\n<notes>\n" in text else "history"
