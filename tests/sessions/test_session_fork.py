"""A fork: the records up to a moment in a log of their own, with what they need."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import Message, MessageKind, Role, assistant, user
from codeagent_tui.sessions.checkpoints import Checkpoints
from codeagent_tui.sessions.reading import restoration
from codeagent_tui.sessions.store import SessionError, SessionStore


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    (tmp_path / "proj").mkdir()
    return SessionStore(tmp_path / "history", tmp_path / "proj")


def test_it_begins_as_the_session_was_before_the_words(store: SessionStore) -> None:
    log = store.create()
    said = [user("one"), assistant("1"), user("two"), assistant("2"), user("three")]
    for message in said:
        log.append_message(message)
    summary = Message(Role.USER, "summary", kind=MessageKind.SUMMARY)
    log.append_compaction(2, [summary], {"id": "c"}, first_kept=said[2].id)
    log.append_message(user("four"))
    log.close()
    old = log.path.read_bytes()
    found = store.find("")
    assert [m.content for m in store.fork(found, before=said[4].id).messages] == ["one", "1", "two", "2"]
    whole = store.fork(store.find(log.session_id))
    assert [m.content for m in whole.messages] == ["summary", "two", "2", "three", "four"]
    undone = restoration(whole.log, "c")
    assert undone is not None and [m.content for m in undone.messages] == ["one", "1"]
    assert log.path.read_bytes() == old
    assert whole.log.turns == 4 and whole.log.path.stat().st_mode & 0o777 == 0o600


def test_kept_contents_come_along(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("one"))
    (store.cwd / "f").write_bytes(b"old")
    Checkpoints(log, store.cwd).before_write(store.cwd / "f", hashlib.sha256(b"new").hexdigest())
    log.close()
    made = store.fork(store.find(""))
    made.log.close()
    store.delete(store.find(log.session_id))
    assert [path.read_bytes() for path in made.log.files_folder.iterdir()] == [b"old"]
    assert store.disk_use(store.find("")) == made.log.path.stat().st_size + 3


def test_a_message_that_was_never_said_is_no_place_to_fork_from(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("one"))
    log.close()
    with pytest.raises(SessionError, match="nothing was forked"):
        store.fork(store.find(""), before="no-such-id")
    assert len(store.summaries()) == 1


def test_a_fork_of_a_fork_names_its_own_parent(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("one"))
    log.close()
    first = store.fork(store.find(""))
    first.log.append_message(user("two"))
    first.log.close()
    second = store.fork(store.find(first.log.session_id))
    second.log.close()
    assert store.find(second.log.session_id).parent == first.log.session_id
    assert [m.content for m in second.messages] == ["one", "two"] and second.notices == ()
    assert store.load(store.find(second.log.session_id)).notices == ()
