"""One writer a session: a second window goes on in a copy, and a dead one keeps nobody out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import user
from codeagent_tui.sessions.file_lock import process_lives
from codeagent_tui.sessions.store import SessionError, SessionStore
from tests.support.program import PROJECT

WINDOW = """
import sys
from pathlib import Path
from codeagent_tui.conversation.messages import user
from codeagent_tui.sessions.store import SessionStore
store = SessionStore(Path(sys.argv[1]), Path(sys.argv[2]))
loaded = store.load(store.find(sys.argv[3]))
print("forked" if loaded.forked else "writes", flush=True)
for number in range(50):
    loaded.log.append_message(user(f"{sys.argv[4]} {number} " + "x" * 10_000))
print("done", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    (tmp_path / "proj").mkdir()
    return SessionStore(tmp_path / "history", tmp_path / "proj")


def window(store: SessionStore, session_id: str, name: str) -> subprocess.Popen[str]:
    """Start another process that resumes the session and adds fifty records."""
    return subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(store.folder.parent), str(store.cwd), session_id, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )


def told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_s_09_two_windows_on_one_session_each_write_their_own_file(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("begun"))
    log.close()
    windows = [window(store, log.session_id, name) for name in "AB"]
    states = [told(process) for process in windows]
    assert sorted(states) == ["forked", "writes"]
    assert [told(process) for process in windows] == ["done", "done"]
    for process in windows:
        process.communicate()
    first, second = (store.conversation(s) for s in sorted(store.summaries(), key=lambda s: bool(s.parent)))
    writer, copier = ("A", "B") if states[0] == "writes" else ("B", "A")
    names = [[message.content.split()[0] for message in messages] for messages in (first, second)]
    assert names[0] == ["begun", *[writer] * 50]
    # The copy holds what the first window had said by then, and goes on on its own.
    assert names[1] == ["begun", *[writer] * (len(names[1]) - 51), *[copier] * 50]
    for messages in (first, second):
        assert [int(m.content.split()[1]) for m in messages[-50:]] == list(range(50))


def test_s_09_the_copy_says_who_has_the_session_and_is_linked_to_it(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("begun"))
    loaded = store.load(store.find(log.session_id))
    assert loaded.forked and f"process {os.getpid()}" in loaded.notices[0]
    assert loaded.log.session_id != log.session_id
    loaded.log.append_message(user("in the copy"))
    log.append_message(user("in the first"))
    for each in (log, loaded.log):
        each.close()
    assert [m.content for m in store.conversation(store.find(log.session_id))] == ["begun", "in the first"]
    copy = store.find(loaded.log.session_id)
    assert copy.parent == log.session_id
    assert [m.content for m in store.conversation(copy)] == ["begun", "in the copy"]


def test_s_09_the_lock_of_a_killed_window_is_taken_over(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("begun"))
    log.close()
    process = window(store, log.session_id, "A")
    assert told(process) == "writes" and told(process) == "done"
    assert store.unfinished() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    unfinished = store.unfinished()
    assert unfinished is not None and unfinished.session_id == log.session_id
    loaded = store.load(unfinished)
    assert not loaded.forked and len(loaded.messages) == 51 and loaded.notices == ()
    loaded.log.close()
    assert store.unfinished() is None


def test_an_open_session_is_neither_deleted_nor_renamed(store: SessionStore) -> None:
    log = store.create()
    log.append_message(user("begun"))
    with pytest.raises(SessionError, match="open"):
        store.delete(store.find(""))
    with pytest.raises(SessionError, match="open in a window"):
        store.rename(store.find(log.session_id), "other")
    log.close()
    assert len(store.summaries()) == 1
    store.rename(store.find(""), "other")
    assert store.find("").title == "other"
    store.delete(store.find(""))
    assert store.summaries() == [] and list(store.folder.iterdir()) == []


def test_whether_a_process_lives() -> None:
    assert process_lives(os.getpid()) and process_lives(1)
    assert not process_lives(0) and not process_lives(2**22 + 1)
