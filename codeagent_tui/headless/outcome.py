"""What a run came to, gathered from its events."""

from __future__ import annotations

from dataclasses import dataclass, field

from codeagent_tui.conversation.events import (
    AgentEvent,
    AssistantReplied,
    AttemptDiscarded,
    EndReason,
    Notice,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    UsageReported,
)
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.text import one_line

_EXIT_CODES = {
    EndReason.DONE: ExitCode.OK,
    EndReason.NO_ANSWER: ExitCode.FAILED,
    EndReason.FAILED: ExitCode.FAILED,
    EndReason.STEP_LIMIT: ExitCode.STEP_LIMIT,
    EndReason.INTERRUPTED: ExitCode.INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call that was answered; `told` is what the model was told, when it was refused."""

    name: str
    title: str
    ok: bool
    summary: str
    diff: str
    refused: bool
    told: str = ""


@dataclass(slots=True)
class Outcome:
    """The state of a run; whole once `ended` is set by the turn's last event."""

    ended: TurnEnded = field(default_factory=lambda: TurnEnded(EndReason.FAILED, "nothing happened"))
    steps: int = 0
    tools: list[ToolUse] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    _text: str = ""
    _said: str = ""
    _titles: dict[str, str] = field(default_factory=dict)

    def take(self, event: AgentEvent) -> None:
        """Take note of one event."""
        match event:
            case StepStarted(step=step):
                self.steps = step
                self._text = ""
            case TextDelta(text=text):
                self._text += text
            case AttemptDiscarded():
                self._text = ""
            case AssistantReplied(message=message):
                # What is said beside tool calls is told when it is said; it is no answer, unless nothing follows.
                self._text, self._said = ("", message.content) if message.tool_calls else (message.content, "")
            case ToolStarted(call=call, title=title):
                self._titles[call.id] = title
            case ToolFinished():
                self.tools.append(self._use(event))
            case Notice(text=text):
                self.notices.append(text)
            case UsageReported(usage=usage):
                self.prompt_tokens += usage.prompt_tokens
                self.completion_tokens += usage.completion_tokens
            case TurnEnded():
                self.ended = event

    def _use(self, event: ToolFinished) -> ToolUse:
        refused = event.refused
        told = one_line(event.result.content, 500).strip("[]") if refused else ""
        title = self._titles.get(event.call_id, event.name)
        return ToolUse(event.name, title, event.ok, event.summary, event.diff, refused, told)

    @property
    def answer(self) -> str:
        """The model's last words, when they are whole."""
        return (self._text or self._said) if self._whole else ""

    @property
    def partial(self) -> str:
        """What there was of an answer that broke off."""
        return "" if self._whole else self._text

    @property
    def _whole(self) -> bool:
        return self.ended.reason in (EndReason.DONE, EndReason.STEP_LIMIT)

    @property
    def refused(self) -> list[ToolUse]:
        """The calls that were not permitted."""
        return [use for use in self.tools if use.refused]

    @property
    def exit_code(self) -> ExitCode:
        """How the process ends."""
        code = _EXIT_CODES[self.ended.reason]
        return ExitCode.REFUSED if code is ExitCode.OK and self.refused else code
