"""Finds the `@path` imports in a project memory file: lines of their own that look like a path, outside code.

The rule. An import stands alone on its line (a list item may hold it); its path is the rest of the line, or quoted.
A path starts with `./`, `../`, `~/` or `/`, or is quoted, or has a folder and an extension (`docs/style.md`), or is
the name of a text or source file (`AGENTS.md`). Everything else that has an `@` is text: addresses, decorators,
package names, handles, and whatever stands in a fence or a code span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")
_IMPORT_LINE = re.compile(r" {0,3}(?:[-*+] +|\d+[.)] +)?@(?P<quote>[\"']?)(?P<path>[^\s\"'@].*?)(?P=quote)\s*$")
_CALL = re.compile(r"[\w.]+\s*\(")
_EXTENSION = re.compile(r"\.[A-Za-z0-9_]{1,12}$")
# Without a folder only these: `app.route` and `pytest.fixture` are decorators, not files.
_TEXT_NAME = re.compile(
    r"[^/]+\.(?:md|markdown|mdx|mdc|txt|rst|adoc|org|tex|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|xml|csv|tsv|html?|css"
    r"|py|pyi|js|mjs|cjs|ts|jsx|tsx|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|sql|proto|graphql|lua|r"
    # These are told of when they are imported by mistake.
    r"|png|jpe?g|gif|svg|webp|ico|bmp|pdf|docx?|xlsx?|ipynb|zip|gz|bin|db|sqlite)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file. `target` is the path it imports, or ""; `nearly` a path that it would import if it stood
    alone, or ""."""

    text: str
    target: str = ""
    nearly: str = ""


def lines_with_imports(text: str) -> Iterator[Line]:
    """Yield the lines of `text`, each with what it imports. Touches no file."""
    for line, in_code in _lines_in_code(text.split("\n")):
        yield Line(line) if in_code else _line(line)


def ends_in_fence(text: str) -> bool:
    """Whether what were added to `text` would stand in a fence that was not closed."""
    return list(_lines_in_code([*text.splitlines(), ""]))[-1][1]


def _lines_in_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is in a fence or opens or closes one."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
            yield line, True
        else:
            fence = mark["mark"] if mark else ""
            yield line, bool(mark)


def _line(line: str) -> Line:
    found = _IMPORT_LINE.match(line)
    if found is None:
        return Line(line)
    target = found["path"]
    if _is_path(target, quoted=bool(found["quote"])):
        return Line(line, target)
    first = target.partition(" ")[0]
    return Line(line, nearly=first if first != target and _is_plain_path(first) else "")


def _is_path(target: str, *, quoted: bool) -> bool:
    if quoted or target.startswith(("./", "../", "~/", "/")):
        return True
    # A blank may be part of a path with folders; words with a file's name at their end are a sentence.
    return _is_plain_path(target) and (" " not in target or "/" in target.partition(" ")[0])


def _is_plain_path(target: str) -> bool:
    if _CALL.match(target) or "@" in target or "://" in target:
        return False
    if "/" not in target:
        return bool(_TEXT_NAME.match(target))
    return bool(_EXTENSION.search(target.rsplit("/", 1)[-1]))
