"""The protocol between the agent and a language model: a request, a stream of events, a family of errors.

Errors::

    ModelError
    ├── RateLimited        429; waits, then tries again
    ├── ServerFailed       5xx, or an error inside a 200 stream; tries again
    ├── NetworkFailed      no connection, reset, time-out; tries again
    ├── BadReply           what came is no answer (HTML, no finish); tries again
    ├── ContextOverflow    the request is larger than the window
    ├── AuthFailed         401, 403
    └── RequestRefused     any other 4xx
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from codeagent_tui.conversation.messages import Message, Usage

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


class ModelError(Exception):
    """A model call that gave no usable answer.

    The message is one readable line: what happened and what to do. `retryable` says whether the same request may
    succeed later; `retry_after` is the least wait in seconds that the server asked for, or None. `partial` is what was
    streamed before it failed, where that was anything.
    """

    retryable = False

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.partial: Message | None = None
        self.status = status
        self.retry_after = retry_after


class RateLimited(ModelError):
    """The server asks to slow down (429)."""

    retryable = True


class ServerFailed(ModelError):
    """The server had a fault (5xx), or reported an error within its stream."""

    retryable = True


class NetworkFailed(ModelError):
    """The connection could not be made, broke, or timed out."""

    retryable = True


class BadReply(ModelError):
    """The answer was no chat completion, or ended without saying that it was finished."""

    retryable = True


class ContextOverflow(ModelError):
    """The request does not fit the model's window; `limit` is the window the server named, or None."""

    def __init__(self, message: str, *, status: int | None = None, limit: int | None = None) -> None:
        super().__init__(message, status=status)
        self.limit = limit


class AuthFailed(ModelError):
    """The key is missing, wrong, or not allowed to use this model."""


class RequestRefused(ModelError):
    """The server refuses the request as it is."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is sent: one system prompt, the messages, the tools. The caller keeps PAIR (see `History`)."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the answer, as the server sent it (thinking tags and all)."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    """A piece of the model's thinking that the server sent apart from the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A piece of a tool call. Any field may be missing, in any frame: servers differ."""

    index: int | None = None
    id: str | None = None
    name: str | None = None
    arguments: str | None = None


@dataclass(frozen=True, slots=True)
class UsagePiece:
    """The tokens reported so far; the last one counts."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class FinishPiece:
    """Why the server stopped: `stop`, `length`, `tool_calls`, `content_filter`, or its own word."""

    reason: str


StreamEvent = TextPiece | ReasoningPiece | CallPiece | UsagePiece | FinishPiece


class ChatModel(Protocol):
    """A language model. One implementation per way of reaching one; test doubles implement this too."""

    @property
    def name(self) -> str:
        """The model's id, for the screen and the calibration."""
        ...

    @property
    def window(self) -> int | None:
        """Its context window in tokens, or None when nobody knows."""
        ...

    def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer `request` piece by piece; one attempt, no retries.

        Closing the iterator ends the call. A stream that ends without a `FinishPiece` was cut off.

        Raises:
            ModelError: when there is no (whole) answer.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """One whole answer, made of a stream by `assembly`.

    `message` holds text, reasoning and calls (arguments always a JSON object). `cut_calls` are the ids of calls that
    the output limit or a broken stream cut off; `faults` maps the id of a call whose arguments were no JSON object to
    what was wrong with them. Calls in either must not run. `finish` is the server's reason, "" when it gave none.
    """

    message: Message
    finish: str = ""
    usage: Usage | None = None
    cut_calls: frozenset[str] = frozenset()
    faults: Mapping[str, str] = field(default_factory=dict)
