"""Tries a connection before it is stored: does the endpoint answer, has it the model, does it chat."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from codeagent_tui.conversation.messages import user
from codeagent_tui.llm.models_list import list_models
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.llm.plain_http import GetFailed
from codeagent_tui.llm.provider import ChatRequest, ModelError, StreamEvent, UsagePiece
from codeagent_tui.text import one_line

_TIMEOUT = 30.0
# Enough for one word; reasoning models refuse fewer, and their thinking counts as an answer here.
_MOST_TOKENS = 16


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """How a trial came out; `message` is one line for people, `models` what the endpoint lists (may be empty)."""

    ok: bool
    message: str
    models: tuple[str, ...] = ()


async def probe_connection(base_url: str, api_key: str, model: str) -> ConnectionReport:
    """Try to chat with `model` at `base_url`, a few tokens' worth. Never raises but for a cancel."""
    listed: tuple[str, ...] = ()
    doubt = ""
    try:
        listed = tuple(await list_models(base_url, api_key))
    except GetFailed as error:
        if error.status is None:
            return ConnectionReport(False, str(error))
        # Some servers chat without listing their models: the chat decides.
        doubt = str(error)
    name = one_line(model, 100)
    try:
        answered = await _answers(base_url, api_key, model)
    except ModelError as error:
        missing = f" {name} is not among its {len(listed)} models." if listed and model not in listed else ""
        return ConnectionReport(False, f"{error}{missing}{_hint(doubt)}", listed)
    return ConnectionReport(answered, f"{name} answers." if answered else f"{name} answered nothing at all.", listed)


async def _answers(base_url: str, api_key: str, model: str) -> bool:
    chat = OpenAIChatModel(model, base_url=base_url, api_key=api_key, timeout=_TIMEOUT, max_output_tokens=_MOST_TOKENS)
    try:
        request = ChatRequest("Answer with one word.", (user("Say ok."),))
        async with aclosing(cast("AsyncGenerator[StreamEvent, None]", chat.stream(request))) as pieces:
            async for piece in pieces:
                if not isinstance(piece, UsagePiece):
                    return True
        return False
    finally:
        await chat.aclose()


def _hint(doubt: str) -> str:
    """Return what listing the models found out about the base URL."""
    at = doubt.find("The base URL is ")
    return f" {doubt[at:]}" if at >= 0 else ""
