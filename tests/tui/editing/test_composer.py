"""The composer on a screen: typing, sending, pasting, looking at it."""

import pytest
from textual import events

from codeagent_tui.tui.editing.draft_view import DraftView
from tests.tui.editing.conftest import DELETE, DOWN, HOME, LEFT, RIGHT, SHIFT_LEFT, UP, Opened

U11 = "你好👨‍👩‍👧é⚠️①"
MARKUP = ["[/]", "[/INST]", "x [b + y", "[/b][b]", '[a b="c]', "array["]


async def test_enter_sends_what_was_typed_and_empties_the_draft(desk: Opened) -> None:
    async with desk() as it:
        await it.send("hello")
        assert it.draft == it.composer.text == "hello"
        await it.send("\r")
        assert (it.app.sent, it.draft) == (["hello"], "")


async def test_a_blank_draft_is_not_sent_and_not_lost(desk: Opened) -> None:
    async with desk() as it:
        await it.send("  \n \r")
        assert (it.app.sent, it.draft) == ([], "  \n ")


async def test_keys_for_a_new_line(desk: Opened) -> None:
    ctrl_j, alt, kitty_shift, kitty_alt, xterm_shift = "\n", "\x1b\r", "\x1b[13;2u", "\x1b[13;3u", "\x1b[27;2;13~"
    async with desk() as it:
        for number, key in enumerate((ctrl_j, alt, kitty_shift, kitty_alt, xterm_shift), 1):
            await it.send(key)
            assert (it.app.sent, it.draft) == ([], "\n" * number)


async def test_enter_after_a_backslash_begins_a_new_line(desk: Opened) -> None:
    async with desk() as it:
        await it.send("a\\\rb")
        assert it.draft == "a\nb"
        await it.send("\\\\\r")
        assert it.app.sent == ["a\nb\\\\"]


async def test_u08_a_paste_is_one_draft_and_sends_nothing(desk: Opened) -> None:
    async with desk() as it:
        await it.paste("line1\nline2\nline3\n")
        assert (it.app.sent, it.draft) == ([], "line1\nline2\nline3\n")
        await it.send("\r")
        assert it.app.sent == ["line1\nline2\nline3\n"]


async def test_u08_a_paste_replayed_as_keys_sends_nothing_until_a_deliberate_enter(desk: Opened) -> None:
    async with desk() as it:
        await it.send("line1\rline2\r", gap=0.002)
        assert (it.app.sent, it.draft) == ([], "line1\nline2\n")
        await it.send("\r")
        assert it.app.sent == ["line1\nline2\n"]


async def test_u08_short_lines_replayed_as_keys_send_nothing(desk: Opened) -> None:
    async with desk() as it:
        await it.send("y\rn\r", gap=0.002)
        assert (it.app.sent, it.draft) == ([], "y\nn\n")


async def test_an_enter_close_to_the_last_letter_sends_when_nothing_follows(desk: Opened) -> None:
    async with desk() as it:
        await it.send("go")
        await it.send("!\r", gap=0.004)
        await it.until(lambda: it.app.sent == ["go!"])


async def test_u08_control_characters_are_removed_and_line_ends_folded(desk: Opened) -> None:
    async with desk() as it:
        await it.paste("a\r\nb\tc\rd\x1b[2J\x1b]52;c;AAAA\x07\x00e\x9b31m")
        assert it.draft == "a\nb\tc\nde"


async def test_s03_half_pairs_are_made_visible(desk: Opened) -> None:
    async with desk() as it:
        await it.paste("caf\udc80")
        it.composer.insert("\ud83c")
        await it.send("\r")
        assert it.app.sent == ["caf\ufffd\ufffd"]


async def test_u08_a_paste_of_5_mb_is_a_label_that_is_sent_whole(desk: Opened) -> None:
    big = "0123456789 ABCDEF\r\n" * 263_158
    async with desk() as it:
        await it.send("see ")
        await it.paste(big)
        assert "› see [pasted #1: 263,158 lines, 5.0 MB]" in it.rows
        await it.send(" please\r")
        assert it.app.sent == ["see " + big.replace("\r\n", "\n") + " please"]


async def test_a_label_moves_and_goes_as_one_character(desk: Opened) -> None:
    async with desk() as it:
        await it.send("a")
        await it.paste("x\n" * 50)
        await it.send("b" + LEFT + LEFT + "c")
        assert it.draft == "ac" + "x\n" * 50 + "b"
        await it.send(DELETE)
        assert it.draft == "acb"
        await it.send("\x1f")
        assert it.draft == "ac" + "x\n" * 50 + "b", "undone"


