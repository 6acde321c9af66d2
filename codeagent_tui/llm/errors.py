"""What servers say when they refuse or fail, read into the error family of `provider`."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping

from codeagent_tui.llm.provider import (
    AuthFailed,
    BadReply,
    ContextOverflow,
    ModelError,
    RateLimited,
    RequestRefused,
    ServerFailed,
)
from codeagent_tui.text import one_line

_SHOWN_CHARACTERS = 300
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.S | re.I)
# The wordings of an overflow that servers are known to use. A number in the group is the window's size.
_OVERFLOW = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"maximum context length (?:is|of) (\d+)",
        r"(?:available )?context size (?:is |of )?\(?(\d+)",
        r"context (?:window|length) (?:is |of )?(?:only )?\(?(\d+)",
        r"context_length_exceeded|exceed_context_size",
        r"(?:prompt|input|request|message)s? (?:is |are )?too (?:long|large)",
        r"(?:over|exceed\w*|beyond|greater than|larger than) (?:the |its |your )?(?:model'?s? )?"
        r"(?:max(?:imum)? |available )?context",
        r"context shift is (?:off|disabled)",
        r"reduce the length of the (?:messages|prompt|input)",
    )
)


def retry_after_seconds(value: str | None, now: float | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for (RFC 9110, 10.2.3), or None when it says nothing usable."""
    if not value:
        return None
    value = value.strip()
    if value.isascii() and re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def error_from_status(status: int, headers: Mapping[str, str], body: str) -> ModelError:
    """Return the error that a response of `status` with `body` means."""
    data = _json(body)
    said = _said(data) or _readable(body)
    told = f"The server answered {status}{f': {said}' if said else ''}"
    if status == 429:
        return RateLimited(told, status=status, retry_after=retry_after_seconds(headers.get("retry-after")))
    if status in (401, 403):
        return AuthFailed(f"{told}. Check the key and the model with /model.", status=status)
    overflow = _overflow(body if data is not None else said, status)
    if overflow is not None:
        return ContextOverflow(
            f"The request does not fit the model's window. {told}", status=status, limit=overflow or None
        )
    if status >= 500 or status in (408, 409):
        return ServerFailed(told, status=status, retry_after=retry_after_seconds(headers.get("retry-after")))
    if status == 404:
        told += ". Check the model's name and the base URL (it usually ends in /v1)"
    return RequestRefused(told, status=status)


def error_from_frame(error: object) -> ModelError:
    """Return the error that an `error` object inside a 200 stream means."""
    said = _said(error) or "an error without a message"
    code = error.get("code") if isinstance(error, dict) else None
    overflow = _overflow(json.dumps(error), 400)
    if overflow is not None:
        return ContextOverflow(
            f"The request does not fit the model's window. The server said: {said}", limit=overflow or None
        )
    told = f"The server broke off with an error: {said}"
    if code in (429, "429", "rate_limit_exceeded"):
        return RateLimited(told, status=429)
    return ServerFailed(told)


def not_an_answer(body: str) -> BadReply:
    """Return the error for a 200 whose body is no chat completion."""
    said = _readable(body)
    return BadReply(
        f"The server sent something that is no chat answer{f': {said}' if said else ''}. Check the base URL."
    )


def _overflow(text: str, status: int) -> int | None:
    """Return the window that the text of an overflow names, 0 when it names none, None when it is no overflow."""
    if status == 429 or status == 413:
        return None
    for pattern in _OVERFLOW:
        hit = pattern.search(text)
        if hit:
            return int(hit[1]) if hit.re.groups and hit[1] else 0
    return None


def _json(body: str) -> object | None:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed


def _said(data: object) -> str:
    """Return the human words in an error object, whatever its shape."""
    if isinstance(data, str):
        return one_line(data, _SHOWN_CHARACTERS)
    if isinstance(data, dict):
        for key in ("error", "message", "detail", "msg"):
            if data.get(key):
                return _said(data[key])
    if isinstance(data, list) and data:
        return _said(data[0])
    return ""


def _readable(body: str) -> str:
    return one_line(_TAG.sub(" ", body[:4_000]), _SHOWN_CHARACTERS)
