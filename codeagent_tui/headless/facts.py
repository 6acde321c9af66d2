"""What programs are told of a run, as JSON data."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui import __version__
from codeagent_tui.headless.outcome import Outcome, ToolUse
from codeagent_tui.text import replace_surrogates


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run beside its events."""

    session_id: str
    model: str
    mode: str
    workspace: str
    notices: tuple[str, ...] = ()


def facts_to_json(facts: RunFacts) -> dict[str, object]:
    """Return the first record of a stream."""
    return {
        "type": "session",
        "version": __version__,
        "session_id": facts.session_id,
        "model": replace_surrogates(facts.model),
        "mode": facts.mode,
        "workspace": replace_surrogates(facts.workspace),
    }


def result_to_json(facts: RunFacts, outcome: Outcome) -> dict[str, object]:
    """Return the last record of a stream, which is the whole of `--output json`."""
    return {
        "type": "result",
        "reason": outcome.ended.reason.value,
        "detail": replace_surrogates(outcome.ended.detail),
        "exit_code": int(outcome.exit_code),
        "answer": replace_surrogates(outcome.answer),
        "partial": replace_surrogates(outcome.partial),
        "session_id": facts.session_id,
        "model": replace_surrogates(facts.model),
        "mode": facts.mode,
        "steps": outcome.steps,
        "tools": [_tool(use) for use in outcome.tools],
        "refused": [
            {"name": use.name, "title": replace_surrogates(use.title), "reason": replace_surrogates(use.told)}
            for use in outcome.refused
        ],
        "notices": [replace_surrogates(notice) for notice in (*facts.notices, *outcome.notices)],
        "usage": {"prompt_tokens": outcome.prompt_tokens, "completion_tokens": outcome.completion_tokens},
    }


def _tool(use: ToolUse) -> dict[str, object]:
    data = {"name": use.name, "title": replace_surrogates(use.title), "ok": use.ok, "summary": use.summary}
    return data | ({"diff": replace_surrogates(use.diff)} if use.diff else {})
