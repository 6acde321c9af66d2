"""Stream pieces → one message, whatever the server's habits: missing ids, no indexes, null fields, cut-off calls."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from codeagent_tui.conversation.events import AttemptDiscarded, ReasoningDelta, TextDelta
from codeagent_tui.conversation.messages import Message, Role, ToolCall, Usage, new_id
from codeagent_tui.conversation.pairing import healed_arguments
from codeagent_tui.llm.provider import (
    CallPiece,
    FinishPiece,
    ReasoningPiece,
    Reply,
    StreamEvent,
    TextPiece,
    UsagePiece,
)
from codeagent_tui.llm.thinking import Piece, ThinkingSplitter

Visible = TextDelta | ReasoningDelta | AttemptDiscarded
_MOST_ARGUMENT_CHARACTERS = 4_000_000


@dataclass(slots=True)
class _Call:
    index: int | None
    id: str
    name: str
    arguments: list[str] = field(default_factory=list)
    size: int = 0


class Assembler:
    """Takes the events of one attempt; says what is to be shown at once, and in the end what it all was."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[_Call] = []
        self._splitter = ThinkingSplitter()
        self._usage: Usage | None = None
        self._finish = ""
        self.finished = False

    @property
    def started(self) -> bool:
        """Whether anything has come that was shown or would have run."""
        return bool(self._text or self._reasoning or self._calls)

    @property
    def has_calls(self) -> bool:
        """Whether a tool call has begun."""
        return bool(self._calls)

    def feed(self, event: StreamEvent) -> list[Visible]:
        """Take one event and return what is to be shown."""
        match event:
            case TextPiece(text=text):
                return self._show(self._splitter.feed(text))
            case ReasoningPiece(text=text):
                self._reasoning.append(text)
                return [ReasoningDelta(text)]
            case CallPiece():
                self._take_call(event)
            case UsagePiece(usage=usage):
                self._usage = usage
            case FinishPiece(reason=reason):
                self.finished = True
                self._finish = reason or self._finish
        return []

    def end(self) -> list[Visible]:
        """Return what was held back until it was certain; call once, when the stream has ended."""
        return self._show(self._splitter.end())

    def _show(self, pieces: list[Piece]) -> list[Visible]:
        shown: list[Visible] = []
        for piece in pieces:
            if piece.retract:
                self._text.clear()
                self._reasoning.append(piece.text)
                shown += [AttemptDiscarded("that was thinking, not the answer"), ReasoningDelta(piece.text)]
            elif piece.thinking:
                self._reasoning.append(piece.text)
                shown.append(ReasoningDelta(piece.text))
            else:
                self._text.append(piece.text)
                shown.append(TextDelta(piece.text))
        return shown

    def _take_call(self, piece: CallPiece) -> None:
        call = self._call_of(piece)
        if call is None:
            return
        if piece.arguments and call.size < _MOST_ARGUMENT_CHARACTERS:
            call.arguments.append(piece.arguments)
            call.size += len(piece.arguments)

    def _call_of(self, piece: CallPiece) -> _Call | None:
        """Return the call that `piece` belongs to; a piece that names a function may begin a new one."""
        found = None
        if piece.id:
            found = next((call for call in self._calls if call.id == piece.id), None)
        if found is None and piece.index is not None:
            found = next((call for call in reversed(self._calls) if call.index == piece.index), None)
            if found is not None and piece.name and piece.id and found.id and piece.id != found.id:
                # Some servers give every parallel call the index 0.
                found = None
        if found is None and not piece.name and self._calls:
            found = self._calls[-1]
        if found is None and (piece.name or piece.id):
            found = _Call(piece.index, piece.id or "", piece.name or "")
            self._calls.append(found)
        elif found is not None:
            found.id = found.id or piece.id or ""
            found.name = found.name or piece.name or ""
        return found

    def partial(self) -> Message:
        """Return what has come so far, without calls, as an interrupted message."""
        return Message(Role.ASSISTANT, "".join(self._text), reasoning="".join(self._reasoning), interrupted=True)

    def reply(self) -> Reply:
        """Return the whole answer. Call `end` first."""
        calls: list[ToolCall] = []
        cut: set[str] = set()
        faults: dict[str, str] = {}
        taken: set[str] = set()
        complete = self.finished and self._finish != "length"
        for number, call in enumerate(self._calls):
            call_id = call.id if call.id and call.id not in taken else f"call_{new_id()}"
            taken.add(call_id)
            arguments = "".join(call.arguments)
            fault, truncated = _fault_of(arguments)
            if truncated or (not complete and number == len(self._calls) - 1):
                cut.add(call_id)
            elif fault:
                faults[call_id] = fault
            calls.append(ToolCall(call_id, call.name or "unnamed", healed_arguments(arguments or "{}")))
        message = Message(
            Role.ASSISTANT,
            "".join(self._text),
            tool_calls=tuple(calls),
            reasoning="".join(self._reasoning),
        )
        return Reply(message, self._finish, self._usage, frozenset(cut), faults)


def _fault_of(arguments: str) -> tuple[str, bool]:
    """Return what is wrong with `arguments` ("" for nothing), and whether they simply stop too early."""
    text = arguments.strip()
    if not text:
        return "", False
    try:
        value = json.loads(text)
    except RecursionError:
        return "the arguments are nested too deeply.", False
    except json.JSONDecodeError as error:
        early = text.startswith("{") and (error.pos >= len(text) or "Unterminated string" in error.msg)
        return f"the arguments are no valid JSON ({error.msg} at character {error.pos}).", early
    if isinstance(value, dict):
        return "", False
    return f"the arguments are a JSON {type(value).__name__}, not a JSON object.", False
