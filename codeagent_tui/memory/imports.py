"""Finds the `@path` imports in a project memory file: lines of their own that look like a path, outside code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_IMPORT_LINE = re.compile(r" {0,3}(?:[-*+] +)?@(?P<quote>[\"']?)(?P<path>[^\s\"'].*?)(?P=quote)\s*$")
_CALL = re.compile(r"[\w.]+\s*\(")
_EXTENSION = re.compile(r"\.[A-Za-z0-9_]{1,12}$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file; `target` is the path it imports, or ""."""

    text: str
    target: str = ""


def lines_with_imports(text: str) -> Iterator[Line]:
    """Yield the lines of `text`. E-mail addresses, decorators, package names, and anything in a fence are text."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            yield Line(line)
            continue
        if mark:
            fence = mark[1]
            yield Line(line)
            continue
        found = _IMPORT_LINE.match(line)
        yield Line(line, found["path"] if found and _is_path(found["path"], quoted=bool(found["quote"])) else "")


def _is_path(target: str, *, quoted: bool) -> bool:
    """Whether what stands after `@` is a path: it starts like one, or its last part has an extension and a folder
    or none (`docs/style.md`, `AGENTS.md`), and it is no call (`app.route("/x")`) and no package (`acme/cli@1.2.3`)."""
    if quoted or target.startswith(("./", "../", "~/", "/")):
        return True
    if _CALL.match(target) or "@" in target or "://" in target:
        return False
    name = target.rsplit("/", 1)[-1]
    return bool(_EXTENSION.search(name)) and (" " not in target or "/" in target)
