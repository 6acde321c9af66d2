"""Glob patterns on paths: part by part, so that no pattern takes long, whatever the names are."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable

from codeagent_tui.tools.tool import ToolError

_BRACES = re.compile(r"\{([^{}]*)\}")
_MOST_ALTERNATIVES = 200


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """Return a test for paths with `/`, relative to the folder looked in.

    `*`, `?` and `[a-z]` match within a part, `**` any number of parts, `{a,b}` either. Without a `/` before its end the
    pattern is one for names, wherever they are; a part that names a folder matches all beneath it.

    Raises:
        ToolError: when the braces make too many alternatives.
    """
    compiled = [_parts(alternative) for alternative in _alternatives(pattern.strip())]

    def matches(relative: str) -> bool:
        names = relative.split("/")
        return any(_match(parts, names) for parts in compiled)

    return matches


def _alternatives(pattern: str) -> list[str]:
    pending, done = [pattern], []
    while pending:
        one = pending.pop()
        # The innermost braces first; those without a comma stand for themselves.
        found = next((found for found in _BRACES.finditer(one) if "," in found[1]), None)
        if found is None:
            done.append(one)
        else:
            pending += [one[: found.start()] + choice + one[found.end() :] for choice in found[1].split(",")]
        if len(pending) + len(done) > _MOST_ALTERNATIVES:
            raise ToolError(f"The braces of the pattern make more than {_MOST_ALTERNATIVES} alternatives.")
    return done


def _parts(pattern: str) -> list[re.Pattern[str] | None]:
    """Return the tests for the parts of a path; None stands for any number of parts."""
    anchored = "/" in pattern.rstrip("/")
    words = [word for word in pattern.split("/") if word not in ("", ".")]
    parts: list[re.Pattern[str] | None] = [] if anchored else [None]
    for word in words:
        if word != "**":
            # fnmatch's expressions do not backtrack from one star into an earlier one.
            parts.append(re.compile(fnmatch.translate(word)))
        elif not parts or parts[-1] is not None:
            parts.append(None)
    return parts


def _match(parts: list[re.Pattern[str] | None], names: list[str]) -> bool:
    """Whether the names, or a folder among them, fit the parts. `reached` holds how many parts may be used up."""
    reached = _skipping({0}, parts)
    for name in names:
        step = set()
        for at in reached:
            if at == len(parts):
                return True
            part = parts[at]
            if part is None:
                step.add(at)
            elif part.match(name):
                step.add(at + 1)
        reached = _skipping(step, parts)
    return len(parts) in reached


def _skipping(reached: set[int], parts: list[re.Pattern[str] | None]) -> set[int]:
    """Add where one gets to when a part for any number of parts takes none."""
    return reached | {at + 1 for at in reached if at < len(parts) and parts[at] is None}
