"""The three ways in which a run is told on standard output: the answer, one JSON object, a line of JSON an event.

Standard error gets what a person should know in any case: notices, refusals, why a run ended early. With `text` it
also says what goes on meanwhile.
"""

from __future__ import annotations

from typing import Protocol

from codeagent_tui.conversation.event_json import event_to_json
from codeagent_tui.conversation.events import (
    AgentEvent,
    AssistantReplied,
    CompactionFinished,
    EndReason,
    Notice,
    RetryScheduled,
    ToolFinished,
    ToolStarted,
)
from codeagent_tui.headless.facts import RunFacts, facts_to_json, result_to_json
from codeagent_tui.headless.outcome import Outcome
from codeagent_tui.settings import PermissionMode
from codeagent_tui.standard_streams import OutputStream
from codeagent_tui.text import clean_text, one_line

OUTPUTS = ("text", "json", "stream-json")
_TITLE_CHARACTERS = 200
_REASON_CHARACTERS = 500
_ALLOWING = {
    PermissionMode.ASK: "Allow changes of files here with --mode accept-edits, everything with --mode unattended.",
    PermissionMode.ACCEPT_EDITS: "Allow it with --mode unattended.",
    PermissionMode.PLAN: "Plan mode changes nothing; choose another with --mode.",
    PermissionMode.UNATTENDED: "",
}


class Report(Protocol):
    """Tells of a run on standard output, and only there."""

    def begin(self, facts: RunFacts) -> None:
        """Tell of the session, before anything happens."""
        ...

    def event(self, event: AgentEvent) -> None:
        """Tell of an event."""
        ...

    def end(self, facts: RunFacts, outcome: Outcome) -> None:
        """Tell how it ended."""
        ...


def report_for(output: str, out: OutputStream, err: OutputStream) -> Report:
    """Return the report that `output`, one of `OUTPUTS`, asks for."""
    if output == "text":
        return TextReport(out, err)
    return StreamReport(out) if output == "stream-json" else JsonReport(out)


class TextReport:
    """The answer on standard output, and what goes on on standard error."""

    def __init__(self, out: OutputStream, err: OutputStream) -> None:
        self._out = out
        self._err = err

    def begin(self, facts: RunFacts) -> None:
        """Say nothing."""

    def event(self, event: AgentEvent) -> None:
        """Say on standard error what happens, a line a thing."""
        match event:
            case AssistantReplied(message=message) if message.tool_calls and message.content.strip():
                self._err.line(clean_text(message.content).strip())
            case ToolStarted(title=title):
                self._err.line(f"· {one_line(title, _TITLE_CHARACTERS)}")
            case ToolFinished(diff=diff) if diff:
                self._err.line(clean_text(diff).rstrip("\n"))
            case CompactionFinished(track="history"):
                self._err.line(_of_compaction(event))
            case RetryScheduled():
                self._err.line(
                    f"! trying again in {event.delay:.0f} s ({event.attempt} of {event.attempts}): "
                    f"{one_line(event.reason, _REASON_CHARACTERS)}"
                )

    def end(self, facts: RunFacts, outcome: Outcome) -> None:
        """Print the answer, or what there is of it."""
        text = clean_text(outcome.answer or outcome.partial).strip("\n")
        if text.strip():
            self._out.line(text)


def _of_compaction(event: CompactionFinished) -> str:
    note = one_line(event.note, _REASON_CHARACTERS)
    if not event.applied:
        return f"! older turns were not summarised: {note}"
    sizes = f"{event.tokens_before:,} → {event.tokens_after:,} tokens"
    return f"· older turns summarised, {sizes}{f'. {note}' if note else ''}"


class JsonReport:
    """One JSON object at the end."""

    def __init__(self, out: OutputStream) -> None:
        self._out = out

    def begin(self, facts: RunFacts) -> None:
        """Say nothing."""

    def event(self, event: AgentEvent) -> None:
        """Say nothing."""

    def end(self, facts: RunFacts, outcome: Outcome) -> None:
        """Print the result."""
        self._out.record(result_to_json(facts, outcome))


class StreamReport(JsonReport):
    """JSON lines: the session, each event as it comes, the result."""

    def begin(self, facts: RunFacts) -> None:
        """Print the session."""
        self._out.record(facts_to_json(facts))

    def event(self, event: AgentEvent) -> None:
        """Print the event."""
        self._out.record(event_to_json(event))


def tell_notice(event: AgentEvent, err: OutputStream) -> None:
    """Say a notice on standard error, whatever standard output gets."""
    if isinstance(event, Notice):
        err.line(f"! {one_line(event.text, _REASON_CHARACTERS)}")


def tell_end(outcome: Outcome, mode: PermissionMode, err: OutputStream) -> None:
    """Say on standard error what was refused, and why a run ended before it was done."""
    for use in outcome.refused:
        err.line(f"refused: {one_line(use.title, _TITLE_CHARACTERS)}: {use.told}")
    if outcome.refused and _ALLOWING[mode]:
        err.line(_ALLOWING[mode])
    if outcome.ended.reason is EndReason.DONE:
        return
    err.line(f"codeagent: {one_line(outcome.ended.detail or outcome.ended.reason, _REASON_CHARACTERS)}")
    if outcome.steps:
        err.line("Go on with: codeagent --continue (or -c -p TEXT)")
