"""One answer of a scripted model, to be played over HTTP or in process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from codeagent_tui.llm.provider import (
    CallPiece,
    ContextOverflow,
    FinishPiece,
    ModelError,
    ReasoningPiece,
    ServerFailed,
    StreamEvent,
    TextPiece,
)
from tests.support.server import DONE, Answer, Frame, content, finish, reasoning, status, tool, usage


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool call that the model makes. `call_id` "": the server gives it one."""

    name: str
    arguments: dict[str, object]
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """What the model says, thinks and calls, and why it stops. `fails`: it answers with that status instead."""

    text: str = ""
    thinking: str = ""
    calls: tuple[Wanted, ...] = ()
    finish: str = ""
    fails: int = 0

    @property
    def reason(self) -> str:
        """Why the server says that it stopped."""
        return self.finish or ("tool_calls" if self.calls else "stop")


def as_frames(played: Played, prompt_tokens: int, completion_tokens: int, serial: int) -> Answer:
    """Return the answer as a server streams it; `serial` makes the ids of its calls unique."""
    if played.fails:
        return status(played.fails, {"error": {"message": "the scripted model fails"}})
    frames: list[Frame] = []
    if played.thinking:
        frames.append(reasoning(played.thinking))
    half = len(played.text) // 2
    frames += [content(piece) for piece in (played.text[:half], played.text[half:]) if piece]
    for index, call in enumerate(played.calls):
        call_id = call.call_id or f"call_{serial}_{index}"
        frames += [tool(index, call_id, call.name, ""), tool(index, None, None, json.dumps(call.arguments))]
    return [*frames, finish(played.reason), usage(prompt_tokens, completion_tokens), DONE]


def as_events(played: Played, serial: int) -> Iterator[StreamEvent]:
    """Yield the answer as a `ChatModel` does.

    Raises:
        ModelError: for an answer that fails; `ContextOverflow` for status 400.
    """
    if played.fails:
        raise _error(played.fails)
    if played.thinking:
        yield ReasoningPiece(played.thinking)
    if played.text:
        yield TextPiece(played.text)
    for index, call in enumerate(played.calls):
        yield CallPiece(index, call.call_id or f"call_{serial}_{index}", call.name, json.dumps(call.arguments))
    yield FinishPiece(played.reason)


def _error(code: int) -> ModelError:
    if code == 400:
        return ContextOverflow("the request does not fit the model's window", status=code)
    return ServerFailed("the scripted model fails", status=code)
