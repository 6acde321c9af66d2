"""The messages of a conversation, as data that belongs to no provider and no screen."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Who speaks. The system prompt is no message: it travels beside them in a request."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class MessageKind(StrEnum):
    """Why a message is there, where that is not simply that somebody said it."""

    NORMAL = "normal"
    SUMMARY = "summary"
    """What a compaction left of older turns; sent as a user message, and not a request."""
    ACKNOWLEDGEMENT = "acknowledgement"
    """The assistant's fixed answer to a SUMMARY."""
    RECALLED = "recalled"
    """What the user looked up in memory; sent as a user message before the next one, and not a request."""
    REPAIR = "repair"
    """A tool result made up because the real one is unknown."""


def new_id() -> str:
    """Return an id that is unique across sessions and sorts by nothing."""
    return uuid.uuid4().hex[:16]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model asked for. `arguments` is the text of a JSON object, always parseable."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a provider reported for one request. `cached_tokens` and `reasoning_tokens` are parts of the
    other two, never to be added to them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Return what both requests cost together."""
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
        )

    @property
    def total(self) -> int:
        """All tokens, each counted once."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the history.

    `content` is what is sent; for a TOOL message it is the result of the call `tool_call_id`. `reasoning` is the
    model's thinking: kept with its message, never part of the answer. `failed` marks a tool result that reports
    an error. `interrupted` marks an assistant message that was cut off by a cancel or a broken connection. `decision`
    is what the user answered when a call had to be asked for (`once`, `session`, `always`, `no`), on its result.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    kind: MessageKind = MessageKind.NORMAL
    failed: bool = False
    interrupted: bool = False
    decision: str = ""
    id: str = field(default_factory=new_id)
    created: float = field(default_factory=time.time)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it that a provider would accept: no visible text and no call."""
        return not self.content.strip() and not self.tool_calls

    @property
    def starts_turn(self) -> bool:
        """Whether it is something the user said (and so a place where the history may be cut)."""
        return self.role is Role.USER and self.kind is MessageKind.NORMAL


def user(text: str) -> Message:
    """Return a message of the user's."""
    return Message(Role.USER, text)


def assistant(text: str = "", *calls: ToolCall, reasoning: str = "") -> Message:
    """Return a message of the model's."""
    return Message(Role.ASSISTANT, text, tool_calls=calls, reasoning=reasoning)


def tool_result(
    call_id: str, text: str, *, failed: bool = False, kind: MessageKind = MessageKind.NORMAL, decision: str = ""
) -> Message:
    """Return the answer to the tool call `call_id`."""
    return Message(Role.TOOL, text, tool_call_id=call_id, failed=failed, kind=kind, decision=decision)
