"""What is told of one compaction: a row, and its sections. Pure."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from codeagent_tui.context.record import CompactionRecord
from codeagent_tui.conversation.messages import Message
from codeagent_tui.text import one_line
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.sections import Section
from codeagent_tui.tui.pieces import Piece, on_both_sides

_WAYS = {
    "summary": "older turns were summarised",
    "stubs": "large tool results gave way to stubs",
    "by hand": "a message was taken out by hand",
    "dropped": "older turns were dropped, only the ledger is left: no summary could be made",
}


def record_pieces(record: CompactionRecord, number: int, width: int) -> list[Piece]:
    """Return the row of a compaction; `number` counts from 1."""
    before, after = short_count(record.tokens_before), short_count(record.tokens_after)
    left: list[Piece] = [
        (f"{number:>2}  {time.strftime('%H:%M', time.localtime(record.at))}  ", "muted"),
        (f"{before} → {after}", "strong"),
    ]
    if record.way != "summary":
        left.append((f"  {record.way}", "warning"))
    if record.focus:
        left.append((f"  {one_line(record.focus)}", "muted"))
    right: list[Piece] = [("taken back  ", "warning")] if record.restored else []
    if record.coverage.total:
        covers = f"summary covers {record.coverage.share:.0%}  "
        right.append((covers, "good" if not record.coverage.missing else "warning"))
    return on_both_sides(left, [*right, (f"{record.duration:.1f} s", "muted")], width)


def record_sections(record: CompactionRecord, left: Sequence[Message] | str) -> list[Section]:
    """Return the sections of a compaction; `left` are the messages that it replaced, or why they are not known."""
    coverage = record.coverage
    sections = [Section("what", "what it did", "\n".join(_facts(record)))]
    if coverage.total:
        missing = "\n".join(f"- {text}" for text in coverage.missing)
        told = f"Not in the summary, but in the ledger beside it:\n{missing}" if missing else "Nothing is missing."
        sections.append(Section("coverage", "coverage of the summary", told, f"{coverage.kept} of {coverage.total}"))
    sections.append(Section("summary", "summary", record.summary, _size(record.summary)))
    sections.append(Section("ledger", "ledger, kept without a model", record.ledger, _size(record.ledger)))
    diff = left if isinstance(left, str) else "\n".join(_diff(left, record))
    figure = "" if isinstance(left, str) else f"{len(left):,} messages"
    sections.append(Section("left", "what left, and what came", diff, figure, is_diff=True))
    return sections


def _size(text: str) -> str:
    return f"{len(text):,} characters" if text else "none"


def _facts(record: CompactionRecord) -> Iterable[str]:
    saved = record.tokens_before - record.tokens_after
    share = saved / record.tokens_before if record.tokens_before else 0
    change = f"{record.tokens_before:,} → {record.tokens_after:,} tokens ({share:.0%} less)"
    yield f"{_WAYS.get(record.way, record.way)}: {change}"
    yield f"at {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(record.at))}, in {record.duration:.1f} s" + (
        ", beside the conversation" if record.background else ""
    )
    if record.stubbed:
        count = len(record.stubbed)
        yield f"{count:,} message{' keeps its place' if count == 1 else 's keep their places'}, with less in them"
    else:
        yield f"{record.replaced:,} messages gave way to {record.replacement:,}"
    if record.calls:
        yield f"{record.calls} call{'s' if record.calls > 1 else ''} of {one_line(record.model) or 'the model'}"
    if record.focus:
        yield f"asked to keep: {one_line(record.focus)}"
    if record.note:
        yield record.note
    if record.repeats:
        yield f"{record.repeats} tool calls since then repeat what was done before"
    if record.restored:
        yield "taken back: the messages are part of the conversation again"


def _diff(left: Sequence[Message], record: CompactionRecord) -> Iterable[str]:
    for message in left:
        yield f"@@ {message.role} @@"
        yield from (f"-{line}" for line in message.content.splitlines())
        yield from (f"-→ {call.name} {call.arguments}" for call in message.tool_calls)
    came = "\n\n".join(filter(None, (record.summary, record.ledger)))
    if came:
        yield "@@ in their place @@"
        yield from (f"+{line}" for line in came.splitlines())
