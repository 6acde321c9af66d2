"""The commands that a project has given names to (make, just, task), and those that its CI runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeagent_tui.memory.survey.findings import Command, Findings, Purpose, Tree

_NAMES = {
    **dict.fromkeys(("setup", "install", "bootstrap", "deps"), Purpose.SETUP),
    **dict.fromkeys(("build", "compile", "all"), Purpose.BUILD),
    **dict.fromkeys(("run", "dev", "serve", "start"), Purpose.RUN),
    **dict.fromkeys(("test", "tests", "unit", "e2e"), Purpose.TEST),
    **dict.fromkeys(("lint", "check", "typecheck", "ci", "verify"), Purpose.CHECK),
    **dict.fromkeys(("format", "fmt"), Purpose.FORMAT),
}
_MAKE = (("GNUmakefile", "makefile", "Makefile"), "make", re.compile(r"^([A-Za-z][\w-]*)\s*:(?![=:])", re.M))
_JUST = (("justfile", "Justfile", ".justfile"), "just", re.compile(r"^@?([a-z][\w-]*)[^:=\n]*:(?!=)", re.M))
_TASK = (("Taskfile.yml", "Taskfile.yaml"), "task", re.compile(r"^  ([a-z][\w-]*):\s*$", re.M))

_RUN = re.compile(r"^(?P<indent>\s*)(?:-\s+)?(?:run|script):\s*(?P<rest>.*)$")
_LIST_ITEM = re.compile(r"^\s*-\s+(?P<line>.+)$")
_TELLING = re.compile(
    r"\b(?:py\.?test|tox|nox|unittest|ruff|mypy|pyright|flake8|cargo (?:test|clippy|fmt|build)|go (?:test|vet|build)|"
    r"golangci-lint|(?:npm|pnpm|yarn|bun) (?:ci|test|run \S+|lint|build)|make \w+|just \w+|gradlew?|mvnw?|ctest|cmake|"
    r"dotnet (?:build|test)|rspec|rubocop|phpunit|mix (?:test|format)|swift (?:build|test)|eslint|prettier|tsc|vitest|"
    r"jest)\b"
)
_LONGEST = 160
_MOST_IN_CI = 6


def tasks(tree: Tree) -> Findings | None:
    """Return the named commands, None when there are none."""
    commands = tuple(command for kind in (_MAKE, _JUST, _TASK) for command in _named(tree, *kind))
    return Findings(commands) if commands else None


def _named(tree: Tree, files: tuple[str, ...], program: str, pattern: re.Pattern[str]) -> Iterator[Command]:
    file = tree.has(*files)
    for name in dict.fromkeys(pattern.findall(tree.read(file))):
        if name in _NAMES:
            yield Command(_NAMES[name], f"{program} {name}", file)


def ci_commands(tree: Tree) -> dict[str, list[str]]:
    """Return, by the CI's file, the commands in it that build, test or check; a few of each."""
    found: dict[str, list[str]] = {}
    for path in tree.files:
        if (path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml"))) or path == ".gitlab-ci.yml":
            lines = [line for line in dict.fromkeys(_run_lines(tree.read(path))) if _TELLING.search(line)]
            if lines:
                found[path] = lines[:_MOST_IN_CI]
    if not found and tree.has(".ci/run"):
        found[".ci/run"] = []
    return found


def _run_lines(text: str) -> Iterator[str]:
    """Yield the shell lines of `run:` and `script:` entries. No YAML is parsed: what is overlooked is not missed."""
    block: int | None = None
    for line in text.split("\n"):
        entry = _RUN.match(line)
        if entry:
            rest = entry["rest"].strip().strip("\"'")
            block = len(entry["indent"]) if rest in ("", "|", ">", "|-", ">-", "|+") else None
            if block is None:
                yield from _plain(rest)
        elif block is not None and line.strip():
            if len(line) - len(line.lstrip()) <= block and not line.lstrip().startswith("- "):
                block = None
                continue
            item = _LIST_ITEM.match(line)
            yield from _plain((item["line"] if item else line).strip().strip("\"'"))


def _plain(line: str) -> Iterator[str]:
    # What depends on the CI's own variables says nothing to a person.
    if line and len(line) <= _LONGEST and "${{" not in line and not line.startswith("#"):
        yield line
