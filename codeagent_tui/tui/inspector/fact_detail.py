"""What is known of one fact: its whole text, where it is from, and why it is in the prompt or not. Pure."""

from __future__ import annotations

from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.retriever import Injection
from codeagent_tui.text import one_line
from codeagent_tui.tui.ages import age
from codeagent_tui.tui.inspector.fact_rows import FactRow, FactState
from codeagent_tui.tui.inspector.fact_table import INJECTED, NO_ROOM
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece

_SHOWN_OF_QUESTION = 40
_SOURCES = {"command": "saved by you", "tool": "saved by the agent, at your word"}


def detail_lines(row: FactRow, state: FactState, now: float) -> list[Piece]:
    """Return the lines for `row`; `now` is in seconds since the epoch."""
    return [
        *lines_of(row.entry.content, "key"),
        (_origin(row.entry, row.project, state.recalls.get(row.entry.id, 0), now), "muted"),
        *_injection(row, state),
    ]


def _origin(entry: MemoryEntry, project: str, recalls: int, now: float) -> str:
    where = "in all projects" if entry.scope is not Scope.PROJECT else f"in {_named(project)}"
    how = _SOURCES.get(entry.source, "saved by hand")
    times = f"recalled {recalls} time{'s' if recalls > 1 else ''} in this session" if recalls else "not recalled yet"
    return f"{how} {age(max(0.0, now - entry.timestamp))} · {where} · {times} · id {one_line(entry.id, 16)}"


def _named(project: str) -> str:
    return "this project" if project == "this" else f"the project {project}"


def _injection(row: FactRow, state: FactState) -> list[Piece]:
    if not state.question:
        return [("Facts that fit your next message go into its prompt.", "muted")]
    asked = f"your {'draft' if state.is_draft else 'message'} “{one_line(state.question, _SHOWN_OF_QUESTION)}”"
    found = state.injections.get(row.entry.id)
    if row.is_elsewhere:
        return [("Of another project: it goes into no prompt here.", "muted")]
    if found is None:
        return [(f"Not in the prompt: it is not among the ten facts that fit {asked} best.", "muted")]
    if found.injected:
        return [(f"{INJECTED} In the prompt for {asked}", "added"), (_score(found), "muted")]
    told = f"{NO_ROOM} Not in the prompt: it fits {asked}, but not the {state.budget:,} tokens for facts"
    return [(told, "place"), (_score(found), "muted")]


def _score(found: Injection) -> str:
    one = found.scored
    return f"  score {one.score:.2f} = match {one.match:.2f} × decay {one.decay:.2f} × weight {one.weight:.1f}"
