"""One remembered thing, in short-term or long-term memory."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from codeagent_tui.conversation.messages import new_id
from codeagent_tui.tokens import estimate_tokens


class MemoryType(StrEnum):
    """What kind of thing is remembered."""

    USER = "USER"
    ASSISTANT = "ASSISTANT"
    TOOL_RESULT = "TOOL_RESULT"
    SUMMARY = "SUMMARY"
    FACT = "FACT"


class Scope(StrEnum):
    """Where a fact is seen."""

    PROJECT = "project"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One entry. `timestamp` is in seconds since the epoch, `tokens` the plain estimate of `content`.

    `scope`, `project` (an identity) and `source` (`command` or `tool`) belong to facts; `metadata` is whatever else
    is known of it: for facts the `folder` of their project, and the fields of the file that this version does not know.
    """

    type: MemoryType
    content: str
    id: str = field(default_factory=new_id)
    timestamp: float = field(default_factory=time.time)
    tokens: int = -1
    scope: Scope | None = None
    project: str = ""
    source: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.tokens < 0:
            object.__setattr__(self, "tokens", estimate_tokens(self.content))

    @property
    def is_long_term(self) -> bool:
        """Whether it comes from long-term memory: only facts do, and only they have a scope."""
        return self.type is MemoryType.FACT or self.scope is not None
