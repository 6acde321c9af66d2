"""A language model that follows a script: the smallest real implementation of `ChatModel`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable

from codeagent_tui.llm.provider import (
    CallPiece,
    ChatRequest,
    FinishPiece,
    ModelError,
    StreamEvent,
    TextPiece,
)


def says(text: str, *, finish: str = "stop") -> list[StreamEvent | ModelError]:
    """Return one answer of plain text."""
    return [TextPiece(text), FinishPiece(finish)]


def calls(*wanted: tuple[str, dict[str, object]], text: str = "") -> list[StreamEvent | ModelError]:
    """Return one answer that asks for tools: `calls(("read_file", {"path": "a.py"}))`."""
    pieces: list[StreamEvent | ModelError] = [TextPiece(text)] if text else []
    for index, (name, arguments) in enumerate(wanted):
        pieces.append(CallPiece(index, f"call_{name}_{index}", name, json.dumps(arguments)))
    return [*pieces, FinishPiece("tool_calls")]


class ScriptedModel:
    """Gives the scripted answers in turn, the last one again and again; keeps every request.

    An answer is a list of stream events; a `ModelError` in it is raised, and an `asyncio.Event` is waited for.
    """

    def __init__(
        self,
        *answers: Iterable[StreamEvent | ModelError | asyncio.Event],
        name: str = "scripted",
        window: int | None = 200_000,
    ) -> None:
        self.name = name
        self.window = window
        self.requests: list[ChatRequest] = []
        self._answers = [list(answer) for answer in answers] or [list(says("ok"))]

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer with the next scripted answer."""
        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        for piece in answer:
            await asyncio.sleep(0)
            if isinstance(piece, asyncio.Event):
                await piece.wait()
            elif isinstance(piece, ModelError):
                raise piece
            else:
                yield piece
