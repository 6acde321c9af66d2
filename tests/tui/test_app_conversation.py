"""A conversation through the screen: sending, queueing, interrupting, approving, shell lines, sessions."""

import asyncio
from pathlib import Path

from codeagent_tui.conversation.messages import Role
from codeagent_tui.llm.provider import AuthFailed, FinishPiece, TextPiece
from tests.support.models import ScriptedModel, calls, says


def said(model: ScriptedModel) -> list[str]:
    """Return what the user said in the last request."""
    return [message.content for message in model.requests[-1].messages if message.role is Role.USER]


async def test_a_message_is_sent_and_its_answer_shown(started) -> None:
    model = ScriptedModel(says("The parser reads tokens."))
    async with started(model) as screen:
        await screen.type("what does it do")
        await screen.pilot.press("enter")
        await screen.shows("what does it do", "The parser reads tokens.", "ready")
        assert said(model) == ["what does it do"]
        assert screen.app.composer.draft == ""


async def test_what_is_sent_before_the_session_is_open_waits_in_sight_and_is_sent_then(started) -> None:
    gate = asyncio.Event()
    model = ScriptedModel(says("Here I am."))
    async with started(model, gate=gate) as screen:
        await screen.send("first words")
        await screen.shows("waiting first words", "opening the session")
        gate.set()
        await screen.shows("Here I am.")
        assert said(model) == ["first words"]
        assert "waiting" not in screen.text


async def test_a_first_message_from_the_command_line_is_sent(started) -> None:
    model = ScriptedModel(says("Done."))
    async with started(model, message="fix it") as screen:
        await screen.shows("fix it", "Done.")


async def test_messages_sent_meanwhile_are_queued_in_sight_and_run_in_order(started) -> None:
    hold = asyncio.Event()
    model = ScriptedModel([TextPiece("one"), hold, *says("")], says("two"), says("three"))
    async with started(model) as screen:
        await screen.send("first")
        await screen.until(lambda: len(model.requests) == 1)
        await screen.send("second")
        await screen.send("third")
        await screen.shows("waiting second", "waiting third", "2 waiting")
        hold.set()
        await screen.idle()
        assert said(model) == ["first", "second", "third"]
        assert "waiting" not in screen.text


async def test_u09_escape_stops_the_turn_and_queued_messages_come_back_before_the_draft(started) -> None:
    model = ScriptedModel([TextPiece("half an ans"), asyncio.Event()])
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half an ans")
        await screen.send("second")
        await screen.type("a draft")
        await screen.pilot.press("escape")
        await screen.idle()
        assert screen.app.composer.draft == "second\n\na draft"
        await screen.shows("Interrupted", "half an ans")


async def test_u09_ctrl_c_stops_the_turn_and_keeps_the_draft(started) -> None:
    model = ScriptedModel([TextPiece("half"), asyncio.Event()])
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half")
        await screen.type("draft")
        await screen.pilot.press("ctrl+c")
        await screen.idle()
        assert screen.app.composer.draft == "draft"
        assert screen.app.is_running


async def test_u09_a_dialog_takes_escape_and_ctrl_c_in_it_still_stops_the_turn(started) -> None:
    model = ScriptedModel([TextPiece("half"), asyncio.Event()])
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half")
        await screen.pilot.press("f1")
        await screen.shows("Keys and commands")
        await screen.pilot.press("escape")
        await screen.until(lambda: not screen.app.screen.is_modal)
        assert screen.app.host.running, "escape was meant for the help"
        await screen.pilot.press("f1")
        await screen.shows("Keys and commands")
        await screen.pilot.press("ctrl+c")
        await screen.idle()


async def test_u09_alt_b_is_no_escape(started) -> None:
    model = ScriptedModel([TextPiece("half"), asyncio.Event()])
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half")
        await screen.pilot.press("alt+b")
        await screen.pilot.pause()
        assert screen.app.host.running
        await screen.pilot.press("escape")
        await screen.idle()


