"""How servers say that a request does not fit their window: one in each of the common shapes (P-12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Wording = Callable[[int, int], tuple[int, dict[str, Any]]]
"""Of the window and the request's size, both in tokens: the status and the body."""


def coded(window: int, size: int) -> tuple[int, dict[str, Any]]:
    """A code and a sentence."""
    message = f"This model's maximum context length is {window} tokens. However, your messages have {size} tokens."
    error = {
        "message": message,
        "type": "invalid_request_error",
        "param": "messages",
        "code": "context_length_exceeded",
    }
    return 400, {"error": error}


def sentence(window: int, size: int) -> tuple[int, dict[str, Any]]:
    """A sentence only."""
    message = (
        f"This model's maximum context length is {window} tokens, but you asked for 0 output tokens and the prompt has "
        f"at least {size}."
    )
    return 400, {"object": "error", "message": message, "type": "BadRequestError", "code": 400}


def typed(window: int, size: int) -> tuple[int, dict[str, Any]]:
    """A type of its own, and the window beside it."""
    message = f"the request has {size} tokens, which is more than the available context size of {window}"
    error = {"code": 400, "message": message, "type": "exceed_context_size_error", "n_ctx": window}
    return 400, {"error": error}


def by_how_much(window: int, size: int) -> tuple[int, dict[str, Any]]:
    """Only by how much it is too long."""
    return 400, {"error": {"message": f"prompt too long, over max context length by {size - window} tokens"}}


def as_a_fault(window: int, size: int) -> tuple[int, dict[str, Any]]:
    """As if the server had failed."""
    return 500, {"error": {"code": 500, "message": "context shift is off", "type": "server_error"}}


WORDINGS: tuple[Wording, ...] = (coded, sentence, typed, by_how_much, as_a_fault)
