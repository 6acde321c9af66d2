"""`codeagent -p`: one request without a screen, for scripts; it never asks."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from codeagent_tui.agent.session import Session, open_session
from codeagent_tui.conversation.event_json import event_to_json
from codeagent_tui.conversation.events import (
    AgentEvent,
    AssistantReplied,
    EndReason,
    Notice,
    RetryScheduled,
    StepStarted,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    UsageReported,
)
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.store import SessionError
from codeagent_tui.settings import Settings
from codeagent_tui.text import clean_text, one_line

OUTPUTS = ("text", "json", "stream-json")

_EXIT_CODES = {
    EndReason.DONE: ExitCode.OK,
    EndReason.NO_ANSWER: ExitCode.FAILED,
    EndReason.FAILED: ExitCode.FAILED,
    EndReason.STEP_LIMIT: ExitCode.STEP_LIMIT,
    EndReason.INTERRUPTED: ExitCode.INTERRUPTED,
}


@dataclass(slots=True)
class _Outcome:
    """What a run came to, gathered from its events."""

    answer: str = ""
    ended: TurnEnded = field(default_factory=lambda: TurnEnded(EndReason.FAILED, "nothing happened"))
    steps: int = 0
    tools: list[dict[str, object]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def take(self, event: AgentEvent) -> None:
        """Take note of one event."""
        match event:
            case StepStarted(step=step):
                self.steps = step
            case AssistantReplied(message=message):
                self.answer = message.content or self.answer
            case ToolFinished():
                self.tools.append({"name": event.name, "ok": event.ok, "summary": event.summary})
                if event.summary == "refused":
                    self.refused.append(f"{event.name}: {one_line(event.result.content, 300)}")
            case Notice(text=text):
                self.notices.append(text)
            case UsageReported(usage=usage):
                self.prompt_tokens += usage.prompt_tokens
                self.completion_tokens += usage.completion_tokens
            case TurnEnded():
                self.ended = event

    @property
    def exit_code(self) -> ExitCode:
        """How the process ends."""
        code = _EXIT_CODES[self.ended.reason]
        return ExitCode.REFUSED if code is ExitCode.OK and self.refused else code


async def run_headless(
    prompt: str,
    settings: Settings,
    paths: Paths,
    workspace: Path,
    *,
    output: str = "text",
    resume: str | None = None,
    model: ChatModel | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> ExitCode:
    """Work on `prompt` and print what came of it in one of `OUTPUTS`; the exit code says how it ended.

    Tools that would need a question are refused; what was refused is told to the model and on stderr.
    """
    out, err = stdout or sys.stdout, stderr or sys.stderr
    try:
        session = await open_session(settings, paths, workspace, resume=resume, model=model, may_ask=False)
    except SessionError as error:
        print(error, file=err)
        return ExitCode.USAGE
    try:
        for notice in session.notices:
            print(clean_text(notice), file=err)
        outcome = await _run(session, prompt, output, out, err)
        _report(outcome, session, output, out, err)
        return outcome.exit_code
    finally:
        await session.aclose()


async def _run(session: Session, prompt: str, output: str, out: TextIO, err: TextIO) -> _Outcome:
    outcome = _Outcome()
    loop = asyncio.get_running_loop()
    caught = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    for number in caught:
        # Not every platform's loop can do it, and no other thread's; there the default handler stays.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, session.agent.interrupt)
    try:
        async for event in session.agent.run(prompt):
            outcome.take(event)
            if output == "stream-json":
                print(json.dumps(event_to_json(event), ensure_ascii=False), file=out, flush=True)
            elif output == "text":
                _tell(event, err)
    finally:
        for number in caught:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)
    return outcome


def _tell(event: AgentEvent, err: TextIO) -> None:
    """Say on stderr what goes on, one line a thing."""
    match event:
        case ToolStarted(title=title):
            print(f"· {one_line(title, 200)}", file=err, flush=True)
        case Notice(text=text):
            print(f"! {one_line(text, 500)}", file=err, flush=True)
        case RetryScheduled():
            print(
                f"! trying again in {event.delay:.0f} s ({event.attempt} of {event.attempts}): "
                f"{one_line(event.reason, 300)}",
                file=err,
                flush=True,
            )


def _report(outcome: _Outcome, session: Session, output: str, out: TextIO, err: TextIO) -> None:
    if output == "text":
        if outcome.answer:
            print(clean_text(outcome.answer).rstrip("\n"), file=out, flush=True)
        for refusal in outcome.refused:
            print(f"refused: {refusal}", file=err)
        if outcome.ended.reason is not EndReason.DONE:
            print(one_line(outcome.ended.detail or outcome.ended.reason, 500), file=err)
        return
    result = {
        "type": "result",
        "reason": outcome.ended.reason.value,
        "detail": outcome.ended.detail,
        "exit_code": int(outcome.exit_code),
        "answer": outcome.answer,
        "model": session.agent.model.name,
        "session_id": session.log.session_id,
        "steps": outcome.steps,
        "tools": outcome.tools,
        "refused": outcome.refused,
        "notices": outcome.notices,
        "usage": {"prompt_tokens": outcome.prompt_tokens, "completion_tokens": outcome.completion_tokens},
    }
    print(json.dumps(result, ensure_ascii=False), file=out, flush=True)
