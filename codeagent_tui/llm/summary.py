"""Asks a model for one summary, and tells a usable one from what only looks like an answer."""

from __future__ import annotations

import logging
import re

from codeagent_tui.conversation.messages import user
from codeagent_tui.llm.provider import ChatModel, ChatRequest, ContextOverflow, ModelError, Reply, RequestRefused
from codeagent_tui.llm.reply import RetryPolicy, stream_reply
from codeagent_tui.text import clean_text

_log = logging.getLogger(__name__)

_CUT_SHORT = frozenset({"length", "content_filter"})
# A call that was written as text instead of being made, in the spellings of the common templates.
_CALL_MARKUP = re.compile(r"<(tool_calls?|function_calls?|invoke)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_REFUSAL = re.compile(
    r"(?:I(?:['\u2019]m| am) (?:very )?(?:sorry|unable|not able)|(?:I )?apologi[sz]e|sorry\b"
    r"|I (?:can(?:not|['\u2019]t| not)|won['\u2019]t|will not)\b|As an AI\b"
    r"|(?:很|非常)?抱歉|对不起|我(?:不能|无法|没有办法)|作为(?:一个)?(?:AI|人工智能))",
    re.I,
)
_LIMIT = re.compile(r"max_(?:completion_|output_)?tokens", re.I)
_LONGEST_REFUSAL = 400
"""Characters. A longer answer that begins with an apology is taken for a summary of a conversation that did."""


class SummaryFailed(Exception):
    """There is no usable summary; the message says why. `too_long`: what was to be summarised did not fit.
    `limit_refused`: the server did not accept the limit of the answer's length."""

    def __init__(self, message: str, *, too_long: bool = False, limit_refused: bool = False) -> None:
        super().__init__(message)
        self.too_long = too_long
        self.limit_refused = limit_refused


async def ask_for_summary(model: ChatModel, system: str, text: str, *, max_output_tokens: int | None = None) -> str:
    """Return `model`'s answer to `text`; one attempt, because the caller can do without.

    Raises:
        SummaryFailed: when the model failed, refused, was cut off, or said nothing usable.
    """
    request = ChatRequest(system, (user(text),), max_output_tokens=max_output_tokens)
    reply: Reply | None = None
    try:
        async for event in stream_reply(model, request, RetryPolicy(max_attempts=1)):
            if isinstance(event, Reply):
                reply = event
    except ModelError as error:
        limit_refused = isinstance(error, RequestRefused) and bool(_LIMIT.search(str(error)))
        raise SummaryFailed(
            f"The summary could not be made: {error}",
            too_long=isinstance(error, ContextOverflow),
            limit_refused=limit_refused,
        ) from error
    except Exception as error:
        # The worker rim: whatever a model raises, what was to be summarised stays as it is.
        _log.exception("a summary could not be made")
        raise SummaryFailed(f"The summary could not be made ({type(error).__name__}).") from error
    return _usable(reply)


def _usable(reply: Reply | None) -> str:
    if reply is None or reply.message.tool_calls:
        raise SummaryFailed("The model answered with tool calls instead of a summary.")
    if reply.finish in _CUT_SHORT:
        raise SummaryFailed("The summary was cut off by the output limit.")
    summary = clean_text(_CALL_MARKUP.sub("", reply.message.content)).strip()
    if not any(map(str.isalnum, summary)):
        raise SummaryFailed("The model gave no usable summary.")
    if len(summary) <= _LONGEST_REFUSAL and _REFUSAL.match(summary):
        raise SummaryFailed("The model refused to summarise.")
    return summary
