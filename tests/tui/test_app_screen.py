"""The screen as a whole: sizes, themes, brackets, timers, the palette, the inspector."""

import asyncio

import pytest

from codeagent_tui.conversation.events import (
    ApprovalAsked,
    ApprovalRequest,
    Decision,
    Notice,
    NoticeLevel,
    TodoItem,
    ToolKind,
)
from codeagent_tui.llm.provider import TextPiece
from codeagent_tui.memory.entry import Scope
from codeagent_tui.settings import PermissionMode, Settings
from codeagent_tui.tools.tool import Access
from codeagent_tui.tui.inspector.row_list import RowList
from codeagent_tui.tui.themes import DARK, LIGHT
from tests.support.models import ScriptedModel, calls, says
from tests.tui.test_themes import contrast

MARKUP = ["[/]", "[/INST]", "x [b + y", "[/b][b]", '[a b="c]', "array["]
# Box drawing, blocks, geometric shapes and braille: what separates and marks, as against what is read.
MARKS = {chr(point) for low, high in ((0x2500, 0x25FF), (0x2800, 0x28FF)) for point in range(low, high)} | set("·›‹↓⎇")


async def test_u11_the_gauge_is_in_sight_at_every_size(started) -> None:
    async with started(ScriptedModel(says("done"))) as screen:
        await screen.send("hello 你好👨‍👩‍👧")
        await screen.idle()
        for size in ((80, 24), (120, 40), (200, 50), (40, 12), (20, 5), (10, 10), (10, 3)):
            await screen.pilot.resize_terminal(*size)
            await screen.pilot.pause()
            last = screen.text.split("\n")[-1]
            assert "calm" in last, size
            assert "%" in last or " / 200k" in last, size


async def test_u11_resizing_to_nothing_and_back_breaks_nothing(started) -> None:
    hold = asyncio.Event()
    model = ScriptedModel([*(TextPiece(f"| 列{n} | 表格 |\n") for n in range(30)), hold, *says("")])
    async with started(model) as screen:
        await screen.send("a table")
        await screen.until(lambda: bool(model.requests))
        for width, height in ((40, 10), (7, 4), (3, 2), (1, 1), (120, 30)):
            await screen.pilot.resize_terminal(width, height)
            await screen.pilot.pause()
        hold.set()
        await screen.idle()
        await screen.shows("calm", "trigger")


async def test_u01_brackets_break_nothing_anywhere(started) -> None:
    model = ScriptedModel(*(says(text) for text in MARKUP), name="model [/]")
    async with started(model) as screen:
        app = screen.app
        for text in MARKUP:
            await screen.send(text)
            await screen.idle()
            app.host.view.show(Notice(NoticeLevel.ERROR, text))
            app.todos.show([TodoItem(text, "in_progress")])
            app.waiting.show([text])
            app.status.identify(folder=text, branch=text)
            app.status.flash(text)
            await screen.pilot.pause()
            await app.host.session.agent.memory.save_fact(text, scope=Scope.GLOBAL, source="command")
        await screen.pilot.press("f2")
        await screen.until(lambda: app.query_one("#facts-table", RowList).row_count == len(MARKUP))
        for tab in "23451":
            await screen.pilot.press(tab)
            await screen.pilot.pause()
        assert app.is_running


@pytest.mark.parametrize("theme", [DARK, LIGHT])
async def test_u12_every_text_on_the_screen_is_readable(started, theme: str) -> None:
    async with started(ScriptedModel(says("An answer with `code`.")), settings=Settings(theme=theme)) as screen:
        await screen.send("hello")
        await screen.idle()
        screen.app.waiting.show(["waits"])
        screen.app.todos.show([TodoItem("do it", "in_progress")])
        screen.app.host.view.show(Notice(NoticeLevel.WARNING, "careful"))
        screen.app.host.view.show(Notice(NoticeLevel.ERROR, "broken"))
        await screen.pilot.pause()
        assert not pale_texts(screen)
        await screen.pilot.press("f2")
        await screen.pilot.pause()
        assert not pale_texts(screen)
        await screen.pilot.press("f1")
        await screen.shows("Keys and commands")
        assert not pale_texts(screen)


