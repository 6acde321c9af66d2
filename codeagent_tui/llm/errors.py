"""What servers say when they refuse or fail, read into the error family of `provider`."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC

from codeagent_tui.llm.overflow import overflow_in
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
_READ_CHARACTERS = 4_000
_TAG = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^>]*>", re.S | re.I)
# Where error objects keep their words and codes. Nothing else is read: some servers echo the whole request.
_SPEAKING = ("error", "message", "msg", "detail", "errors", "code", "type", "param", "metadata", "raw", "n_ctx")
_HUMAN = ("error", "message", "detail", "msg", "errors")
# Waiting does not refill an account; OpenAI and DeepSeek say it with 429 and 402, Chinese services in words.
_NO_MONEY = re.compile(r"insufficient[_ ](?:quota|balance|credits?|funds)|billing_hard_limit|余额不足|欠费", re.I)


def retry_after_seconds(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds that a response asks to wait, or None when it says nothing usable.

    Read are Retry-After in both forms (RFC 9110, 10.2.3) and OpenAI's finer `retry-after-ms`. `now` is Unix time.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = (headers.get(name) or "").strip()
        if re.fullmatch(r"[0-9]{1,12}(\.[0-9]+)?", value):
            return float(value) * unit
    # Dear to import, and only wanted when a server fails.
    import email.utils

    try:
        moment = email.utils.parsedate_to_datetime(value)
        seconds = moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return max(0.0, seconds - (time.time() if now is None else now))


def error_from_status(status: int, headers: Mapping[str, str], body: str) -> ModelError:
    """Return the error that a response of `status` with `body` means."""
    data = _json(body)
    said = _said(data) or _readable(body)
    words = _words(data) if data is not None else said
    told = f"The server answered {status}{f': {said}' if said else ''}"
    if status in (402, 429) and (status == 402 or _NO_MONEY.search(words)):
        return RequestRefused(f"{told}. The account seems to be used up; waiting will not help.", status=status)
    if status == 429:
        return RateLimited(told, status=status, retry_after=retry_after_seconds(headers))
    if status in (401, 403):
        return AuthFailed(f"{told}. Check the key and the model with /model.", status=status)
    overflow = overflow_in(words, status)
    if overflow is not None:
        return ContextOverflow(
            f"The request does not fit the model's window. {told}", status=status, limit=overflow.limit
        )
    if status >= 500 or status in (408, 409, 425):
        return ServerFailed(told, status=status, retry_after=retry_after_seconds(headers))
    if status in (404, 405):
        told += ". Check the model's name and the base URL (it usually ends in /v1)"
    return RequestRefused(told, status=status)


def error_from_frame(error: object) -> ModelError:
    """Return the error that an `error` object inside a 200 stream means."""
    said = _said(error) or "an error without a message"
    code = error.get("code") if isinstance(error, dict) else None
    status = int(code) if isinstance(code, int | str) and re.fullmatch(r"[45]\d\d", str(code)) else None
    words = _words(error)
    overflow = overflow_in(words, status)
    if overflow is not None:
        return ContextOverflow(
            f"The request does not fit the model's window. The server said: {said}", limit=overflow.limit
        )
    told = f"The server broke off with an error: {said}"
    if status in (401, 403):
        return AuthFailed(f"{told}. Check the key and the model with /model.", status=status)
    if status == 402 or _NO_MONEY.search(words):
        return RequestRefused(f"{told}. The account seems to be used up; waiting will not help.", status=status)
    if status == 429 or code == "rate_limit_exceeded":
        return RateLimited(told, status=429)
    if status is not None and status < 500 and status not in (408, 409, 425):
        return RequestRefused(told, status=status)
    return ServerFailed(told, status=status)


def not_an_answer(body: str) -> BadReply:
    """Return the error for a 200 whose body is no chat completion."""
    said = _readable(body) or "nothing at all"
    return BadReply(f"The server sent something that is no chat answer: {said}. Check the base URL.")


def _json(body: str) -> object | None:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed


def _said(data: object, depth: int = 0) -> str:
    """Return the human words in an error object, whatever its shape."""
    if depth > 6:
        return ""
    if isinstance(data, str):
        return one_line(data[:_READ_CHARACTERS], _SHOWN_CHARACTERS)
    if isinstance(data, dict):
        said = next(filter(None, (_said(data.get(key), depth + 1) for key in _HUMAN)), "")
        # Gateways put what the real server said beside their own sentence.
        metadata = data.get("metadata")
        raw = metadata.get("raw") if isinstance(metadata, dict) else None
        inner = _said(_json(raw) or raw, depth + 1) if isinstance(raw, str) else ""
        return one_line(f"{said}: {inner}" if said and inner else said or inner, _SHOWN_CHARACTERS)
    if isinstance(data, list) and data:
        return _said(data[0], depth + 1)
    return ""


def _words(data: object) -> str:
    """Return everything that an error object says, for recognition: words, codes, the size of the window."""
    return " ".join(_spoken(data))[:_READ_CHARACTERS]


def _spoken(data: object, name: str = "", depth: int = 0) -> Iterator[str]:
    if depth > 6:
        return
    if isinstance(data, str | int) and not isinstance(data, bool):
        yield f"{name} {data}" if name in ("code", "n_ctx") else str(data)[:_READ_CHARACTERS]
    elif isinstance(data, dict):
        for key in _SPEAKING:
            if key in data:
                yield from _spoken(data[key], key, depth + 1)
    elif isinstance(data, list):
        for entry in data[:3]:
            yield from _spoken(entry, name, depth + 1)


def _readable(body: str) -> str:
    import html

    return one_line(html.unescape(_TAG.sub(" ", body[:_READ_CHARACTERS])), _SHOWN_CHARACTERS)
