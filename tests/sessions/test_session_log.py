"""Sessions on disk: what is appended comes back, also after damage."""

import stat
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import ToolCall, assistant, tool_result, user
from codeagent_tui.sessions.store import SessionError, SessionStore


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
    assert log.failure is not None
    store.folder.unlink()
    log.append_message(user("after"))
    assert log.failure is None
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