def pale_texts(screen) -> list[tuple[str, str, str, float]]:
    """Return each run of text on the screen whose contrast is below what it needs: 4.5, for marks 3."""
    pale = []
    for strip in screen.app.screen._compositor.render_strips():
        for segment in strip:
            letters = set(segment.text) - {" "}
            style = segment.style
            if not letters or style is None or style.color is None or style.bgcolor is None:
                continue
            colours = style.color.get_truecolor().hex, style.bgcolor.get_truecolor().hex
            needed = 3.0 if letters <= MARKS else 4.5
            ratio = contrast(*colours)
            if ratio < needed:
                pale.append((segment.text.strip(), *colours, round(ratio, 2)))
    return pale


async def test_u12_no_color_is_kept(started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with started() as screen:
        assert screen.app.no_color
        await screen.shows("calm", "ready", "ask")


async def test_u06_no_timer_is_left_when_nothing_runs(started) -> None:
    model = ScriptedModel([TextPiece("half"), asyncio.Event()], says("done"))
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half")
        assert screen.app.status._ticker is not None
        await screen.pilot.press("escape")
        await screen.idle()
        assert screen.app.status._ticker is None
        await screen.send("second")
        await screen.shows("done")
        await screen.idle()
        assert screen.app.status._ticker is None


async def test_u06_no_timer_runs_while_an_answer_is_waited_for(started) -> None:
    model = ScriptedModel(calls(("run_command", {"command": "touch x"})), says("done"))
    async with started(model) as screen:
        await screen.send("go")
        await screen.shows("Run this command?")
        assert screen.app.status._ticker is None
        await screen.pilot.press("escape")
        await screen.shows("done")


async def test_u07_an_approval_does_not_move_what_is_read(started) -> None:
    async with started(ScriptedModel(says("\n\n".join(f"paragraph {n}" for n in range(80))))) as screen:
        await screen.send("long")
        await screen.idle()
        await screen.pilot.press("pageup", "pageup")
        await screen.pilot.pause()
        before = screen.app.transcript.scroll_offset
        request = ApprovalRequest("c", "run_command", ToolKind.EXECUTE, "x", "x", "command")
        reply = asyncio.get_running_loop().create_future()
        screen.app.host.view.show(ApprovalAsked(request, reply))
        await screen.shows("Run this command?")
        await screen.pilot.press("escape")
        await screen.until(lambda: not screen.app.screen.is_modal)
        assert screen.app.transcript.scroll_offset == before
        await screen.pilot.press("end")
        await screen.until(lambda: screen.app.transcript.following, "following")


async def test_the_palette_offers_the_table_and_does_what_is_chosen(started) -> None:
    async with started() as screen:
        await screen.pilot.press("ctrl+p")
        await screen.shows("/resume [id]", "/new")
        await screen.type("keys and comm")
        await screen.shows("/help")
        await screen.pilot.press("enter")
        await screen.shows("Keys and commands", "esc close")


async def test_a_command_that_needs_words_is_put_into_the_composer(started) -> None:
    async with started() as screen:
        await screen.pilot.press("f3")
        await screen.until(lambda: screen.app.composer.draft == "/save ")


async def test_facts_are_saved_listed_deleted_and_brought_back(started) -> None:
    async with started(size=(120, 30)) as screen:
        await screen.send("/save the tests need node 22")
        await screen.until(lambda: bool(screen.app.host.session.agent.memory.facts()))
        await screen.send("/save --global I prefer tabs")
        await screen.until(lambda: len(screen.app.host.session.agent.memory.facts()) == 2)
        await screen.send("/memory node")
        await screen.shows("1 of 2 facts", "the tests need node 22")
        await screen.pilot.press("d")
        await screen.until(lambda: len(screen.app.host.session.agent.memory.facts()) == 1)
        await screen.pilot.press("u")
        await screen.until(lambda: len(screen.app.host.session.agent.memory.facts()) == 2)
        await screen.pilot.press("escape")
        assert screen.app.composer.has_focus_within or screen.app.composer.has_focus


@pytest.mark.parametrize("size", [(80, 24), (120, 30)])
async def test_the_inspector_shows_exactly_what_will_be_sent(started, size: tuple[int, int]) -> None:
    model = ScriptedModel(says("An answer."))
    async with started(model, size=size) as screen:
        await screen.send("a question")
        await screen.idle()
        await screen.pilot.press("f2", "4")
        await screen.shows("‹4 Prompt›", "system · identity")
        await screen.pilot.press("2")
        await screen.shows("held", "a question")
        await screen.pilot.press("f2")
        await screen.until(lambda: not screen.app.query("#inspector"))


async def test_modes_go_round_by_a_key_and_unattended_wants_a_second_yes(started) -> None:
    async with started() as screen:
        await screen.pilot.press("shift+tab")
        await screen.shows("accept edits")
        assert screen.app.host.session.agent.gate.mode is PermissionMode.ACCEPT_EDITS
        await screen.send("/mode unattended")
        await screen.shows("Run unattended?")
        await screen.pilot.press("enter")
        await screen.until(lambda: not screen.app.screen.is_modal)
        assert screen.app.host.session.agent.gate.mode is PermissionMode.ACCEPT_EDITS
        await screen.send("/mode plan")
        await screen.until(lambda: screen.app.host.session.agent.gate.mode is PermissionMode.PLAN)


async def test_permissions_are_shown_and_taken_back(started) -> None:
    async with started() as screen:
        await screen.send("/permissions")
        await screen.shows("Nothing is allowed beyond the mode")
        gate = screen.app.host.session.agent.gate
        file = screen.app.workspace / "a.txt"
        gate.remember("write_file", Access(ToolKind.WRITE, "Write a.txt", paths=(file,)), Decision.SESSION)
        await screen.send("/permissions")
        await screen.shows("Allowed without asking", "write_file of")
        await screen.pilot.press("enter")
        await screen.shows("Take this permission back?")
        await screen.pilot.press("y")
        await screen.shows("Taken back: write_file of")
        assert gate.rules() == []


async def test_a_theme_is_set_and_kept(started) -> None:
    async with started() as screen:
        await screen.send(f"/theme {LIGHT}")
        await screen.until(lambda: screen.app.theme == LIGHT)
        await screen.until(screen.app.paths.settings.exists)


async def test_tools_are_listed(started) -> None:
    async with started(size=(100, 50)) as screen:
        await screen.send("/tools")
        await screen.shows("run_command", "edit_file")


async def test_the_conversation_is_exported_once(started) -> None:
    async with started(ScriptedModel(says("An answer."))) as screen:
        await screen.send("a question")
        await screen.idle()
        await screen.send("/export talk.md")
        file = screen.app.workspace / "talk.md"
        await screen.until(file.exists)
        assert "An answer." in file.read_text()
        await screen.send("/export talk.md")
        await screen.shows("is there already")


async def test_u07_output_below_is_announced_until_the_reader_goes_there(started) -> None:
    long = "\n\n".join(f"paragraph {n}" for n in range(80))
    scrolled, hold = asyncio.Event(), asyncio.Event()
    second = [TextPiece("more"), scrolled, TextPiece("\n\nlast words"), hold, *says("")]
    async with started(ScriptedModel(says(long), second)) as screen:
        await screen.send("long")
        await screen.idle()
        await screen.send("again")
        await screen.shows("more")
        await screen.pilot.press("pageup", "pageup")
        await screen.pilot.pause()
        first_line = screen.text.split("\n")[0]
        scrolled.set()
        await screen.shows("↓ new output below")
        assert screen.text.split("\n")[0] == first_line
        await screen.pilot.press("end")
        await screen.shows("last words")
        await screen.until(lambda: "↓ new output below" not in screen.text)
        hold.set()
        await screen.idle()