async def test_a_pasted_list_of_files_stays_text(desk: Opened) -> None:
    async with desk() as it:
        await it.paste("".join(f"/home/user/pictures/{n}.png\n" for n in range(30)))
        assert not any("[pasted" in row for row in it.rows)


async def test_u11_typing_moving_deleting_and_inserting(desk: Opened) -> None:
    async with desk() as it:
        await it.send(U11)
        assert it.draft == U11
        columns = [it.cursor[0]]
        for _ in range(6):
            await it.send(LEFT)
            columns.append(it.cursor[0])
        assert columns == [2 + cells for cells in (10, 9, 7, 6, 4, 2, 0)]
        await it.send(RIGHT * 3 + "x")
        assert it.draft == "你好👨‍👩‍👧xé⚠️①"
        seen = []
        for _ in range(4):
            await it.send("\x7f")
            seen.append((it.draft, it.cursor[0] - 2))
        assert seen == [("你好👨‍👩‍👧é⚠️①", 6), ("你好é⚠️①", 4), ("你é⚠️①", 2), ("é⚠️①", 0)]


async def test_u11_a_decomposed_character_is_one_step(desk: Opened) -> None:
    async with desk() as it:
        await it.send("ae\u0301b" + LEFT + LEFT)
        assert it.cursor[0] == 2 + 1
        await it.send(DELETE)
        assert it.draft == "ab"


async def test_u11_no_size_breaks_it(desk: Opened) -> None:
    async with desk() as it:
        await it.send("!" + U11 + "word " * 30)
        await it.paste("x\n" * 100)
        for width, height in ((40, 12), (7, 5), (3, 4), (2, 3), (1, 2), (1, 1), (120, 40), (80, 24)):
            await it.pilot.resize_terminal(width, height)
            await it.send("y" + UP + DOWN + LEFT + "\x7f@" + "\x7f")
            assert max(map(len, it.rows)) <= width
        assert it.app.is_running


async def test_the_terminal_cursor_is_where_text_goes(desk: Opened) -> None:
    async with desk() as it:
        assert it.cursor == (2, 23)
        await it.send("你a")
        assert it.cursor == (5, 23)
        await it.send("\nx")
        assert it.cursor == (3, 23)
        await it.send(UP)
        assert it.cursor == (2, 22), "the middle of a wide character is no place"


async def test_it_grows_with_the_text_up_to_a_share_of_the_screen(desk: Opened) -> None:
    async with desk(size=(40, 20)) as it:
        heights = [it.composer.size.height]
        await it.send("one\ntwo\nthree")
        heights.append(it.composer.size.height)
        await it.send("\n" * 20)
        heights.append(it.composer.size.height)
        assert heights == [1, 3, 8]
        await it.pilot.resize_terminal(40, 50)
        await it.settle()
        assert it.composer.size.height == 10
        it.composer.clear()
        await it.settle()
        assert it.composer.size.height == 1


async def test_up_and_down_go_by_rows_and_keep_the_column(desk: Opened) -> None:
    async with desk() as it:
        await it.send("long first\nab\nlong third")
        await it.send(UP + UP + "X")
        assert it.draft == "long firstX\nab\nlong third"


async def test_a_mode_is_seen_at_the_sign(desk: Opened) -> None:
    async with desk() as it:
        seen = []
        for text in ("hi", "!ls", "#️⃣", "#note"):
            it.composer.set_text(text)
            await it.settle()
            seen.append((it.composer.mode_hint, it.rows[-1]))
        assert seen == [("chat", "› hi"), ("shell", "! ls"), ("chat", "› #️⃣"), ("memory", "# note")]
        assert it.draft == "#note"
        await it.send(HOME + DELETE)
        assert (it.composer.mode_hint, it.draft) == ("chat", "note")


async def test_the_placeholder_is_shown_while_nothing_is_typed(desk: Opened) -> None:
    async with desk() as it:
        it.composer.placeholder = "Ask [/]"
        await it.settle()
        assert it.rows[-1] == "› Ask [/]"
        await it.send("x")
        assert it.rows[-1] == "› x"


async def test_u01_brackets_are_text(desk: Opened) -> None:
    async with desk() as it:
        for text in MARKUP:
            it.composer.remember(text)
            await it.send(text)
            assert it.rows[-1] == f"› {text}"
            await it.send("\x12")
            assert any(text in row for row in it.rows[:-1])
            it.composer.clear()


