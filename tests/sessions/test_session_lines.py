"""Lines of a log: whatever is on one, the others are read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import user
from codeagent_tui.sessions.lines import read_records
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.reading import read_log
from codeagent_tui.sessions.records import encode

GOOD = encode({"v": 2, "seq": 1, "type": "title", "title": 'with {"v": inside'})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"\n \n\n", ""),
        (GOOD, "r"),
        (GOOD.rstrip(b"\n"), "r"),
        (GOOD + b"\xff\x00\xfe\n" + GOOD, "r.r"),
        (GOOD[:20] + GOOD + GOOD, ".rr"),
        (b'{"role":"user","content":"par' + GOOD, ".r"),
        (b"[1, 2]\n" + GOOD, ".r"),
        (b"[" * 100_000 + b"\n" + GOOD, ".r"),
        ("记".encode()[:-1] + b"\n" + GOOD, ".r"),
    ],
)
def test_s_01_each_record_is_found_and_each_damage_counted(data: bytes, expected: str) -> None:
    found = "".join("." if record is None else "r" for record in read_records(io.BytesIO(data)))
    assert found == expected


def test_s_01_a_line_of_fifty_megabytes_is_passed_over(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "s.jsonl", session_id="s", cwd=tmp_path)
    log.append_message(user("before"))
    log.close()
    with log.path.open("ab") as file:
        file.write(b'{"v":2,"type":"message","message":{"role":"user","content":"' + b"x" * 50_000_000 + b'"}}\n')
    log.append_message(user("after"))
    log.close()
    read = read_log(log.path, "s")
    assert [m.content for m in read.replay.messages] == ["before", "after"] and read.skipped == 1


def test_s_07_a_record_of_twelve_megabytes_is_read(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "s.jsonl", session_id="s", cwd=tmp_path)
    log.append_message(user("x" * 12_000_000))
    log.close()
    assert [len(m.content) for m in read_log(log.path, "s").replay.messages] == [12_000_000]
