"""The chat pane on a virtual screen: keys, mouse, streaming, folding, sizes, themes."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from codeagent_tui.conversation.messages import assistant, user
from codeagent_tui.tui.themes import LIGHT
from codeagent_tui.tui.transcript import Transcript
from tests.support.transcripts import Pane, Screen, shown

NASTY = ["[/]", "[/INST]", "x [b + y", "[/b][b]", '[a b="c"]', "array["]


def long_talk(pane: Transcript, count: int = 60) -> None:
    for number in range(count):
        pane.add_user(f"question {number}")
        pane.append_answer(f"answer {number}\n\nmore of it")
        pane.end_answer()


# Content


async def test_an_empty_transcript_says_welcome() -> None:
    async with shown() as screen:
        screen.pane.set_welcome("CodeAgent\nask anything [/]")
        await screen.settle()
        assert "CodeAgent" in screen.text and "ask anything [/]" in screen.text
        screen.pane.add_user("hello")
        await screen.settle()
        assert "CodeAgent" not in screen.text
        screen.pane.clear()
        await screen.settle()
        assert "CodeAgent" in screen.text and "hello" not in screen.text


async def test_everything_can_be_said_before_there_is_a_screen() -> None:
    app = Pane()
    app.transcript.add_notice("info", "early")
    app.transcript.add_tool("1", "run_command", "$ early")
    app.transcript.follow()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = Screen(app, pilot)
        await screen.settle()
        assert "early" in screen.text and "◌ $ early" in screen.text


@pytest.mark.parametrize("text", NASTY)
async def test_u01_square_brackets_are_shown_as_they_are(text: str) -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.set_welcome(text)
        await screen.settle()
        assert text in screen.text
        pane.add_user(text)
        pane.append_reasoning(text)
        pane.append_answer(text)
        pane.end_answer()
        pane.add_tool("1", text, text)
        pane.tool_progress("1", text)
        await screen.settle()
        assert screen.text.count(text) >= 4
        pane.finish_tool("1", ok=False, summary=text, output=text + "\nmore", diff="")
        pane.add_notice("error", text)
        pane.add_rule(text)
        await screen.settle()
        assert screen.text.count(text) >= 7


async def test_nothing_acts_on_the_terminal() -> None:
    async with shown() as screen:
        pane = screen.pane
        for text in ("\x1b]52;c;c2VjcmV0\x07", "\x1b[2J", "a\x9b31m", "safe\u202etxt.exe", "\ud83c"):
            pane.add_user(text)
            pane.append_answer(text)
            pane.end_answer()
            pane.add_tool("1", text, text)
            pane.finish_tool("1", ok=True, summary=text, output=text, diff=text)
            pane.add_notice("info", text)
            pane.add_rule(text)
        await screen.settle()
        assert not any(char in screen.text for char in "\x1b\x07\x9b\u202e\ud83c")


async def test_a_retried_step_leaves_nothing_behind() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.add_user("question")
        pane.append_reasoning("hm")
        pane.begin_answer()
        pane.append_answer("half an ans")
        await screen.settle()
        assert "half an ans" in screen.text
        pane.discard_attempt()
        pane.append_answer("whole")
        pane.end_answer()
        pane.discard_attempt()
        await screen.settle()
        assert "half" not in screen.text and "thought" not in screen.text
        assert screen.text.split() == ["▌", "question", "whole"]
        assert pane.last_answer_text() == "whole"


async def test_an_interrupted_answer_says_so() -> None:
    async with shown() as screen:
        screen.pane.begin_answer()
        screen.pane.append_answer("half")
        screen.pane.end_answer(interrupted=True)
        await screen.settle()
        assert "half" in screen.text and "interrupted" in screen.text


async def test_thinking_in_the_middle_of_an_answer_stands_in_its_place() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.append_answer("before")
        pane.append_reasoning("hm")
        pane.append_answer("after")
        pane.end_answer()
        await screen.settle()
        assert screen.row_of("before") < screen.row_of("thought") < screen.row_of("after")


async def test_a_history_of_ten_thousand_is_looked_at_only_where_it_is_seen() -> None:
    messages = [message for number in range(5_000) for message in (user(f"q{number}"), assistant(f"a{number}"))]
    async with shown() as screen:
        pane = screen.pane
        pane.add_user("gone")
        pane.load(messages)
        await screen.settle()
        assert screen.rows[-1].split() == ["a4999"]
        assert sum(not pane.document.is_unseen(block) for block in pane.document) < 40
        await screen.pilot.press("tab")
        pane.focus()
        await screen.pilot.press("home")
        assert screen.rows[0].split() == ["▌", "q0"]
        assert pane.last_answer_text() == "a4999"


# Streaming


async def test_u05_the_end_of_a_stream_is_the_whole_text() -> None:
    text = (
        "".join(f"## Part {n}\n\nSome **words** here\n\n- a\n- b\n\n```\ncode {n}\n```\n\n" for n in range(30)) + "END"
    )
    async with shown() as screen:
        for at in range(0, len(text), 7):
            screen.pane.append_answer(text[at : at + 7])
            if at % 70 == 0:
                await asyncio.sleep(0)
        screen.pane.end_answer()
        await screen.settle()
        streamed = screen.rows
        screen.pane.load([assistant(text)])
        await screen.settle()
        assert screen.rows == streamed
        assert streamed[-1].strip() == "END"


async def test_appends_are_drawn_together() -> None:
    async with shown() as screen:
        drawn = 0
        real = screen.pane.document.sync

        def counted(block: object) -> None:
            nonlocal drawn
            drawn += 1
            real(block)  # type: ignore[arg-type]

        screen.pane.begin_answer()
        await screen.settle()
        screen.pane.document.sync = counted  # type: ignore[method-assign]
        for _ in range(500):
            screen.pane.append_answer("word ")
        await screen.settle()
        assert 1 <= drawn <= 3


async def test_only_rows_that_changed_are_drawn_again() -> None:
    async with shown() as screen:
        screen.pane.append_answer("first\n\nsecond\n\nthird")
        await screen.settle()
        before = list(screen.pane.render_lines(screen.pane.size.region))
        screen.pane.append_answer(" more")
        await screen.settle()
        after = screen.pane.render_lines(screen.pane.size.region)
        assert [y for y, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new] == [4]


# Rest


async def test_u06_no_timer_runs_at_rest() -> None:
    async with shown() as screen:
        pane = screen.pane
        await screen.until(lambda: not pane.workers)
        long_talk(pane)
        pane.add_tool("1", "run_command", "$ make")
        pane.add_tool("2", "run_command", "$ make")
        assert len(pane._timers) == 2  # one for the frame, one for the clock
        pane.finish_tool("1", ok=True, summary="", output="", diff="")
        await screen.settle()
        assert len(pane._timers) == 1
        pane.finish_tool("2", ok=False, summary="cancelled", output="", diff="")
        await screen.settle()
        assert not pane._timers
        pane.add_tool("3", "run_command", "$ make")
        pane.clear()
        await screen.settle()
        assert not pane._timers


async def test_a_tool_that_was_never_announced_is_ignored() -> None:
    async with shown() as screen:
        screen.pane.finish_tool("x", ok=True, summary="", output="", diff="")
        screen.pane.tool_progress("x", "y")
        await screen.settle()


# Scrolling


async def test_u07_the_view_stays_where_it_is_read() -> None:
    async with shown() as screen:
        pane = screen.pane
        long_talk(pane)
        tool = pane.add_tool("1", "run_command", "$ make")
        pane.focus()
        await screen.settle()
        assert pane.following
        await screen.pilot.press("pageup", "pageup")
        first = screen.rows
        assert not pane.following
        for number in range(50):
            pane.append_answer(f"new {number}\n\n")
            pane.tool_progress("1", f"{number}\n" * 3)
            if number % 10 == 0:
                await screen.settle()
        pane.finish_tool("1", ok=True, summary="", output="x\n" * 50, diff="")
        pane.toggle_fold(tool)
        await screen.settle()
        assert screen.rows == first
        await screen.pilot.resize_terminal(60, 12)
        await screen.settle()
        assert screen.rows == first[:12]
        await screen.pilot.resize_terminal(60, 20)
        await screen.settle()
        assert screen.rows == first
        assert screen.app.told == [(False, False), (False, True)]
        await screen.pilot.press("end")
        assert pane.following and "new 49" in screen.text
        pane.append_answer("newest")
        await screen.settle()
        assert "newest" in screen.text
        assert screen.app.told[-1] == (True, False)


async def test_u07_the_wheel_stops_following_and_its_end_resumes_it() -> None:
    async with shown() as screen:
        pane = screen.pane
        long_talk(pane)
        await screen.settle()
        end = screen.rows
        await screen.pilot._post_mouse_events([_wheel_up()], pane, offset=(5, 5))
        await screen.pilot.pause()
        assert not pane.following
        assert screen.rows[3:] != end[3:]
        pane.append_answer("new")
        before = screen.rows
        await screen.settle()
        assert screen.rows == before
        for _ in range(5):
            await screen.pilot._post_mouse_events([_wheel_down()], pane, offset=(5, 5))
        await screen.settle()
        assert pane.following and screen.rows[-1].strip() == "new"


def _wheel_up() -> type:
    from textual.events import MouseScrollUp

    return MouseScrollUp


def _wheel_down() -> type:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_keys_scroll_while_another_widget_has_the_focus() -> None:
    async with shown() as screen:
        long_talk(screen.pane)
        await screen.settle()
        end = screen.rows
        screen.pane.scroll_by_key("up")
        await screen.settle()
        assert screen.rows[1:] == end[:-1]
        screen.pane.scroll_by_key("down")
        await screen.settle()
        assert screen.rows == end and screen.pane.following
        screen.pane.scroll_by_key("home")
        await screen.settle()
        assert "question 0" in screen.rows[0]
        screen.pane.follow()
        await screen.settle()
        assert screen.rows == end


async def test_the_scrollbar_says_where_we_are() -> None:
    async with shown() as screen:
        long_talk(screen.pane)
        await screen.settle()
        bar = screen.pane.vertical_scrollbar
        assert bar.window_size == 20
        assert bar.position + bar.window_size == bar.window_virtual_size
        screen.pane.scroll_by_key("home")
        assert bar.position == 0


# Sizes


async def test_u11_every_size_both_ways_while_a_table_streams() -> None:
    pieces = ["| 名称 | 说明 |\n", "|---|---|\n", *(f"| 记忆{n} | 会话历史保持成对 **{n}** |\n" for n in range(30))]
    async with shown(80) as screen:
        pane = screen.pane
        pane.set_welcome("欢迎 welcome")
        pane.add_user("你好👨\u200d👩\u200d👧é⚠️①")
        pane.add_tool("1", "run_command", "$ make 你好")
        for piece, width in zip(pieces, [80, 40, 7, 3, 1, 120, 1, 2, 80] * 2, strict=False):
            pane.append_answer(piece)
            await screen.pilot.resize_terminal(width, 20 if width > 3 else 3)
            await screen.settle()
        pane.end_answer()
        await screen.pilot.resize_terminal(120, 40)
        await screen.settle()
        rows = screen.rows
        pane.clear()
        pane.add_user("你好👨\u200d👩\u200d👧é⚠️①")
        pane.add_tool("1", "run_command", "$ make 你好")
        pane.append_answer("".join(pieces[:18]))
        pane.end_answer()
        await screen.settle()
        assert rows[-20:] == screen.rows[-20:]


# Folding


async def test_enter_and_clicks_fold() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.add_tool("1", "run_command", "$ make")
        pane.finish_tool("1", ok=True, summary="exit 0", output="\n".join(f"line {n}" for n in range(14)), diff="")
        await screen.settle()
        assert "… 9 lines more" in screen.text and "line 7" not in screen.text
        pane.focus()
        await screen.pilot.press("enter")
        await screen.settle()
        assert "line 7" in screen.text and "lines more" not in screen.text
        await screen.pilot.press("enter")
        await screen.settle()
        assert "line 7" not in screen.text
        await screen.pilot.click(offset=(6, screen.row_of("lines more")))
        await screen.settle()
        assert "line 7" in screen.text
        await screen.pilot.click(offset=(6, screen.row_of("line 7")))
        await screen.settle()
        assert "line 7" in screen.text  # what is open is not closed by a click into its text
        await screen.pilot.click(offset=(2, screen.row_of("$ make")))
        await screen.settle()
        assert "line 7" not in screen.text


async def test_everything_folds_at_once() -> None:
    async with shown(height=60) as screen:
        pane = screen.pane
        for number in range(3):
            pane.add_tool(str(number), "read_file", f"read_file {number}")
            pane.finish_tool(str(number), ok=True, summary="", output=f"secret {number}", diff="")
        pane.append_reasoning("deep thought")
        pane.append_answer("x")
        await screen.settle()
        assert "secret" not in screen.text
        pane.fold_all(False)
        await screen.settle()
        assert screen.text.count("secret") == 3 and "deep thought" in screen.text
        pane.fold_all(True)
        await screen.settle()
        assert "secret" not in screen.text and "deep" not in screen.text


async def test_a_picked_block_is_marked_folded_and_copied() -> None:
    async with shown() as screen:
        pane = screen.pane
        pane.add_user("one")
        pane.append_answer("**two**")
        pane.end_answer()
        await screen.settle()
        pane.focus()
        await screen.pilot.press("shift+down")
        assert pane.picked is not None and pane.picked.kind == "user"
        await screen.pilot.press("shift+down", "y")
        assert screen.app.copied == ["**two**"]
        await screen.pilot.press("shift+up", "c")
        assert screen.app.copied[-1] == "one"


# Colours


async def test_u12_both_themes_and_states_told_by_signs() -> None:
    async with shown() as screen:
        pane = screen.pane
        for number, (ok, summary) in enumerate([(True, "exit 0"), (False, "exit 1"), (False, "refused")]):
            pane.add_tool(str(number), "run_command", "$ x")
            pane.finish_tool(str(number), ok=ok, summary=summary, output="", diff="")
        await screen.settle()
        assert [row[0] for row in screen.rows[:3]] == ["✓", "✗", "⊘"]
        dark = pane.render_lines(pane.size.region)[0]
        screen.app.theme = LIGHT
        await screen.settle()
        light = pane.render_lines(pane.size.region)[0]
        assert light.text == dark.text
        assert [segment.style for segment in light] != [segment.style for segment in dark]


async def test_u12_without_colour_a_selection_is_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with shown() as screen:
        screen.pane.add_user("select me")
        await screen.settle()
        await screen.drag((2, 0), (7, 0))
        segments = list(screen.pane.render_lines(screen.pane.size.region)[0])
        assert [segment.text for segment in segments if segment.style and segment.style.reverse] == ["select"]


def test_nothing_heavy_is_imported_for_the_first_frame() -> None:
    heavy = "{'pygments', 'markdown_it', 'pydantic', 'httpx2'}"
    code = f"import sys, codeagent_tui.tui.transcript; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
