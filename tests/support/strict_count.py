"""What a strict provider makes of a request's size: a count of word pieces, by other rules than the program's own.

Pieces are cut as byte-pair vocabularies cut them before they merge: words at changes of case, digits in threes, every
sign apart; a long word costs more than one. Measured against the o200k vocabulary: 1.2 times as much on English prose,
1.3 on Python, Chinese and compact JSON, 1.1 on diffs and pretty JSON, 1.0 on logs and hex, more on other scripts (and
0.8 on base64). So what fits here fits there.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

_PIECE = re.compile(
    r"(?P<word>[A-Z]?[a-z]+|[A-Z]+)"
    r"|(?P<number>[0-9]{1,3})"
    r"|(?P<space>\s*\n\s*|[ \t]{2,})"
    r"|(?P<joined>[ \t](?![0-9]))"
    r"|(?P<alphabet>[\u00a0-\u07ff]+)"
    r"|(?P<other>[^\x00-\x7f]+)"
    r"|(?P<rest>.)",
    re.S,
)
_LETTERS_A_PIECE = 6
_OVERHEAD = 4
"""Of each message: its role and what parts it from the next."""
_REPLY = 3
"""What the answer's own beginning costs."""


@lru_cache(maxsize=4_096)
def count_text(text: str) -> int:
    """Return the tokens of `text`, in linear time."""
    total = 0
    for match in _PIECE.finditer(text):
        kind, piece = match.lastgroup, match[0]
        if kind == "word":
            total += 1 + (len(piece) - 1) // _LETTERS_A_PIECE
        elif kind == "alphabet":
            total += (len(piece) + 1) // 2
        elif kind == "other":
            # Han, kana and Hangul a character each, what lies beyond them (emoji) three.
            total += sum(1 if char < "\U00010000" else 3 for char in piece)
        elif kind != "joined":
            # A single space belongs to the word after it.
            total += 1
    return total


def count_message(message: dict[str, Any]) -> int:
    """Return the tokens of one message as it was sent."""
    calls = "".join(
        call["function"]["name"] + call["function"]["arguments"] for call in message.get("tool_calls") or ()
    )
    return _OVERHEAD + count_text((message.get("content") or "") + calls)


def count_request(request: dict[str, Any]) -> int:
    """Return the prompt tokens of a whole request: messages and tool schemas."""
    schemas = count_text(json.dumps(request["tools"], ensure_ascii=False)) if request.get("tools") else 0
    return schemas + sum(map(count_message, request["messages"])) + _REPLY
