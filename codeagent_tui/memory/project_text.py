"""Puts the text of project memory together: what there is room for, where each part of it is from, marked cuts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.memory.project_budget import Budget
from codeagent_tui.memory.project_layers import PRIORITY, Layer, shown_path
from codeagent_tui.memory.project_reader import FoundFile, Passage
from codeagent_tui.text import one_line

_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class TextPart:
    """Where a stretch of the text is from: `text[start:end]` is line `line` (from 1) of `path` and what follows it."""

    start: int
    end: int
    path: Path
    layer: Layer
    line: int


@dataclass(slots=True)
class Document:
    """One of the layered files with its imports, and what of it there was room for."""

    path: Path
    layer: Layer
    passages: list[Passage]
    pieces: list[tuple[str, Passage]] = field(default_factory=list)
    characters: dict[FoundFile, int] = field(default_factory=dict)
    cut: dict[FoundFile, str] = field(default_factory=dict)


def share_out(documents: Iterable[Document], budget: Budget) -> None:
    """Give each document what there is room for, those that matter most first."""
    documents = list(documents)
    for layer in PRIORITY:
        for document in documents:
            if document.layer is layer:
                _fill(document, budget)


def _fill(document: Document, budget: Budget) -> None:
    for passage in document.passages:
        file, text = passage.file, "\n".join(passage.lines)
        taken = "" if budget.spent else budget.take(text)
        document.characters[file] = document.characters.get(file, 0) + len(taken)
        if taken != text or passage.goes_on:
            document.cut[file] = "cut" if document.characters[file] else "left out"
        if passage.lines and (taken or not text):
            document.pieces.append((taken, passage))


def assemble(documents: Iterable[Document], root: Path) -> tuple[str, tuple[TextPart, ...]]:
    """Return the whole text, and where its parts are from; what is in no part (headings, marks) is ours."""
    texts: list[str] = []
    parts: list[TextPart] = []
    length = 0
    for document in documents:
        body, found = _body(document)
        if not body:
            continue
        heading = f"[from {shown_path(document.path, root)}]\n"
        start = length + len(heading)
        parts += [TextPart(p.start + start, p.end + start, p.path, p.layer, p.line) for p in found]
        texts.append(heading + body)
        length = start + len(body) + len("\n\n")
    return "\n\n".join(texts), tuple(parts)


def _body(document: Document) -> tuple[str, list[TextPart]]:
    """Return the text of a file and its imports, with a mark where something is missing at its end."""
    whole = "\n".join(text for text, _ in document.pieces)
    body = whole.strip("\n")
    if not body.strip():
        body = ""
    parts = list(_parts(document, skipped=len(whole) - len(whole.lstrip("\n")), length=len(body)))
    if not document.cut:
        return body, parts
    names = ", ".join(f"{one_line(file.path.name)} ({how})" for file, how in list(document.cut.items())[:_MOST_NAMED])
    more = f" and {len(document.cut) - _MOST_NAMED} more" if len(document.cut) > _MOST_NAMED else ""
    return f"{body}\n[cut: the budget of project memory is used up; {names}{more}; read_file shows the rest]".lstrip(
        "\n"
    ), parts


def _parts(document: Document, *, skipped: int, length: int) -> Iterator[TextPart]:
    """Yield where the body's stretches are from; `skipped` characters were taken off its start."""
    at = -skipped
    for text, passage in document.pieces:
        start, end = max(0, at), min(at + len(text), length)
        if start < end:
            line = passage.first_line + text[: start - at].count("\n")
            yield TextPart(start, end, passage.file.path, document.layer, line)
        at += len(text) + 1


def told_of_cuts(documents: Iterable[Document], budget: Budget, root: Path) -> list[str]:
    """Return one notice for all that did not fit."""
    cuts = [(shown_path(file.path, root), how) for document in documents for file, how in document.cut.items()]
    if not cuts:
        return []
    named = "; ".join(f"{name} was {how}" for name, how in cuts[:_MOST_NAMED])
    more = f"; and {len(cuts) - _MOST_NAMED} more" if len(cuts) > _MOST_NAMED else ""
    return [
        f"Project memory is longer than its budget ({budget.words}): {named}{more}. "
        "Room goes to CODEAGENT.local.md first, then to the project's files, then to your own."
    ]
