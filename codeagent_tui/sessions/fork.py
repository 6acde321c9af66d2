"""A new session that begins as another one was at some moment; the other is only read."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from codeagent_tui.conversation.messages import new_id
from codeagent_tui.paths import ensure_private_dir, write_private
from codeagent_tui.sessions.lines import LARGEST_LINE
from codeagent_tui.sessions.log import files_folder
from codeagent_tui.sessions.records import VERSION, BadRecord, decode, encode


def fork_log(path: Path, session_id: str, folder: Path, cwd: Path, *, before: str = "") -> tuple[Path, str]:
    """Write a log in `folder` with the records of `path` before the user said the message `before` ("": all of them).

    Records are copied as they are, so what was compacted, rewound or checkpointed can be undone in the fork too.

    Returns:
        Where the new log is, and its session's id.

    Raises:
        KeyError: when no record says the message `before`.
        OSError: when one cannot be read or the other not be written.
    """
    lines, found = _lines_before(path.read_bytes(), session_id, before)
    if before and not found:
        raise KeyError(before)
    forked = new_id()
    target = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{forked}.jsonl"
    head = {"v": VERSION, "seq": 0, "at": round(time.time(), 3), "type": "session", "id": forked, "cwd": str(cwd)}
    share_files(files_folder(path), files_folder(target))
    write_private(target, encode(head | {"parent": session_id, "before": before, "pid": os.getpid()}) + b"".join(lines))
    return target, forked


def _lines_before(data: bytes, session_id: str, before: str) -> tuple[list[bytes], bool]:
    kept: list[bytes] = []
    wanted = f'"id":"{before}"'.encode()
    foreign = False
    for line in data.split(b"\n"):
        if not line.strip() or len(line) > LARGEST_LINE:
            continue
        try:
            record = decode(line)
        except BadRecord:
            continue
        if record.get("type") in ("session", "open"):
            foreign = record.get("id") != session_id
        if foreign or record.get("type") in ("session", "open", "end"):
            continue
        if before and wanted in line and _says(record, before):
            return kept, True
        kept.append(line + b"\n")
    return kept, False


def _says(record: dict[str, object], message_id: str) -> bool:
    message = record.get("message")
    return record.get("type") == "message" and isinstance(message, dict) and message.get("id") == message_id


def share_files(source: Path, target: Path) -> None:
    """Let `target` hold the kept contents of `source` too; they never change, so one copy on disk may serve both.

    Raises:
        OSError: when one cannot be copied.
    """
    if not source.is_dir():
        return
    ensure_private_dir(target)
    for entry in os.scandir(source):
        if entry.name.startswith(".") or not entry.is_file(follow_symlinks=False):
            continue
        try:
            os.link(entry.path, target / entry.name)
        except OSError:
            # Not every file system has hard links.
            shutil.copy2(entry.path, target / entry.name)
