"""One line a session: from the head and the tail of its file, however large it is in between."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import Usage, assistant, tool_result, user
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.store import Place, SessionError, SessionStore, all_sessions
from codeagent_tui.sessions.summary import SessionSummary, summarise


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    (tmp_path / "proj").mkdir()
    return SessionStore(tmp_path / "history", tmp_path / "proj")


def summary_of(log: SessionLog) -> SessionSummary:
    found = summarise(log.path)
    assert found is not None
    return found


def test_it_tells_turns_tokens_and_the_first_and_last_words(store: SessionStore) -> None:
    log = store.create()
    for number in range(3):
        log.append_message(user(f"question {number}"))
        log.append_message(assistant(f"answer\n{number}"))
        log.append_usage(Usage(1_000 * (number + 1), 10))
    found = summary_of(log)
    assert (found.turns, found.tokens, found.first, found.last) == (3, 6_030, "question 0", "answer 2")
    assert (found.title, found.ended, found.parent) == ("question 0", False, "")
    log.close()
    assert summary_of(log).ended


def test_s_07_what_is_in_the_middle_is_not_read(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("the first"))
    for _ in range(40):
        log.append_message(tool_result("c", "r" * 100_000))
    log.append_title("given in the middle")
    for _ in range(40):
        log.append_message(tool_result("c", "r" * 100_000))
    log.append_message(user("the last but one"))
    log.append_message(assistant("the last"))
    log.close()
    found = summary_of(log)
    assert (found.first, found.last, found.turns, found.title) == ("the first", "the last", 2, "given in the middle")


@pytest.mark.parametrize("size", [3_000, 50_000, 500_000])
def test_words_too_long_to_be_read_whole_still_give_a_title(store: SessionStore, size: int) -> None:
    log = store.create()
    log.append_message(user('say "hi" to 世界\n' + "é" * size))
    found = summary_of(log)
    assert found.title.startswith('say "hi" to 世界 ééé') and found.session_id == log.session_id
    if size > 60_000:
        assert found.last == ""
    log.append_message(assistant("hi"))
    assert summary_of(log).last == "hi"


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xff\xfe\x00" * 9_000, b"{" * 9_000, b'{"v":2,"type":"session"}\n'])
def test_what_is_damaged_has_a_summary_too(store: SessionStore, data: bytes) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / "20260101-000000-abc.jsonl").write_bytes(data)
    [found] = store.summaries()
    assert (found.session_id, found.title, found.turns) == ("abc", "", 0)


def test_sessions_of_all_folders_are_found_and_told_apart(tmp_path: Path, store: SessionStore) -> None:
    (tmp_path / "other").mkdir()
    other = SessionStore(tmp_path / "history", tmp_path / "other")
    for number, each in enumerate((store, other)):
        log = each.create()
        log.append_message(user(f"in {each.cwd.name}"))
        log.close()
        os.utime(log.path, (number, number))
    found = all_sessions(tmp_path / "history")
    assert [summary.title for summary in found] == ["in other", "in proj"]
    assert [store.place_of(summary) for summary in found] == [Place.ELSEWHERE, Place.HERE]
    assert all_sessions(tmp_path / "nowhere") == []


def test_s_05_a_session_of_another_folder_is_named_with_its_folder(tmp_path: Path, store: SessionStore) -> None:
    (tmp_path / "gone").mkdir()
    elsewhere = SessionStore(tmp_path / "history", tmp_path / "gone")
    log = elsewhere.create()
    log.append_message(user("hi"))
    log.close()
    with pytest.raises(SessionError, match=r"belongs to .*/gone\. Start codeagent there"):
        store.find(log.session_id)
    for replace_by in ("nothing", "a file"):
        if replace_by == "nothing":
            (tmp_path / "gone").rmdir()
        else:
            (tmp_path / "gone").write_text("")
        summary = all_sessions(tmp_path / "history")[0]
        assert store.place_of(summary) is Place.GONE
        with pytest.raises(SessionError, match="cannot be entered"):
            store.find(log.session_id)


def test_s_05_a_copy_in_this_folder_leaves_the_recorded_one_as_it_was(tmp_path: Path, store: SessionStore) -> None:
    (tmp_path / "gone").mkdir()
    elsewhere = SessionStore(tmp_path / "history", tmp_path / "gone")
    log = elsewhere.create()
    log.append_message(user("hi"))
    log.close()
    (tmp_path / "gone").rmdir()
    before = log.path.read_bytes()
    copy = store.fork(all_sessions(tmp_path / "history")[0])
    assert [m.content for m in copy.messages] == ["hi"]
    copy.log.append_message(user("here"))
    copy.log.close()
    assert log.path.read_bytes() == before
    made = store.find(copy.log.session_id)
    assert made.cwd == str(store.cwd) and made.parent == log.session_id


def test_what_was_begun_by_an_older_version_counts_as_ended(store: SessionStore) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / "a-1.jsonl").write_bytes(
        b'{"v":1,"seq":1,"at":1,"type":"session","id":"1","cwd":"/"}\n'
        b'{"v":1,"seq":2,"at":1,"type":"message","message":{"role":"user","content":"hi","id":"m","created":1}}\n'
    )
    assert store.unfinished() is None
    assert [m.content for m in store.load(store.find("")).messages] == ["hi"]


def test_the_newest_session_is_offered_if_it_did_not_end(store: SessionStore) -> None:
    assert store.unfinished() is None
    for number in range(2):
        log = store.create()
        log.append_message(user(f"session {number}"))
        log.close()
        if number:
            # As a kill leaves it: without its last line.
            log.path.write_bytes(b"".join(log.path.read_bytes().splitlines(keepends=True)[:-1]))
        os.utime(log.path, (number, number))
    found = store.unfinished()
    assert found is not None and found.title == "session 1"
    os.utime(found.path, (-1, -1))
    assert store.unfinished() is None
