"""The sessions of a folder: found, listed by age, read back whatever happened to the file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import Message, assistant, user
from codeagent_tui.sessions.log import SessionLog
from codeagent_tui.sessions.store import SessionError, SessionStore


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    (tmp_path / "proj").mkdir()
    return SessionStore(tmp_path / "home" / "history", tmp_path / "proj")


def write(store: SessionStore, *said: str, age: float = 0) -> SessionLog:
    """Write a session whose file was last changed `age` seconds after the epoch."""
    log = store.create()
    for text in said:
        log.append_message(user(text))
    log.close()
    os.utime(log.path, (age, age))
    return log


def test_the_newest_comes_first_whatever_its_name_says(store: SessionStore) -> None:
    logs = [write(store, f"said {age}", age=age) for age in (300, 100, 200)]
    assert [s.title for s in store.summaries()] == ["said 300", "said 200", "said 100"]
    assert store.find("").session_id == logs[0].session_id


def test_each_folder_has_its_own_sessions_also_when_two_have_the_same_name(tmp_path: Path) -> None:
    stores = []
    for parent in ("a", "b"):
        (tmp_path / parent / "app").mkdir(parents=True)
        stores.append(SessionStore(tmp_path / "history", tmp_path / parent / "app"))
    write(stores[0], "in a")
    assert stores[1].summaries() == []
    with pytest.raises(SessionError, match="no sessions yet"):
        stores[1].find("")
    assert stores[0].folder != stores[1].folder


def test_a_link_to_a_folder_leads_to_the_same_sessions(tmp_path: Path, store: SessionStore) -> None:
    write(store, "hi")
    (tmp_path / "link").symlink_to(tmp_path / "proj")
    assert len(SessionStore(tmp_path / "home" / "history", tmp_path / "link").summaries()) == 1


def test_a_beginning_that_fits_several_is_refused(store: SessionStore) -> None:
    for number in range(2):
        log = SessionLog(store.folder / f"2026-{number}-abc{number}.jsonl", session_id=f"abc{number}", cwd=store.cwd)
        log.append_message(user("hi"))
        log.close()
    with pytest.raises(SessionError, match="give more of the id"):
        store.find("abc")
    assert store.find("abc1").session_id == "abc1"


def test_the_title_is_one_clean_line_and_can_be_given(store: SessionStore) -> None:
    write(store, "line one\n\x1b[31mline two " + "x" * 200)
    [summary] = store.summaries()
    assert summary.title.startswith("line one line two xxx") and len(summary.title) <= 80
    log = store.load(summary).log
    log.append_title("the parser")
    log.close()
    assert store.summaries()[0].title == "the parser"


def test_s_07_listing_reads_only_the_heads(store: SessionStore) -> None:
    log = write(store, "first words")
    with log.path.open("ab") as file:
        file.truncate(3_000_000_000)
    [summary] = store.summaries()
    assert summary.title == "first words" and summary.size == 3_000_000_000


def test_what_is_no_session_is_passed_over(store: SessionStore) -> None:
    write(store, "hi")
    (store.folder / "notes.txt").write_text("mine")
    (store.folder / "folder.jsonl").mkdir()
    assert [s.title for s in store.summaries()] == ["hi"]


def test_s_09_records_of_another_session_are_skipped_with_a_notice(store: SessionStore) -> None:
    mine, other = write(store, "mine"), write(store, "other")
    mine.path.write_bytes(mine.path.read_bytes() + other.path.read_bytes())
    loaded = store.load(store.find(mine.session_id))
    assert [m.content for m in loaded.messages] == ["mine"]
    assert "3 record(s)" in loaded.notices[0]
    loaded.log.append_message(user("mine again"))
    loaded.log.close()
    again = store.load(store.find(mine.session_id))
    assert [m.content for m in again.messages] == ["mine", "mine again"]


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n"])
def test_s_01_an_empty_file_is_a_session_without_words(store: SessionStore, data: bytes) -> None:
    log = write(store, "hi")
    log.path.write_bytes(data)
    loaded = store.load(store.find(""))
    assert loaded.messages == ()
    loaded.log.append_message(user("next"))
    loaded.log.close()
    assert [m.content for m in store.load(store.find("")).messages] == ["next"]


def test_s_01_damage_in_the_middle_costs_only_what_is_damaged(store: SessionStore) -> None:
    log = write(store, "one", "two", "three")
    lines = log.path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\x00\x00 not a record\n"
    log.path.write_bytes(b"".join(lines))
    loaded = store.load(store.find(""))
    assert [m.content for m in loaded.messages] == ["one", "three"] and len(loaded.notices) == 1
    assert log.path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize("count", [-1, 5])
def test_a_replacement_that_cannot_be_is_skipped(store: SessionStore, count: int) -> None:
    log = store.create()
    log.append_message(user("kept"))
    log.append_replacement(count, [user("instead")])
    log.close()
    loaded = store.load(store.find(""))
    assert [m.content for m in loaded.messages] == ["kept"] and loaded.notices


def test_a_file_that_cannot_be_read_is_named(store: SessionStore) -> None:
    write(store, "hi")
    summary = store.find("")
    summary.path.unlink()
    with pytest.raises(SessionError, match="cannot be read"):
        store.load(summary)


def test_s_07_a_long_session_comes_back_whole(store: SessionStore) -> None:
    said: list[Message] = []
    log = store.create()
    for number in range(1_500):
        said += [user(f"q{number}"), assistant("```py\ncode\n```" * 20)]
    for message in said:
        log.append_message(message)
    log.close()
    assert store.load(store.find("")).messages == tuple(said)