async def test_u09_ctrl_c_puts_a_draft_aside_and_two_on_an_empty_line_quit(started) -> None:
    async with started() as screen:
        await screen.type("draft")
        await screen.pilot.press("ctrl+c")
        assert screen.app.composer.draft == ""
        await screen.pilot.press("up")
        await screen.until(lambda: screen.app.composer.draft == "draft", "the draft by `up`")
        await screen.pilot.press("ctrl+c", "ctrl+c")
        await screen.shows("press ctrl+c again to quit")
        assert screen.app.is_running
        await screen.pilot.press("ctrl+c")
        await screen.until(lambda: not screen.app.is_running, "the end")
        assert screen.app.return_code == 0


async def test_typing_takes_the_readiness_to_quit_back(started) -> None:
    async with started() as screen:
        await screen.pilot.press("ctrl+c")
        await screen.shows("press ctrl+c again to quit")
        await screen.type("x")
        await screen.pilot.press("ctrl+c")
        await screen.pilot.press("ctrl+c")
        await screen.pilot.pause()
        assert screen.app.is_running


async def test_u09_ctrl_d_quits_only_on_an_empty_line(started) -> None:
    async with started() as screen:
        await screen.type("draft")
        await screen.pilot.press("ctrl+d")
        await screen.pilot.pause()
        assert screen.app.is_running
        screen.app.composer.clear()
        await screen.pilot.press("ctrl+d")
        await screen.until(lambda: not screen.app.is_running, "the end")


async def test_a_draft_is_there_again_at_the_next_start(started) -> None:
    async with started() as screen:
        await screen.type("half a thought")
        await screen.pilot.press("ctrl+q")
        await screen.until(lambda: not screen.app.is_running, "the end")
    async with started() as screen:
        assert screen.app.composer.draft == "half a thought"
    async with started() as screen:
        assert screen.app.composer.draft == ""


async def test_an_edit_is_asked_for_shown_as_a_diff_and_made_after_a_yes(started, tmp_path: Path) -> None:
    edit = calls(("edit_file", {"path": "a.py", "old_text": "one", "new_text": "two"}))
    edit_names = ScriptedModel(calls(("read_file", {"path": "a.py"})), edit, says("Edited."))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.py").write_text("one\n")
    async with started(edit_names) as screen:
        await screen.send("edit it")
        await screen.shows("Change this file?", "-one", "+two")
        assert (tmp_path / "work" / "a.py").read_text() == "one\n"
        screen.app.screen._guard._deaf_until = 0.0
        await screen.pilot.press("y")
        await screen.shows("Edited.")
        assert (tmp_path / "work" / "a.py").read_text() == "two\n"


async def test_a_refusal_reaches_the_model_with_its_reason(started) -> None:
    model = ScriptedModel(calls(("run_command", {"command": "touch x"})), says("As you wish."))
    async with started(model) as screen:
        await screen.send("go")
        await screen.shows("Run this command?", "$ touch x")
        screen.app.screen._guard._deaf_until = 0.0
        await screen.pilot.press("n", *"later", "enter")
        await screen.shows("As you wish.")
        assert any("later" in message.content for message in model.requests[-1].messages)


async def test_an_interrupt_takes_the_approval_dialog_away(started) -> None:
    model = ScriptedModel(calls(("run_command", {"command": "touch x"})))
    async with started(model) as screen:
        await screen.send("go")
        await screen.shows("Run this command?")
        await screen.pilot.press("ctrl+c")
        await screen.idle()
        assert not screen.app.screen.is_modal
        assert not screen.app.host.session.agent.history.check_pairs()


async def test_a_failed_turn_says_why_and_can_be_tried_again(started) -> None:
    model = ScriptedModel([AuthFailed("The key is wrong. /model sets another.")], says("Now it works."))
    async with started(model) as screen:
        await screen.send("hello")
        await screen.shows("The key is wrong.", "/retry")
        await screen.send("/retry")
        await screen.shows("Now it works.")
        assert said(model) == ["hello"]


