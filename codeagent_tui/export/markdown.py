"""A session as a Markdown document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeagent_tui.export.call_body import BodyKind
from codeagent_tui.export.steps import AnswerStep, CallStep, State, Step, ThoughtStep, UserStep, moment, steps_of
from codeagent_tui.export.transcript import SessionTranscript
from codeagent_tui.text import one_line


def as_markdown(transcript: SessionTranscript) -> str:
    """Return the whole session: what was said as it is, tool calls and their results in fences."""
    parts = [f"# {one_line(transcript.title) or 'CodeAgent session'}", *_head(transcript)]
    for step in steps_of(transcript):
        parts += _parts(step)
    return "\n\n".join(parts) + "\n"


def _head(transcript: SessionTranscript) -> Iterator[str]:
    turns = f"{transcript.turns} turn{'' if transcript.turns == 1 else 's'}"
    tokens = f", {transcript.tokens:,} tokens" if transcript.tokens else ""
    yield (
        f"- CodeAgent session `{transcript.session_id}`, {turns}{tokens}\n"
        f"- {moment(transcript.began)} to {moment(transcript.ended)}, in `{one_line(transcript.cwd)}`"
    )
    for notice in transcript.notices:
        yield f"> {notice}"


def _parts(step: Step) -> Iterator[str]:
    match step:
        case UserStep():
            yield f"## {step.heading} · {moment(step.at)}"
            yield step.text
        case ThoughtStep():
            yield f"**Thinking**\n{_fenced(step.text)}"
        case AnswerStep():
            yield f"## Assistant{' (interrupted)' if step.interrupted else ''} · {moment(step.at)}"
            yield step.text
        case CallStep():
            yield from _call(step)
        case _:
            yield f"---\n\n*{step.text}*" + (f"\n\n{_fenced(step.detail)}" if step.detail.strip() else "")


def _call(step: CallStep) -> Iterator[str]:
    yield f"**Tool** {_coded(step.title)}"
    if step.body.kind is not BodyKind.NONE and step.body.text.strip():
        yield _fenced(step.body.text, "diff" if step.body.kind is BodyKind.DIFF else step.body.language)
    ended = "" if step.state is State.OK else f" ({step.state.value})"
    yield f"Result{ended}:\n{_fenced(step.output)}"


def _coded(text: str) -> str:
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _fenced(text: str, language: str = "") -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
