"""Completion and history search on the screen."""

from pathlib import Path

from codeagent_tui.tui.editing.prompt_history import PromptHistory
from tests.tui.editing.conftest import DOWN, UP, Opened


async def test_commands_are_offered_over_the_draft(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/")
        assert it.composer.completing
        assert it.rows[-5:] == [
            "above" if len(it.rows) == 5 else "",
            "› /compact [focus]  Make room",
            "  /help             Show keys and commands",
            "  /memory [query]   Show the facts",
            "› /",
        ]


async def test_tab_takes_the_choice_and_enter_does_too(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/me\t")
        assert (it.draft, it.composer.completing) == ("/memory ", False)
        it.composer.clear()
        await it.send("/co\r")
        assert (it.draft, it.app.sent) == ("/compact ", [])


async def test_enter_on_a_complete_command_sends(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/help\r")
        assert it.app.sent == ["/help"]
        await it.send("/compact\r")
        assert it.app.sent == ["/help", "/compact"]


async def test_up_and_down_choose(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/" + DOWN + DOWN + UP + "\t")
        assert it.draft == "/help"


async def test_u09_escape_closes_the_list_and_it_stays_closed_for_this_word(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/m")
        assert it.composer.close_completion()
        assert not it.composer.completing
        assert not it.composer.close_completion()
        await it.send("e")
        assert not it.composer.completing
        assert it.draft == "/me"


async def test_an_emptied_draft_offers_anew(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/m")
        it.composer.close_completion()
        it.composer.clear()
        await it.send("/")
        assert it.composer.completing


async def test_the_argument_of_a_command_is_hinted_at(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/memory ")
        assert it.rows[-1] == "› /memory  [query]"
        await it.send("x")
        assert it.rows[-1] == "› /memory x"


async def test_files_are_offered_and_taken(desk: Opened) -> None:
    async with desk() as it:
        await it.send("look at @pars")
        await it.until(lambda: it.composer.completing)
        assert "› src/parser.py" in it.rows
        await it.send("\tnow")
        assert it.draft == "look at @src/parser.py now"


async def test_a_name_with_blanks_is_quoted(desk: Opened) -> None:
    async with desk() as it:
        await it.send("看@设计")
        await it.until(lambda: it.composer.completing)
        await it.send("\t")
        assert it.draft == '看@"docs/设计 说明.md" '


async def test_a_folder_is_a_step_on_the_way(desk: Opened) -> None:
    async with desk() as it:
        await it.send("@src/")
        await it.until(lambda: it.composer.completing)
        await it.send("\t")
        assert it.draft == "@src/"
        await it.until(lambda: it.composer.completing)


async def test_u01_odd_file_names_are_shown_as_they_are(desk: Opened) -> None:
    async with desk() as it:
        await it.send("@[/]")
        await it.until(lambda: "› [/]b[x].txt" in it.rows)


async def test_a_click_takes_a_choice(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/")
        await it.pilot.click(offset=(4, it.rows.index("  /help             Show keys and commands")))
        await it.settle()
        assert it.draft == "/help"
        assert it.composer.has_focus


async def test_moving_away_closes_the_list(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/me\x1b[D")
        assert not it.composer.completing


async def test_at_most_eight_rows_that_follow_the_choice(desk: Opened) -> None:
    async with desk() as it:
        it.app.files = None

        async def files(_: str) -> list[str]:
            return [f"file{number:02}" for number in range(30)]

        it.composer.set_providers(commands=[], files=files)
        await it.send("@")
        await it.until(lambda: it.composer.completing)
        assert sum("file" in row for row in it.rows) == 8
        await it.send(DOWN * 10)
        assert "› file10" in it.rows
        assert sum("file" in row for row in it.rows) == 8
        await it.send(UP * 11)
        assert "› file29" in it.rows


async def test_u11_lists_fit_any_window(desk: Opened) -> None:
    async with desk() as it:
        it.composer.remember("你好 " * 30)
        for width, height in ((40, 12), (20, 6), (10, 4), (3, 3), (1, 2)):
            await it.pilot.resize_terminal(width, height)
            await it.send("/")
            assert it.composer.completing
            await it.send("\x7f\x12你")
            await it.send(UP + "\r")
            assert it.draft == "你好 " * 30
            assert max(map(len, it.rows)) <= width
            it.composer.clear()


async def test_ctrl_r_searches_what_was_sent(desk: Opened) -> None:
    async with desk() as it:
        for text in ("fix the parser", "write tests", "fix the lexer\nand more"):
            it.composer.remember(text)
        await it.send("my draft\x12FIX")
        assert it.composer.completing
        assert it.rows[-4].startswith("search history: FIX▏ 2 found")
        assert it.rows[-3:-1] == ["› fix the lexer and more", "  fix the parser"]
        assert it.rows[-1] == "› my draft"
        await it.send("\x12\r")
        assert (it.draft, it.app.sent, it.composer.completing) == ("fix the parser", [], False)
        await it.send("\x1f")
        assert it.draft == "my draft"


async def test_a_search_that_is_given_up_changes_nothing(desk: Opened) -> None:
    async with desk() as it:
        it.composer.remember("one")
        await it.send("my draft\x12on")
        assert it.composer.close_completion()
        assert (it.draft, it.composer.completing) == ("my draft", False)


async def test_up_brings_back_what_was_sent_and_down_the_draft(desk: Opened) -> None:
    async with desk() as it:
        await it.send("one\r")
        await it.send("two\r")
        await it.send("half a th" + UP)
        assert it.draft == "two"
        await it.send(UP + UP)
        assert it.draft == "one"
        await it.send(DOWN + DOWN)
        assert it.draft == "half a th"


async def test_up_in_a_text_of_several_rows_goes_through_them_first(desk: Opened) -> None:
    async with desk() as it:
        it.composer.remember("old")
        it.composer.remember("first\nsecond")
        await it.send(UP)
        assert it.draft == "first\nsecond"
        await it.send("!")
        assert it.draft == "first!\nsecond"
        await it.send(UP)
        assert it.draft == "old"
        await it.send(DOWN)
        assert it.draft == "first!\nsecond"
        await it.send(DOWN)
        assert it.draft == ""


async def test_u09_a_draft_that_was_put_aside_comes_back_with_its_paste(desk: Opened) -> None:
    async with desk() as it:
        await it.send("see ")
        await it.paste("x\n" * 3_000)
        it.composer.remember(it.composer.draft)
        it.composer.clear()
        await it.send(UP)
        assert it.draft == "see " + "x\n" * 3_000


async def test_the_history_is_read_after_the_first_frame_and_written_at_once(desk: Opened, tmp_path: Path) -> None:
    path = tmp_path / "home" / "prompt_history.jsonl"
    async with desk(history=path) as it:
        await it.send("from the first run\r")
        await it.until(path.exists)
    async with desk(history=path) as it:
        await it.until(lambda: not it.app.workers)
        await it.send(UP)
        assert it.draft == "from the first run"
    stored = PromptHistory(path)
    assert stored.read_older() == ["from the first run"]