async def test_setting_the_text_can_be_taken_back_clearing_cannot(desk: Opened) -> None:
    async with desk() as it:
        await it.send("mine")
        it.composer.set_text("theirs")
        await it.send("\x1f")
        assert it.draft == "mine"
        it.composer.clear()
        await it.send("\x1f\x19")
        assert it.draft == ""


async def test_a_huge_text_that_is_set_is_a_label(desk: Opened) -> None:
    async with desk() as it:
        it.composer.set_text("x" * 9_000)
        assert it.draft == "x" * 9_000
        it.composer.set_text("y" * 11_000)
        await it.settle()
        assert "[pasted #1: 1 line, 11.0 KB]" in it.rows[-1]
        assert it.draft == "y" * 11_000


async def test_changes_by_the_user_are_told_others_are_not(desk: Opened) -> None:
    async with desk() as it:
        it.composer.set_text("given")
        await it.settle()
        assert it.app.changes == 0
        await it.send("x" + LEFT + DELETE + DELETE)
        assert it.app.changes == 2


async def test_keys_that_mean_nothing_to_it_go_on(desk: Opened) -> None:
    async with desk() as it:
        for key in ("a", "\x1b[113;3u", "\x1b[15~", "\x1b[27u", "\t"):
            await it.send(key)
        assert (it.draft, it.app.keys) == ("a", ["alt+q", "f5", "escape", "tab"])


async def test_what_is_selected_is_the_screens_selection(desk: Opened) -> None:
    async with desk() as it:
        await it.send("one two" + SHIFT_LEFT * 3)
        assert it.app.screen.get_selected_text() == "two"
        it.app.screen.clear_selection()
        await it.send("!")
        assert it.draft == "one !two", "the selection has gone, the text stays"
        await it.send(SHIFT_LEFT + "x")
        assert it.draft == "one xtwo"
        assert not it.app.screen.selections


async def test_a_selected_label_is_copied_in_full(desk: Opened) -> None:
    async with desk() as it:
        await it.paste("x\n" * 50)
        await it.send("y" + SHIFT_LEFT * 2)
        assert it.app.screen.get_selected_text() == "x\n" * 50 + "y"


async def test_the_mouse_places_the_cursor_and_selects(desk: Opened) -> None:
    async with desk() as it:
        await it.send("你好 wide words")
        await it.pilot.click(offset=(4, 23))
        await it.send("x")
        assert it.draft == "你x好 wide words"
        await it.pilot.mouse_down(offset=(8, 23))
        await it.pilot.hover(offset=(12, 23))
        await it.pilot.mouse_up(offset=(12, 23))
        await it.settle()
        assert it.app.screen.get_selected_text() == "wide"
        await it.pilot.click(DraftView, offset=(14, 0), times=2)
        await it.settle()
        assert it.app.screen.get_selected_text() == "words"


async def test_one_key_draws_one_row(desk: Opened) -> None:
    async with desk() as it:
        await it.send("one\ntwo\nthree")
        view = it.composer.query_one(DraftView)
        drawn: list[int] = []
        render_line = view.render_line
        view.render_line = lambda y: drawn.append(y) or render_line(y)
        await it.send("x")
        assert drawn == [2]


async def test_no_timer_runs_while_nothing_happens(desk: Opened) -> None:
    async with desk() as it:
        await it.send("abc@src\x1b")
        await it.settle()
        widgets = [it.composer, *it.composer.walk_children()]
        assert not [timer for widget in widgets for timer in widget._timers if not timer._pause_level]


async def test_no_color_still_marks_cursor_sign_and_choice(desk: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with desk() as it:
        await it.send("/")
        strips = it.app.screen._compositor.render_strips()
        reversed_texts = [s.text for strip in strips for s in strip if s.style is not None and s.style.reverse]
        assert reversed_texts == [" "]
        assert any(row.startswith("› /compact") for row in it.rows)


async def test_losing_the_focus_hides_the_cursor_and_the_list(desk: Opened) -> None:
    async with desk() as it:
        await it.send("/")
        assert it.composer.completing
        it.app.screen.set_focus(None)
        await it.settle()
        assert not it.composer.completing
        assert it.rows[-2:] == ["─" * 80, "› /"]


async def test_keys_typed_while_a_large_paste_is_cleaned_come_after_it(desk: Opened) -> None:
    async with desk() as it:
        big = "你好\r\n" * 200_000
        it.app.post_message(events.Paste(big))
        await it.send("!\r")
        await it.until(lambda: bool(it.app.sent))
        assert it.app.sent == [big.replace("\r\n", "\n") + "!"]
