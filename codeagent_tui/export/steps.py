"""A transcript step by step, each tool call together with its result."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from codeagent_tui.conversation.call_title import title_of
from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall
from codeagent_tui.export.call_body import CallBody, body_of
from codeagent_tui.export.transcript import Mark, SessionTranscript
from codeagent_tui.text import clean_text


class State(StrEnum):
    """How a call ended."""

    OK = "ok"
    FAILED = "failed"
    REFUSED = "refused"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class UserStep:
    """Something said in the user's role: `heading` is who speaks; `number` counts what the user said, from 1."""

    heading: str
    text: str
    at: float
    number: int = 0


@dataclass(frozen=True, slots=True)
class ThoughtStep:
    """The model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """What the model said, in Markdown."""

    text: str
    at: float
    interrupted: bool


@dataclass(frozen=True, slots=True)
class CallStep:
    """A tool call and what came of it."""

    name: str
    title: str
    body: CallBody
    state: State
    output: str


Step: TypeAlias = UserStep | ThoughtStep | AnswerStep | CallStep | Mark

_SPEAKERS = {"summary": "Summary of earlier turns", "recalled": "Recalled from memory"}
"""Who speaks in the user's role, by the kind of the message, where that is not the user."""


def steps_of(transcript: SessionTranscript) -> Iterator[Step]:
    """Yield the steps in their order, every text cleaned of what acts on a terminal."""
    results = {message.tool_call_id: message for message in transcript.messages if message.role is Role.TOOL}
    number = 0
    for entry in transcript.entries:
        if isinstance(entry, Mark):
            yield Mark(entry.kind, entry.text, entry.at, clean_text(entry.detail))
        elif entry.role is Role.USER:
            number += entry.starts_turn
            speaker = _SPEAKERS.get(entry.kind, "User")
            yield UserStep(speaker, clean_text(entry.content), entry.created, number if entry.starts_turn else 0)
        elif entry.role is Role.ASSISTANT and entry.kind is not MessageKind.ACKNOWLEDGEMENT:
            yield from _answer(entry, results)


def _answer(message: Message, results: dict[str, Message]) -> Iterator[Step]:
    if message.reasoning.strip():
        yield ThoughtStep(clean_text(message.reasoning).strip())
    if message.content.strip():
        yield AnswerStep(clean_text(message.content).strip(), message.created, message.interrupted)
    for call in message.tool_calls:
        yield _call(call, results.get(call.id))


def _call(call: ToolCall, result: Message | None) -> CallStep:
    body = body_of(call)
    cleaned = CallBody(body.kind, clean_text(body.text), body.language)
    output = clean_text(result.content).strip("\n") if result is not None else ""
    return CallStep(clean_text(call.name), title_of(call), cleaned, _state(result), output)


def _state(result: Message | None) -> State:
    if result is None or result.kind is MessageKind.REPAIR:
        return State.NOT_RUN
    if result.decision == "no":
        return State.REFUSED
    return State.FAILED if result.failed else State.OK


def moment(at: float) -> str:
    """Return a time of the epoch as people here write it, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) if at else ""
