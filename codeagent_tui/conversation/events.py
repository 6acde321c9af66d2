"""Everything the core tells whoever watches: a closed set of events, and the only language between core and faces.

A face iterates `Agent.run(text)` and shows what arrives; it answers an `ApprovalAsked` through its `reply` slot.
Texts in events come from the model, tools, files and servers: they are data, to be cleaned by `text.clean_text`
before they reach a terminal.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum

from codeagent_tui.conversation.messages import Message, ToolCall, Usage


class NoticeLevel(StrEnum):
    """How much a notice matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class EndReason(StrEnum):
    """Why a turn ended."""

    DONE = "done"
    NO_ANSWER = "no_answer"
    """The model finished without any text (for example only thinking)."""
    INTERRUPTED = "interrupted"
    STEP_LIMIT = "step_limit"
    FAILED = "failed"
    """The model could not be reached or refused; the turn can be tried again."""


class ToolKind(StrEnum):
    """What a tool does to the world; what may run without asking follows from it."""

    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"
    NETWORK = "network"
    MEMORY = "memory"
    PLAN = "plan"


class Decision(StrEnum):
    """The user's answer to an approval."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"
    NO = "no"


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """One thing that needs the user's yes, with what will really happen.

    `title` is one line ("Edit src/a.py"); `body` is the whole command, diff, URL or text to be saved; `body_kind`
    says which (`command`, `diff`, `url`, `text`). `reason` says why it asks; `warnings` what is dangerous about it.
    `rule` is exactly what SESSION and ALWAYS would allow, in words; empty when only ONCE and NO are offered.
    """

    call_id: str
    tool: str
    kind: ToolKind
    title: str
    body: str
    body_kind: str
    reason: str = ""
    warnings: tuple[str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    """What the user said; `reason` reaches the model when the decision is NO."""

    decision: Decision
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One line of the open work; `status` is `pending`, `in_progress` or `done`."""

    text: str
    status: str = "pending"


@dataclass(frozen=True, slots=True)
class ContextPart:
    """A named share of the next request, in tokens."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ContextReading:
    """What the gauge shows: the whole next request against the window, and the short-term memory beside it.

    All figures are tokens. `measured` says that the total is calibrated by what the provider reported.
    """

    window: int
    trigger: int
    ceiling: int
    total: int
    parts: tuple[ContextPart, ...] = ()
    short_term: int = 0
    short_term_budget: int = 0
    measured: bool = False


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A user message was recorded and the agent begins to work on it."""

    message: Message


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A model call begins; `step` counts from 1 within the turn, `limit` is the most there can be."""

    step: int
    limit: int


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class AttemptDiscarded:
    """What was streamed in this step so far is void: the call broke and is made again. Take it off the screen."""

    reason: str


@dataclass(frozen=True, slots=True)
class RetryScheduled:
    """The model is asked again in `delay` seconds; `attempt` of `attempts` failed because of `reason`."""

    attempt: int
    attempts: int
    delay: float
    reason: str


@dataclass(frozen=True, slots=True)
class AssistantReplied:
    """A step's whole message, as it was recorded in the history."""

    message: Message


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool call begins. `title` is one line for people, for example `read_file src/a.py`."""

    call: ToolCall
    kind: ToolKind
    title: str


@dataclass(frozen=True, slots=True)
class ToolProgress:
    """More output of a running tool, for the screen only."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool call has its one result. `diff` is a unified diff of what was changed, `summary` one line; `refused`
    says that it was not permitted and did not run."""

    call_id: str
    name: str
    result: Message
    ok: bool
    summary: str = ""
    diff: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """The agent waits for the user. Set `reply` exactly once; cancelling the turn cancels it."""

    request: ApprovalRequest
    reply: asyncio.Future[ApprovalAnswer] = field(compare=False)


@dataclass(frozen=True, slots=True)
class UsageReported:
    """What the provider says one request cost; `total` is what the whole session has cost so far."""

    usage: Usage
    total: Usage


@dataclass(frozen=True, slots=True)
class ContextMeasured:
    """The gauge's new reading."""

    reading: ContextReading


@dataclass(frozen=True, slots=True)
class QueueChanged:
    """The messages that wait for the running turn to end, oldest first."""

    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TodosChanged:
    """The agent's list of open work."""

    items: tuple[TodoItem, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know: what happened, what was kept, what to do next."""

    level: NoticeLevel
    text: str


@dataclass(frozen=True, slots=True)
class CompactionStarted:
    """A compaction began; `track` is `history` or `short-term`. `background` says that the conversation goes on
    beside it."""

    track: str
    tokens: int
    background: bool = False


@dataclass(frozen=True, slots=True)
class CompactionProgress:
    """`done` of `total` pieces of a compaction are summarised."""

    track: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CompactionWaiting:
    """The next request would pass the hard ceiling: it waits for the compaction. An interrupt ends the wait."""

    track: str
    tokens: int


@dataclass(frozen=True, slots=True)
class CompactionFinished:
    """A compaction ended. When `applied` is false nothing changed and `note` says why; when it is true `record_id`
    names its record (`Agent.compactions`), by which it can be taken back."""

    track: str
    applied: bool
    tokens_before: int
    tokens_after: int
    note: str = ""
    record_id: str = ""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn is over; `detail` is one line for people, `retryable` whether trying again makes sense."""

    reason: EndReason
    detail: str = ""
    retryable: bool = False


AgentEvent = (
    TurnStarted
    | StepStarted
    | ReasoningDelta
    | TextDelta
    | AttemptDiscarded
    | RetryScheduled
    | AssistantReplied
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | ApprovalAsked
    | UsageReported
    | ContextMeasured
    | QueueChanged
    | TodosChanged
    | Notice
    | CompactionStarted
    | CompactionProgress
    | CompactionWaiting
    | CompactionFinished
    | TurnEnded
)
