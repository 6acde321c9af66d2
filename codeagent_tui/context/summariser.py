"""Makes one summary of a run of messages, in pieces when they do not fit the summariser's window."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codeagent_tui.context.prompts.summary import FOCUS, MERGE_REQUEST, SUMMARY_REQUEST, SUMMARY_SYSTEM
from codeagent_tui.conversation.messages import Message, Role, user
from codeagent_tui.llm.provider import ChatModel, ChatRequest, ModelError, Reply
from codeagent_tui.llm.reply import RetryPolicy, stream_reply
from codeagent_tui.text import cut_characters
from codeagent_tui.tokens import estimate_tokens

_RESULT_CHARACTERS = 2_000
_ARGUMENT_CHARACTERS = 500
# A call that was written as text instead of being made, in the spellings of the common templates.
_CALL_MARKUP = re.compile(r"<(tool_calls?|function_calls?|invoke)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)


class SummaryFailed(Exception):
    """There is no usable summary; the message says why."""


class Summariser:
    """Asks a model for summaries; one attempt a call, because the caller can do without."""

    def __init__(self, model: ChatModel, *, input_tokens: int) -> None:
        """`input_tokens` is the most one call may hold."""
        self._model = model
        self._input_tokens = input_tokens

    async def summarise(self, messages: Sequence[Message], focus: str | None = None) -> str:
        """Return a summary of `messages`.

        Raises:
            SummaryFailed: when the model failed, refused, was cut off, or said nothing usable.
        """
        wanted = FOCUS.format(focus=focus) if focus else ""
        pieces = list(_packed(map(_rendered, messages), self._input_tokens))
        parts = [await self._ask(SUMMARY_REQUEST.format(focus=wanted, transcript=piece)) for piece in pieces]
        while len(parts) > 1:
            packed = list(_packed(parts, self._input_tokens))
            if len(packed) >= len(parts):
                raise SummaryFailed("The parts' summaries do not fit the model's window together.")
            parts = [await self._ask(MERGE_REQUEST.format(focus=wanted, transcript=piece)) for piece in packed]
        return parts[0]

    async def _ask(self, text: str) -> str:
        request = ChatRequest(SUMMARY_SYSTEM, (user(text),))
        reply: Reply | None = None
        try:
            async for event in stream_reply(self._model, request, RetryPolicy(max_attempts=1)):
                if isinstance(event, Reply):
                    reply = event
        except ModelError as error:
            raise SummaryFailed(f"The summary could not be made: {error}") from error
        if reply is None or reply.message.tool_calls:
            raise SummaryFailed("The model answered with tool calls instead of a summary.")
        if reply.finish == "length":
            raise SummaryFailed("The summary was cut off by the output limit.")
        summary = _CALL_MARKUP.sub("", reply.message.content).strip()
        if not any(map(str.isalpha, summary)):
            raise SummaryFailed("The model gave no usable summary.")
        return summary


def _rendered(message: Message) -> str:
    if message.role is Role.TOOL:
        return f"[tool result] {cut_characters(message.content, _RESULT_CHARACTERS, '… [cut]')}"
    calls = "".join(
        f"\n[calls {call.name} {cut_characters(call.arguments, _ARGUMENT_CHARACTERS)}]" for call in message.tool_calls
    )
    return f"[{message.role}] {message.content}{calls}"


def _packed(texts: Iterator[str] | Sequence[str], limit: int) -> Iterator[str]:
    """Join `texts` into as few pieces of at most `limit` tokens as come in order; a giant text is split."""
    piece: list[str] = []
    used = 0
    for text in texts:
        for part in _split(text, limit):
            tokens = estimate_tokens(part) + 1
            if piece and used + tokens > limit:
                yield "\n\n".join(piece)
                piece, used = [], 0
            piece.append(part)
            used += tokens
    if piece:
        yield "\n\n".join(piece)


def _split(text: str, limit: int) -> Iterator[str]:
    if estimate_tokens(text) < limit:
        yield text
        return
    # At worst (Chinese) a token is 1.5 characters: such a slice surely fits.
    size = max(1, limit)
    for start in range(0, len(text), size):
        yield text[start : start + size]
