"""Stream events → what is shown at once, and in the end one message, whatever the server's habits."""

from __future__ import annotations

from codeagent_tui.conversation.events import AttemptDiscarded, ReasoningDelta, TextDelta
from codeagent_tui.conversation.messages import Message, Role, ToolCall, Usage, new_id
from codeagent_tui.llm.arguments import argument_text
from codeagent_tui.llm.call_pieces import CallCollector
from codeagent_tui.llm.provider import (
    CallPiece,
    FinishPiece,
    ReasoningPiece,
    Reply,
    StreamEvent,
    TextPiece,
    UsagePiece,
)
from codeagent_tui.llm.surrogates import SurrogateJoiner, whole_characters
from codeagent_tui.llm.thinking import Piece, ThinkingSplitter

Visible = TextDelta | ReasoningDelta | AttemptDiscarded

# Reasons to finish that leave the last call unfinished.
_CUTTING = frozenset({"length", "content_filter"})


class Assembler:
    """Takes the events of one attempt; says what is to be shown at once, and in the end what it all was."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls = CallCollector()
        self._splitter = ThinkingSplitter()
        self._text_joiner = SurrogateJoiner()
        self._reasoning_joiner = SurrogateJoiner()
        self._usage: Usage | None = None
        self._finish = ""
        self.finished = False
        """Whether the server said that the answer is whole."""

    @property
    def started(self) -> bool:
        """Whether anything has come that was shown or would have run."""
        return bool(self._text or self._reasoning or self._calls.calls)

    @property
    def has_calls(self) -> bool:
        """Whether a tool call has begun."""
        return bool(self._calls.calls)

    def feed(self, event: StreamEvent) -> list[Visible]:
        """Take one event and return what is to be shown."""
        match event:
            case TextPiece(text=text):
                return self._show(self._splitter.feed(self._text_joiner.feed(text)))
            case ReasoningPiece(text=text):
                return self._think(self._reasoning_joiner.feed(text))
            case CallPiece():
                self._calls.take(event)
            case UsagePiece(usage=usage):
                self._usage = usage
            case FinishPiece(reason=reason):
                self.finished = True
                self._finish = reason or self._finish
        return []

    def end(self) -> list[Visible]:
        """Return what was held back until it was certain; call once, when the stream has ended."""
        pieces = self._splitter.feed(self._text_joiner.end())
        return [*self._think(self._reasoning_joiner.end()), *self._show([*pieces, *self._splitter.end()])]

    def _think(self, text: str) -> list[Visible]:
        if not text:
            return []
        if text.strip():
            self._splitter.thinking_is_apart()
        self._reasoning.append(text)
        return [ReasoningDelta(text)]

    def _show(self, pieces: list[Piece]) -> list[Visible]:
        shown: list[Visible] = []
        for piece in pieces:
            if piece.thinking:
                if piece.retract:
                    self._text.clear()
                    shown.append(AttemptDiscarded("that was thinking, not the answer"))
                self._reasoning.append(piece.text)
                shown.append(ReasoningDelta(piece.text))
            else:
                self._text.append(piece.text)
                shown.append(TextDelta(piece.text))
        return shown

    def partial(self) -> Message:
        """Return what has come so far, without calls, as an interrupted message."""
        return Message(Role.ASSISTANT, "".join(self._text), reasoning="".join(self._reasoning), interrupted=True)

    def reply(self) -> Reply:
        """Return the whole answer. Call `end` first."""
        calls: list[ToolCall] = []
        cut: set[str] = set()
        faults: dict[str, str] = {}
        # In doubt a call was cut: the last one, when the answer did not come to its own end.
        whole = self.finished and self._finish not in _CUTTING
        for written in self._calls.calls:
            call_id = whole_characters(written.id)
            if not call_id or any(call.id == call_id for call in calls):
                call_id = f"call_{new_id()}"
            arguments = argument_text(written.arguments)
            if arguments.cut or (not whole and written is self._calls.calls[-1]):
                cut.add(call_id)
            elif arguments.fault:
                faults[call_id] = arguments.fault
            calls.append(ToolCall(call_id, whole_characters(written.name) or "unnamed", arguments.text))
        message = Message(
            Role.ASSISTANT,
            "".join(self._text),
            tool_calls=tuple(calls),
            reasoning="".join(self._reasoning),
        )
        return Reply(message, self._finish, self._usage, frozenset(cut), faults)
