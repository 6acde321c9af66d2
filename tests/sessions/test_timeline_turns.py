"""How many turns are left after a rewind, also right after a log was begun or taken up again."""

from __future__ import annotations

from pathlib import Path

from codeagent_tui.conversation.messages import assistant, user
from codeagent_tui.sessions.rewind import plan_rewind
from codeagent_tui.sessions.store import SessionStore


def test_the_first_words_after_a_header_are_not_among_those_before_them(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "home", tmp_path)
    log = store.create()
    for text in ("one", "two"):
        log.append_message(user(text))
        log.append_message(assistant("yes"))
    log.close()
    log = store.load(store.find("")).log
    log.append_message(user("three"))
    assert [plan_rewind(log, tmp_path, index).turns_left for index in range(3)] == [0, 1, 2]
    log.close()
