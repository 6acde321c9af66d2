"""A chat server that checks every request as the strictest provider does, and plays an agent's model.

    async with StrictServer(agent, window=32_768) as server:
        ...  # server.base_url; afterwards server.faults and server.overflows

What breaks a rule of `strict_rules`, or is larger than the window by `strict_count` (a measure of its own, together
with what `max_tokens` reserves), gets a 400 in a provider's words. Requests for a summary go to the summariser that
`behave` names for their number; while `summaries` is cleared they get no answer.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tests.support.answers import Played, as_frames
from tests.support.overflow_bodies import WORDINGS, Wording
from tests.support.server import WAIT, Answer, ChatServer, Plain, status
from tests.support.strict_count import count_request, count_text
from tests.support.strict_rules import fault_of
from tests.support.summarisers import Behaviour, is_summary_request, summary_of

Model = Callable[[dict[str, Any]], Played]
"""Answers a request of the conversation."""

_KEPT = 8
"""Requests that stay in memory, the newest: a session of a thousand turns sends a gigabyte."""


class StrictServer(ChatServer):
    """The server; an async context manager."""

    def __init__(
        self,
        model: Model,
        *,
        window: int,
        behave: Callable[[int], Behaviour] = lambda number: Behaviour.GOOD,
        wordings: Sequence[Wording] = WORDINGS,
    ) -> None:
        super().__init__()
        self._model = model
        self._behave = behave
        self._wordings = wordings
        self.window = window
        self.summaries = self.go
        """Cleared: summaries are not answered until it is set again."""
        self.summaries.set()
        self.summary_asked = asyncio.Event()
        self.counts: Counter[str] = Counter()
        """Requests: `conversation`, `summary` (of the history), `notes` (of the short-term memory): answered; `fault`,
        `overflow`: refused."""
        self.faults: list[str] = []
        """What was wrong with requests, in their order. Overflows are not among them."""
        self.overflows: list[tuple[str, int]] = []
        """Requests that did not fit: what they were for, and their size."""
        self.largest = 0
        """The size of the largest request of the conversation that was let through."""
        self.last_conversation: dict[str, Any] = {}
        """The newest request of the conversation."""
        self.on_answer: Callable[[dict[str, Any], Played], None] = lambda request, played: None
        """Told of each answer of the conversation before it is sent."""

    def answer_to(self, request: dict[str, Any]) -> Answer:
        """Check and answer."""
        del self.requests[:-_KEPT], self.headers[:-_KEPT], self.paths[:-_KEPT]
        kind = _kind_of(request)
        fault = fault_of(request)
        if fault:
            self.counts["fault"] += 1
            self.faults.append(f"{kind}: {fault}")
            return status(400, {"error": {"message": fault, "type": "invalid_request_error", "param": "messages"}})
        size = count_request(request)
        if size + (request.get("max_tokens") or 1) > self.window:
            return self._overflow(kind, size)
        self.counts[kind] += 1
        return self._reply(request, size) if kind == "conversation" else self._summary(request, size, kind)

    def _overflow(self, kind: str, size: int) -> Plain:
        wording = self._wordings[self.counts["overflow"] % len(self._wordings)]
        self.counts["overflow"] += 1
        self.overflows.append((kind, size))
        return status(*wording(self.window, size))

    def _reply(self, request: dict[str, Any], size: int) -> Answer:
        self.largest = max(self.largest, size)
        self.last_conversation = request
        played = self._model(request)
        self.on_answer(request, played)
        return as_frames(played, size, count_text(played.text), self.counts["conversation"])

    def _summary(self, request: dict[str, Any], size: int, kind: str) -> Answer:
        if kind == "summary":
            self.summary_asked.set()
        behaviour = self._behave(self.counts[kind])
        played = summary_of(behaviour, request["messages"][-1]["content"], request.get("max_tokens"))
        answer = as_frames(played, size, count_text(played.text), 0)
        return answer if isinstance(answer, Plain) else [WAIT, *answer]


def _kind_of(request: dict[str, Any]) -> str:
    messages = request.get("messages") or [{}]
    system, text = (str(messages[at].get("content") or "") for at in (0, -1))
    if not is_summary_request(system, text, with_tools="tools" in request):
        return "conversation"
    return "notes" if "\n<notes>\n" in text else "summary"


def shown_text(request: dict[str, Any]) -> str:
    """Return everything that the model of `request` can read: what it could answer a question from."""
    return "\n".join(str(message.get("content") or "") for message in request.get("messages", ()))
