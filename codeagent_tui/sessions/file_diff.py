"""The unified diff of what a rewind does to one file."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from itertools import islice

from codeagent_tui.sessions.contents import Contents
from codeagent_tui.sessions.file_record import FileKind, FileRecord

LARGEST_COMPARED = 400_000
"""Bytes of both sides together; difflib takes too long beyond."""
MOST_LINES = 400
MOST_DIFFERING = 1_500
"""Lines between the first and the last difference; difflib's time grows with their square."""


def change_diff(shown: str, now: FileRecord, then: FileRecord, contents: Contents) -> str:
    """Return the diff from `now` to `then`; a sentence where there is nothing to compare line by line."""
    old, new = _data(now, None), _data(then, contents)
    if old is None or new is None:
        return _in_words(shown, now, then)
    if old == new:
        return f"{shown}: mode {now.mode or 0:o} becomes {then.mode or 0:o}\n" if now.mode != then.mode else ""
    if b"\0" in old[:8_000] or b"\0" in new[:8_000]:
        return f"{shown}: binary, {len(old):,} bytes become {len(new):,}\n"
    if len(old) + len(new) > LARGEST_COMPARED:
        return f"{shown}: {len(old):,} bytes become {len(new):,}; too large for a diff\n"
    # Where all lines of both sides end so, the marks would only be in the way; else they are the point.
    hidden = all(data.count(b"\r\n") == data.count(b"\n") for data in (old, new))
    before, after = (_lines(data.replace(b"\r\n", b"\n") if hidden else data) for data in (old, new))
    if (most := _differing(before, after)) > MOST_DIFFERING:
        return f"{shown}: {most:,} lines differ; too many for a diff\n"
    names = (
        "/dev/null" if now.kind is FileKind.ABSENT else f"a/{shown}",
        "/dev/null" if then.kind is FileKind.ABSENT else f"b/{shown}",
    )
    lines = list(islice(difflib.unified_diff(before, after, *names), MOST_LINES + 1))
    text = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return text if len(lines) <= MOST_LINES else f"{text}[the rest of this diff is left out]\n"


def _lines(data: bytes) -> list[str]:
    parts = data.decode("utf-8", "replace").replace("\r", "␍").split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _differing(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many lines lie between what both begin with and what both end with."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    end = next((at for at in range(most - start) if before[-1 - at] != after[-1 - at]), most - start)
    return max(len(before), len(after)) - start - end


def _data(record: FileRecord, contents: Contents | None) -> bytes | None:
    if record.kind is FileKind.ABSENT:
        return b""
    if record.kind is not FileKind.FILE:
        return None
    if contents is not None:
        return contents.read(record.sha256)
    try:
        return record.path.read_bytes()
    except OSError:
        return None


def _in_words(shown: str, now: FileRecord, then: FileRecord) -> str:
    return f"{shown}: {_named(now)} becomes {_named(then)}\n"


def _named(record: FileRecord) -> str:
    match record.kind:
        case FileKind.ABSENT:
            return "nothing"
        case FileKind.LINK:
            return f"a link to {record.link}"
        case FileKind.FILE:
            return f"a file of {record.size:,} bytes"
        case FileKind.OTHER:
            return "something else"
