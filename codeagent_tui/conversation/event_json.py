"""Events as JSON data, one object an event, for faces that are programs."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from enum import Enum

from codeagent_tui.conversation.events import AgentEvent, ApprovalAsked
from codeagent_tui.text import replace_surrogates

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")


def event_to_json(event: AgentEvent) -> dict[str, object]:
    """Return `event` as JSON data: its fields, and `type`, its name in snake case (`text_delta`).

    The reply slot of an approval is left out: it exists only inside the process.
    """
    data = {"type": _WORD_START.sub("_", type(event).__name__).lower()}
    hidden = {"reply"} if isinstance(event, ApprovalAsked) else set()
    return data | {
        field.name: _plain(getattr(event, field.name)) for field in fields(event) if field.name not in hidden
    }


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return replace_surrogates(value) if isinstance(value, str) else value
