"""How much of a request a provider's prompt cache knows already: what it shares with the request before it."""

from __future__ import annotations

import json

from codeagent_tui.llm.provider import ChatRequest
from codeagent_tui.llm.request import payload


def cached_share(before: ChatRequest, after: ChatRequest) -> float:
    """Return the share of `before`'s bytes, 0 to 1, that `after` begins with.

    Tools come first, then the messages, as the providers' chat templates put them.
    """
    first, second = _bytes_of(before), _bytes_of(after)
    pairs = zip(first, second, strict=False)
    same = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))
    return same / len(first)


def _bytes_of(request: ChatRequest) -> bytes:
    body = payload("m", request)
    messages = body["messages"]
    assert isinstance(messages, list)
    # Without the list's end: the next request goes on there.
    parts = [body.get("tools", []), *messages]
    return "".join(json.dumps(part, ensure_ascii=False) for part in parts).encode()
