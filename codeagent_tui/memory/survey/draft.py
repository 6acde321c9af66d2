"""A first CODEAGENT.md from what a repository shows, without a model. It states nothing that was not seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codeagent_tui.memory.project_layers import FOREIGN_FILES
from codeagent_tui.memory.survey.findings import Command, Findings, Purpose, Tree
from codeagent_tui.memory.survey.javascript_project import javascript
from codeagent_tui.memory.survey.other_projects import others
from codeagent_tui.memory.survey.python_project import python
from codeagent_tui.memory.survey.surroundings import (
    documents,
    editor_rules,
    folders,
    languages,
    other_agents_rules,
    readme,
)
from codeagent_tui.memory.survey.task_files import ci_commands, tasks
from codeagent_tui.text import one_line

_LOOKS = (tasks, python, javascript, others)
_MOST_PER_PURPOSE = 3
_MOST_CI_FILES = 3
_HEADING = re.compile(r"^##\s+(.+?)\s*$", re.M)


def draft(tree: Tree) -> str:
    """Return a whole CODEAGENT.md for the repository."""
    found = [findings for look in _LOOKS if (findings := look(tree)) is not None]
    title, paragraph = readme(tree)
    name = title or next((one_line(each.name) for each in found if each.name), "") or tree.root.name
    said = paragraph or next((one_line(each.summary) for each in found if each.summary), "")
    sections = {heading: list(lines) for heading, lines in _sections(tree, found)}
    parts = [f"# {name}", *([said] if said else [])]
    parts += [f"## {heading}\n" + "\n".join(lines) for heading, lines in sections.items() if lines]
    # Last, so that notes which are added later stand under it.
    return "\n\n".join([*parts, "## Notes"]) + "\n"


def with_what_is_missing(existing: str, drafted: str) -> str:
    """Return `existing` with those sections of the draft at its end whose headings it lacks; everything else stays."""
    has = {heading.casefold() for heading in _HEADING.findall(existing)}
    sections = re.split(r"(?m)^(?=## )", drafted)[1:]
    missing = [text.strip("\n") for text in sections if _heading(text) not in has and "\n" in text.strip()]
    if not missing:
        return existing
    newline = "\r\n" if "\r\n" in existing else "\n"
    added = "\n\n".join(missing).replace("\n", newline)
    gap = newline if existing.endswith("\n") else newline * 2
    return f"{existing}{gap}{added}{newline}" if existing.strip() else drafted


def _heading(section: str) -> str:
    found = _HEADING.match(section)
    return found[1].casefold() if found else ""


def _sections(tree: Tree, found: Sequence[Findings]) -> Iterator[tuple[str, Iterator[str]]]:
    yield "Rules", _rules(tree)
    yield "Commands", _commands(tree, [command for findings in found for command in findings.commands])
    yield "Layout", _layout(tree)
    conventions = [line for findings in found for line in findings.conventions]
    yield "Conventions", (f"- {one_line(line)}" for line in dict.fromkeys([*conventions, *editor_rules(tree)]))
    yield "Read first", (f"- `{path}`" for path in documents(tree))


def _rules(tree: Tree) -> Iterator[str]:
    foreign = [path for path in FOREIGN_FILES if tree.has(path)]
    # Beside a CODEAGENT.md they are no longer read by themselves.
    yield from (f"@{path}" for path in foreign)
    others_rules = other_agents_rules(tree)
    if others_rules:
        if foreign:
            yield ""
        listed = ", ".join(f"`{one_line(path)}`" for path in others_rules[:4])
        yield f"Rules for other tools, not read here unless a line imports them: {listed}"


def _commands(tree: Tree, commands: Sequence[Command]) -> Iterator[str]:
    for purpose in Purpose:
        lines = list(dict.fromkeys(one_line(command.line) for command in commands if command.purpose is purpose))
        if lines:
            yield f"- {purpose}: " + ", ".join(f"`{line}`" for line in lines[:_MOST_PER_PURPOSE])
    for path, lines in list(ci_commands(tree).items())[:_MOST_CI_FILES]:
        runs = ": " + ", ".join(f"`{one_line(line)}`" for line in lines) if lines else ""
        yield f"- CI (`{path}`){runs}"


def _layout(tree: Tree) -> Iterator[str]:
    counted = languages(tree)
    if counted:
        yield "Languages, by files: " + ", ".join(f"{name} ({count:,})" for name, count in counted) + "."
        yield ""
    yield from (f"- `{name}`: {what}" for name, what in folders(tree))
