"""Counts what requests cost that are made beside the conversation: summaries of both compaction tracks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.llm.provider import ChatModel, ChatRequest, StreamEvent, UsagePiece
from codeagent_tui.llm.reply import end_stream


class MeteredModel:
    """A model whose every request tells `spent` what it cost, where the provider said so; also one that failed."""

    def __init__(self, model: ChatModel, spent: Callable[[Usage], None]) -> None:
        self._model = model
        self._spent = spent

    @property
    def name(self) -> str:
        """The model's id."""
        return self._model.name

    @property
    def window(self) -> int | None:
        """Its context window in tokens."""
        return self._model.window

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Answer `request` as the model does."""
        usage: Usage | None = None
        pieces = self._model.stream(request)
        try:
            async for piece in pieces:
                if isinstance(piece, UsagePiece):
                    usage = piece.usage
                yield piece
        finally:
            await end_stream(pieces)
            if usage is not None:
                self._spent(usage)
