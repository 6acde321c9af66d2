"""The search back-end without ripgrep: prints what `rg --json` would.

A process of its own, because a regular expression that backtracks for ever cannot be interrupted within one.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from codeagent_tui.tools.glob_pattern import compile_glob
from codeagent_tui.tools.ignore_rules import walk

_LARGEST = 50_000_000
_SNIFFED = 1 << 16


def main(query: str) -> int:
    """Search and print; the exit status is 0 with hits, 1 without, 2 for a bad pattern (as ripgrep's)."""
    wanted = json.loads(query)
    source = re.escape(wanted["pattern"]) if wanted["literal"] else wanted["pattern"]
    try:
        pattern = re.compile(source, re.I if wanted["ignore_case"] else 0)
    except re.error as error:
        sys.stderr.write(f"{error}\n")
        return 2
    top, root = Path(wanted["path"]), Path(wanted["root"])
    matches = compile_glob(wanted["glob"]) if wanted["glob"] else None
    any_hit = False
    for path, relative in _files(top, root, include_ignored=wanted["include_ignored"]):
        if matches is None or matches(relative):
            any_hit |= _search_file(path, relative, pattern, wanted["context"])
    return 0 if any_hit else 1


def _files(top: Path, root: Path, *, include_ignored: bool) -> Iterator[tuple[str, str]]:
    """Yield (path, path as shown), in the order of the paths."""
    if top.is_file():
        yield str(top), str(top.relative_to(root)) if top.is_relative_to(root) else str(top)
        return
    prefix = "" if top == root else f"{top.relative_to(root)}/" if top.is_relative_to(root) else f"{top}/"
    entries = [entry for entry in walk(top, root=root, include_ignored=include_ignored) if not entry.is_dir]
    for entry in sorted(entries, key=lambda entry: entry.relative.split("/")):
        if not os.path.islink(entry.path):  # noqa: PTH114  a plain call: there may be 200,000 of them
            yield entry.path, prefix + entry.relative


def _search_file(path: str, shown: str, pattern: re.Pattern[str], context: int) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  as above
            head = file.read(_SNIFFED)
            if b"\0" in head or os.fstat(file.fileno()).st_size > _LARGEST:
                return False
            data = head + file.read()
    except OSError:
        return False
    if b"\0" in data:
        return False
    lines = data.decode("utf-8", "replace").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    hits = {number: hit for number, line in enumerate(lines) if (hit := pattern.search(line.removesuffix("\r")))}
    around = sorted({near for hit in hits for near in range(max(0, hit - context), min(len(lines), hit + context + 1))})
    for number in around:
        _print(shown, number + 1, lines[number], hits.get(number))
    return bool(hits)


def _print(shown: str, number: int, line: str, hit: re.Match[str] | None) -> None:
    spans = []
    if hit is not None:
        start = len(line[: hit.start()].encode())
        spans.append({"start": start, "end": start + len(hit[0].encode())})
    data = {"path": _name(shown), "lines": {"text": line}, "line_number": number, "submatches": spans}
    sys.stdout.write(json.dumps({"type": "match" if hit else "context", "data": data}) + "\n")


def _name(shown: str) -> dict[str, str]:
    try:
        return {"text": shown.encode().decode()}
    except UnicodeEncodeError:
        return {"bytes": base64.b64encode(os.fsencode(shown)).decode()}