async def test_a_shell_line_runs_at_once_and_is_told_to_the_model(started) -> None:
    model = ScriptedModel(says("I see."))
    async with started(model) as screen:
        await screen.send("!echo from-the-shell")
        await screen.shows("from-the-shell")
        await screen.idle()
        await screen.send("what did I run?")
        await screen.shows("I see.")
        assert any("$ echo from-the-shell" in text for text in said(model))


async def test_escape_stops_a_shell_line(started) -> None:
    async with started() as screen:
        await screen.send("!sleep 60")
        await screen.until(lambda: screen.app.host.running)
        await screen.pilot.press("escape")
        await screen.idle()


async def test_a_new_session_leaves_the_old_one_to_resume(started) -> None:
    model = ScriptedModel(says("First answer."), says("Second answer."))
    async with started(model) as screen:
        await screen.send("about apples")
        await screen.shows("First answer.")
        await screen.send("/clear")
        await screen.until(lambda: "First answer." not in screen.text)
        await screen.send("about pears")
        await screen.shows("Second answer.")
        assert said(model) == ["about pears"]
        await screen.send("/resume")
        await screen.shows("Sessions of this folder", "about apples")
        await screen.type("apples")
        await screen.pilot.press("enter")
        await screen.shows("First answer.")
        assert "Second answer." not in screen.text


async def test_commands_that_cannot_run_during_a_turn_say_why(started) -> None:
    model = ScriptedModel([TextPiece("half"), asyncio.Event()])
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half")
        for command in ("/new", "/clear", "/resume", "/uncompact", "/retry"):
            await screen.send(command)
            await screen.shows(f"{command}")
            assert screen.app.host.running
        await screen.shows("Press esc to stop it")
        await screen.pilot.press("escape")
        await screen.idle()


async def test_a_compaction_is_asked_for_during_a_turn_and_taken_back_after_it(started) -> None:
    hold = asyncio.Event()
    words = "The user asked about the words; all of it was answered. Nothing was changed and nothing is open."
    model = ScriptedModel(says("one"), says("two"), [TextPiece("half"), hold, FinishPiece("stop")], says(words))
    async with started(model) as screen:
        for text in ("first " * 900, "second"):
            await screen.send(text)
            await screen.idle()
        await screen.send("third")
        await screen.shows("half")
        await screen.send("/compact")
        await screen.shows("Compacting beside the running turn")
        hold.set()
        await screen.idle()
        await screen.shows("history compacted")
        await screen.send("/uncompact")
        await screen.shows("compaction taken back")
        assert [m.content for m in screen.app.host.session.agent.history.messages if m.starts_turn][1:] == [
            "second",
            "third",
        ]


async def test_an_unknown_command_stays_in_the_composer_with_a_hint(started) -> None:
    async with started() as screen:
        await screen.send("/memry parser")
        await screen.shows("There is no command /memry", "/memory")
        assert screen.app.composer.draft == "/memry parser"


async def test_what_cannot_be_done_yet_is_said_and_its_words_come_back(started) -> None:
    gate = asyncio.Event()
    async with started(gate=gate) as screen:
        await screen.send("/save node 22 is needed")
        await screen.shows("still opening")
        assert screen.app.composer.draft == "/save node 22 is needed"
        gate.set()
        await screen.idle()


async def test_a_session_that_cannot_be_written_is_told_once_and_goes_on(started) -> None:
    async with started(ScriptedModel(says("One."), says("Two."))) as screen:
        log = screen.app.host.session.log
        path = log.path
        log.path = path.parent / ("x" * 300 + ".jsonl")
        await screen.send("first")
        await screen.shows("One.", "cannot be written to disk")
        await screen.send("second")
        await screen.shows("Two.")
        assert screen.text.count("cannot be written to disk") == 1
        log.path = path
        await screen.send("third")
        await screen.shows("written to disk again")
        assert path.read_text().count('"role":"user"') == 3
