"""The whole picture of the next request: what fills the window, what is largest in it, how fast it grows."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from codeagent_tui.context.budget import ContextBudget
from codeagent_tui.context.taking_out import can_leave_out, can_shorten
from codeagent_tui.conversation.call_title import title_of
from codeagent_tui.conversation.events import ContextPart, ContextReading
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall
from codeagent_tui.text import one_line

LARGEST = 10
PACE_TURNS = 8
"""The pace is the median growth of so many of the last user turns: one giant turn does not foretell the next one."""
_GROUPS = {
    "identity": "system prompt",
    "rules": "system prompt",
    "environment": "system prompt",
    "plan mode": "system prompt",
    "user": "you",
    "assistant": "answers",
}
_ORDER = (
    "system prompt",
    "tool schemas",
    "project memory",
    "long-term memory",
    "summary",
    "recalled",
    "you",
    "answers",
    "tool results",
)
_DETAIL_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One message of the next request. `turn` counts the user's turns in the history from 1, 0 for what stands before
    the first; `detail` is how its text begins."""

    message_id: str
    name: str
    detail: str
    tokens: int
    turn: int
    can_shorten: bool
    can_leave_out: bool


@dataclass(frozen=True, slots=True)
class ContextPicture:
    """What `/context` shows; all figures are calibrated tokens.

    `parts` are those of the reading in few groups, in the order of the request. `growth` is what each user turn that
    is still in the history takes, oldest first; `pace` the median of the last ones, `turns_left` how many turns at
    that pace until a compaction begins (None: there is no pace yet, 0: it is due).
    """

    reading: ContextReading
    parts: tuple[ContextPart, ...]
    largest: tuple[ContextItem, ...]
    growth: tuple[int, ...]
    pace: int
    turns_left: int | None


def picture_of(reading: ContextReading, messages: Sequence[Message], budget: ContextBudget) -> ContextPicture:
    """Return the picture of a request whose reading is `reading`; `budget` measured it."""
    growth = tuple(budget.calibration.apply(tokens) for tokens in _turn_tokens(messages, budget))
    pace = int(median(growth[-PACE_TURNS:])) if growth else 0
    left = max(0, reading.trigger - reading.total)
    return ContextPicture(
        reading=reading,
        parts=_grouped(reading),
        largest=_largest(messages, budget),
        growth=growth,
        pace=pace,
        turns_left=-(-left // pace) if pace else None,
    )


def _grouped(reading: ContextReading) -> tuple[ContextPart, ...]:
    sums: dict[str, int] = {}
    for part in reading.parts:
        group = _GROUPS.get(part.name, part.name)
        sums[group] = sums.get(group, 0) + part.tokens
    names = sorted(sums, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))
    return tuple(ContextPart(name, sums[name]) for name in names)


def _turn_tokens(messages: Sequence[Message], budget: ContextBudget) -> Iterator[int]:
    tokens: int | None = None
    for message in messages:
        if message.starts_turn:
            if tokens is not None:
                yield tokens
            tokens = 0
        if tokens is not None:
            tokens += budget.message_tokens(message)
    if tokens is not None:
        yield tokens


def _largest(messages: Sequence[Message], budget: ContextBudget) -> tuple[ContextItem, ...]:
    sized = heapq.nlargest(LARGEST, ((budget.message_tokens(m), -index) for index, m in enumerate(messages)))
    wanted = {-index: tokens for tokens, index in sized}
    found: dict[int, ContextItem] = {}
    calls: dict[str, ToolCall] = {}
    newest = max((index for index, message in enumerate(messages) if message.starts_turn), default=-1)
    turn = 0
    for index, message in enumerate(messages):
        turn += message.starts_turn
        calls.update((call.id, call) for call in message.tool_calls)
        if index in wanted:
            call = calls.get(message.tool_call_id)
            found[index] = ContextItem(
                message.id,
                _name(message, call),
                one_line(message.content, _DETAIL_CHARACTERS),
                budget.calibration.apply(wanted[index]),
                turn,
                can_shorten(message, call),
                index != newest and can_leave_out(message),
            )
    return tuple(found[-index] for _, index in sized)


def _name(message: Message, call: ToolCall | None) -> str:
    if message.role is Role.TOOL:
        return f"result of {title_of(call)}" if call is not None else "tool result"
    if message.role is Role.USER:
        kinds = {MessageKind.SUMMARY: "summary of earlier turns", MessageKind.RECALLED: "recalled from memory"}
        return kinds.get(message.kind, "you")
    if message.tool_calls:
        more = f" and {len(message.tool_calls) - 1} more" if len(message.tool_calls) > 1 else ""
        return f"call of {title_of(message.tool_calls[0])}{more}"
    return "answer"
