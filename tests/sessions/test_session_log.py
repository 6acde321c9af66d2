"""Sessions on disk: what is appended comes back, also after damage."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import ToolCall, Usage, assistant, tool_result, user
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.reading import read_log
from codeagent_tui.sessions.records import decode
from codeagent_tui.sessions.store import SessionError, SessionStore


def failed(log: SessionLog) -> bool:
    """Whether the log says that something is not on disk."""
    return log.failure is not None


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    (tmp_path / "proj").mkdir()
    return SessionStore(tmp_path / "home" / "history", tmp_path / "proj")


def test_what_was_appended_comes_back_equal(store: SessionStore) -> None:
    log = store.create()
    said = [
        user("修复 bug [/] \x00"),
        assistant("", ToolCall("a", "read_file", '{"path": "x"}'), reasoning="let me look"),
        tool_result("a", "text", failed=True),
        assistant("done"),
    ]
    for message in said:
        log.append_message(message)
    log.close()
    summary = store.find("")
    assert summary.title == "修复 bug [/]"
    assert store.load(summary).messages == tuple(said)


def test_s_08_files_are_private(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("hi"))
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700


def test_nothing_is_on_disk_before_something_was_said(store: SessionStore) -> None:
    store.create().close()
    assert store.summaries() == []


@pytest.mark.parametrize(
    "tail", [b'{"role":"assistant","content":"par', '{"content":"记'.encode()[:-1], b"\xff\xfe\x00"]
)
def test_s_01_a_torn_last_line_is_named_and_the_next_record_survives_it(store: SessionStore, tail: bytes) -> None:
    log = store.create()
    log.append_message(user("first"))
    log.close()
    with log.path.open("ab") as file:
        file.write(tail)
    resumed = store.load(store.find(""))
    assert [m.content for m in resumed.messages] == ["first"]
    assert len(resumed.notices) == 1
    resumed.log.append_message(user("next"))
    resumed.log.close()
    assert [m.content for m in store.load(store.find("")).messages] == ["first", "next"]


def test_s_01_a_whole_record_that_only_lacks_its_newline_is_kept(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("first"))
    log.append_message(user("second"))
    log.close()
    log.path.write_bytes(log.path.read_bytes().rstrip(b"\n"))
    resumed = store.load(store.find(""))
    resumed.log.append_message(user("third"))
    resumed.log.close()
    again = store.load(store.find(""))
    assert [m.content for m in again.messages] == ["first", "second", "third"]
    assert again.notices == ()


def test_a_replaced_prefix_is_replayed(store: SessionStore) -> None:
    log = store.create()
    for text in ("one", "two", "three"):
        log.append_message(user(text))
    log.append_replacement(2, [user("summary"), assistant("ok")])
    log.append_message(user("four"))
    log.close()
    assert [m.content for m in store.load(store.find("")).messages] == ["summary", "ok", "three", "four"]


def test_s_08_a_failed_write_keeps_the_records_and_writes_them_later(store: SessionStore) -> None:
    store.folder.parent.mkdir(parents=True)
    store.folder.write_text("a file where the folder should be")
    log = store.create()
    log.append_message(user("kept"))
    assert failed(log)
    store.folder.unlink()
    log.append_message(user("after"))
    assert not failed(log)
    log.close()
    assert [m.content for m in store.load(store.find("")).messages] == ["kept", "after"]


def test_a_session_is_found_by_the_start_of_its_id(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("hi"))
    assert store.find(log.session_id[:6]).session_id == log.session_id
    with pytest.raises(SessionError, match="no-such"):
        store.find("no-such")


def test_s_03_a_lone_surrogate_does_not_stop_the_log(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("caf\ud83c.txt"))
    assert log.failure is None
    assert store.load(store.find("")).messages[0].content == "caf\ufffd.txt"


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return what makes the disk full for that many writes; the first of them still writes 37 bytes."""
    real, left = os.write, 0

    def write(fd: int, data: memoryview) -> int:
        nonlocal left
        if not left:
            return real(fd, data)
        left -= 1
        if left == first - 1:
            return real(fd, data[:37])
        raise OSError(errno.ENOSPC, "No space left on device")

    first = 0

    def fill(writes: int) -> None:
        nonlocal left, first
        left = first = writes

    monkeypatch.setattr(os, "write", write)
    return fill


