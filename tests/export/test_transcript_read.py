"""A session read for others: everything that was said, compacted or not, with marks where something happened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from codeagent_tui.conversation.messages import MessageKind, ToolCall, assistant, tool_result, user
from codeagent_tui.export.masking import masked
from codeagent_tui.export.transcript import Mark, MarkKind, SessionTranscript, read_transcript
from codeagent_tui.sessions.log import SessionLog
from tests.support.logged_sessions import FIRST_TURN, KEY, SECOND_TURN, append, logged_session


def read(log: SessionLog) -> SessionTranscript:
    return read_transcript(log.path, log.session_id, waiting=log.waiting)


def marks(transcript: SessionTranscript) -> list[tuple[int, Mark]]:
    return [(at, entry) for at, entry in enumerate(transcript.entries) if isinstance(entry, Mark)]


def test_s06_what_a_compaction_replaced_is_there_and_its_place_is_marked(tmp_path: Path) -> None:
    transcript = read(logged_session(tmp_path / "home", tmp_path))
    assert transcript.messages == (*FIRST_TURN, *SECOND_TURN)
    [(at, mark)] = marks(transcript)
    assert (at, mark.kind, mark.detail) == (len(FIRST_TURN), MarkKind.COMPACTION, "We fixed the tokenizer.")
    assert "41,000 tokens became 8,000" in mark.text


def test_what_is_known_of_the_session_is_said(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path)
    transcript = read(log)
    assert (transcript.title, transcript.session_id, transcript.cwd) == ("Tokenizer", log.session_id, str(tmp_path))
    assert (transcript.turns, transcript.tokens, transcript.notices) == (2, 41_900, ())
    assert 0 < transcript.began <= transcript.ended


def test_without_a_title_it_is_called_by_its_first_words(tmp_path: Path) -> None:
    assert read(logged_session(tmp_path / "home", tmp_path, title="")).title == "Fix the tokenizer."


def test_a_large_result_is_whole_where_the_model_has_only_a_stub(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path, close=False)
    whole = tool_result("c9", "x" * 5_000)
    append(log, user("read it"), assistant("", ToolCall("c9", "read_file", "{}")), whole)
    log.append_stubs([replace(whole, content="[stub]")])
    log.append_compaction(0, (), {"id": "k2", "way": "stubs"})
    said = {message.id: message.content for message in read(log).messages}
    assert said[whole.id] == "x" * 5_000
    assert [mark.text for _, mark in marks(read(log))][1].startswith("Large tool results")
    log.close()


def test_a_rewind_leaves_a_mark_where_the_conversation_went_on_and_its_undoing_takes_it_away(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path, close=False)
    log.append_rewind("r1", "conversation", before=SECOND_TURN[0].id, turns=1)
    again = user("Something else")
    append(log, again, assistant("Yes."))
    transcript = read(log)
    assert [message.content for message in transcript.messages][-2:] == ["Something else", "Yes."]
    assert SECOND_TURN[0] not in transcript.messages
    kinds = [mark.kind for _, mark in marks(transcript)]
    assert kinds == [MarkKind.COMPACTION, MarkKind.REWIND]
    assert transcript.entries.index(again) == marks(transcript)[1][0] + 1
    log.append_rewind("r2", "conversation", undo="r1")
    assert [mark.kind for _, mark in marks(read(log))] == [MarkKind.COMPACTION]
    log.close()


def test_a_compaction_that_was_taken_back_is_told_too(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path, close=False)
    log.append_restore("k1")
    assert [mark.kind for _, mark in marks(read(log))] == [MarkKind.COMPACTION, MarkKind.RESTORED]
    assert read(log).messages == (*FIRST_TURN, *SECOND_TURN)
    log.close()


def test_s01_damaged_lines_are_told_and_the_rest_is_there(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path)
    with log.path.open("ab") as file:
        file.write(b'{"type":"message","mess\x00\xff')
    transcript = read(log)
    assert "skipped" in transcript.notices[0] and len(transcript.messages) == len(FIRST_TURN) + len(SECOND_TURN)


def test_secrets_are_masked_everywhere_and_counted(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path)
    done, count = masked(read(log))
    assert count == 2 and KEY not in repr(done)
    [call] = done.messages[len(FIRST_TURN) + 1].tool_calls
    assert call.arguments == '{"path": "conf.py", "content": "key = \\"[masked: an API key]\\"\\n"}'


def test_a_password_in_arguments_by_its_name_is_masked_in_the_summary_too(tmp_path: Path) -> None:
    log = logged_session(tmp_path / "home", tmp_path, close=False)
    append(log, user("the password is hunter2xyz"))
    summary = replace(user("They use hunter2xyz."), kind=MessageKind.SUMMARY)
    log.append_compaction(3, [summary], {"id": "k3"})
    done, _ = masked(read(log))
    assert "hunter2xyz" not in repr(done)
    log.close()
