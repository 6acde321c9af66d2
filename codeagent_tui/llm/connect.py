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
from codeagent_tui.llm.provider import ChatRequest, ModelError, StreamEvent

_TIMEOUT = 30.0


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
        # Some servers chat without listing their models: the chat decides.
        doubt = str(error)
    chat = OpenAIChatModel(model, base_url=base_url, api_key=api_key, timeout=_TIMEOUT, max_output_tokens=16)
    try:
        request = ChatRequest("Answer with one word.", (user("Say ok."),))
        async with aclosing(cast("AsyncGenerator[StreamEvent, None]", chat.stream(request))) as pieces:
            async for _ in pieces:
                return ConnectionReport(True, f"{model} answers.", listed)
        return ConnectionReport(False, f"{model} answered nothing at all.", listed)
    except ModelError as error:
        missing = f" {model!r} is not among its {len(listed)} models." if listed and model not in listed else ""
        return ConnectionReport(False, f"{error}{missing}{f' {doubt}' if doubt else ''}", listed)
    finally:
        await chat.aclose()