def test_s_08_a_full_disk_is_said_at_once_and_heals_without_a_trace(
    store: SessionStore, full_disk: Callable[[int], None]
) -> None:
    log = store.create()
    for number in range(9):
        log.append_message(user(f"m{number}"))
    full_disk(4)
    for number in range(9, 12):
        log.append_message(user(f"m{number}"))
        assert failed(log)
    log.append_message(user("m12"))
    assert not failed(log)
    log.close()
    lines = log.path.read_bytes().splitlines()
    assert [decode(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    loaded = store.load(store.find(""))
    assert [m.content for m in loaded.messages] == [f"m{number}" for number in range(13)] and loaded.notices == ()


def test_s_08_what_waits_is_part_of_the_session_that_is_read_back_for_a_rewind(
    store: SessionStore, full_disk: Callable[[int], None]
) -> None:
    from codeagent_tui.sessions.reading import read_open_log

    log = store.create()
    log.append_message(user("on disk"))
    full_disk(100)
    log.append_message(user("in memory"))
    assert [m.content for m in read_open_log(log).replay.messages] == ["on disk", "in memory"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_s_08_a_read_only_session_is_read_and_says_so(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("hi"))
    log.close()
    log.path.chmod(0o400)
    loaded = store.load(store.find(""))
    assert [m.content for m in loaded.messages] == ["hi"] and failed(loaded.log)


def test_s_07_appending_writes_what_is_appended_and_no_more(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("x" * 20_000_000))
    before = log.path.stat().st_size
    for number in range(500):
        log.append_message(assistant(f"answer {number} " + "y" * 1_000))
    log.close()
    assert 500_000 < log.path.stat().st_size - before < 1_000_000


def test_records_are_numbered_in_the_order_of_the_calls_whatever_the_clock_says(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = store.create()
    log.append_message(user("one"))
    monkeypatch.setattr("codeagent_tui.sessions.log.time.time", lambda: 1_000.0)
    log.append_message(assistant("two"))
    log.close()
    records = [decode(line) for line in log.path.read_bytes().splitlines()]
    assert [record["seq"] for record in records] == [1, 2, 3, 4]
    assert [record["type"] for record in records] == ["session", "message", "message", "end"]
    read = read_log(log.path)
    assert [m.content for m in read.replay.messages] == ["one", "two"] and read.notices() == ()


def test_a_title_and_a_mode_given_before_anything_was_said_are_in_the_header(store: SessionStore) -> None:
    log = store.create()
    log.append_mode("plan")
    log.append_title("the parser")
    assert not log.path.exists()
    log.append_message(user("hi"))
    log.append_mode("ask")
    log.append_usage(Usage(prompt_tokens=100, completion_tokens=20, cached_tokens=90))
    log.append_usage(Usage(prompt_tokens=150, completion_tokens=30))
    log.close()
    read = read_log(log.path)
    assert (read.title, read.mode, read.cost) == ("the parser", "ask", Usage(250, 50, cached_tokens=90))
    [summary] = store.summaries()
    assert (summary.title, summary.turns, summary.tokens) == ("the parser", 1, 300)


def test_a_compaction_needs_an_id(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("hi"))
    with pytest.raises(ValueError, match="id"):
        log.append_compaction(1, [user("summary")], {"note": "no id"})


def test_records_of_a_later_version_are_passed_over_and_named(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("hi"))
    log.close()
    with log.path.open("ab") as file:
        file.write(b'{"v":99,"seq":9,"type":"hologram"}\n')
    assert "later version" in store.load(store.find("")).notices[0]
