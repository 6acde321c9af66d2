"""The draft as a model: whole characters, selections, undo, cuts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from codeagent_tui.tui.editing.buffer import ComposerBuffer
from codeagent_tui.tui.editing.clusters import next_boundary, previous_boundary
from codeagent_tui.tui.editing.keymap import EDITS, HELP, MOVES, NEWLINE_KEYS
from codeagent_tui.tui.editing.motions import line_end, line_start, word_left, word_right
from tests.tui.editing.test_composer_clusters import boundaries

PIECES = st.sampled_from(
    ["a", "word ", "你好", "👨‍👩‍👧", "\u0301", "\u200d", "\n", "\t", "\ud800", "\ud801", "1", ". ", "⚠️"]
)


def typed(text: str) -> ComposerBuffer:
    """Return a buffer that `text` was typed into, code point by code point."""
    buffer = ComposerBuffer()
    for char in text:
        buffer.insert(char, typed=True)
    return buffer


class Editing(RuleBasedStateMachine):
    """Any keys in any order keep the cursor between characters, and can all be taken back."""

    @initialize()
    def start(self) -> None:
        self.buffer = ComposerBuffer()

    @rule(piece=PIECES, by_key=st.booleans())
    def insert(self, piece: str, by_key: bool) -> None:
        self.buffer.insert(piece, typed=by_key)
        assert piece in self.buffer.text

    @rule(key=st.sampled_from(sorted(MOVES)))
    def move(self, key: str) -> None:
        text = self.buffer.text
        MOVES[key](self.buffer)
        assert self.buffer.text == text

    @rule(key=st.sampled_from(sorted(EDITS)))
    def edit(self, key: str) -> None:
        EDITS[key](self.buffer)

    @rule(index=st.integers(-3, 60), select=st.booleans())
    def jump(self, index: int, select: bool) -> None:
        self.buffer.move(index, select=select)

    @rule(text=st.lists(PIECES, max_size=5).map("".join))
    def replace_all(self, text: str) -> None:
        self.buffer.set_text(text)
        assert self.buffer.text == text
        assert self.buffer.cursor == len(text)

    @invariant()
    def the_cursor_stands_between_characters(self) -> None:
        places = boundaries(self.buffer.text)
        assert self.buffer.cursor in places
        if self.buffer.selection is not None:
            assert self.buffer.selection[0] in places
            assert self.buffer.selection[1] in places

    def teardown(self) -> None:
        for _ in range(300):
            self.buffer.undo()
        assert self.buffer.text == ""


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_undo_and_redo_are_each_others_inverse(text: str) -> None:
    buffer = typed(text)
    states = [buffer.text]
    while buffer.text:
        before = buffer.text
        buffer.undo()
        if buffer.text == before:
            break
        states.append(buffer.text)
    for state in states[-2::-1]:
        buffer.redo()
        assert buffer.text == state


def test_u11_backspace_takes_whole_characters() -> None:
    buffer = typed("你好👨‍👩‍👧e\u0301⚠️①")
    left = ["你好👨‍👩‍👧e\u0301⚠️", "你好👨‍👩‍👧e\u0301", "你好👨‍👩‍👧", "你好", "你", ""]
    for expected in left:
        buffer.delete(previous_boundary)
        assert buffer.text == expected


def test_u11_left_goes_over_whole_characters_and_text_goes_in_between() -> None:
    buffer = typed("你好👨‍👩‍👧é⚠️①")
    for _ in range(4):
        buffer.go(previous_boundary)
    buffer.insert("x", typed=True)
    assert buffer.text == "你好x👨‍👩‍👧é⚠️①"
    buffer.go(next_boundary)
    buffer.insert("y", typed=True)
    assert buffer.text == "你好x👨‍👩‍👧yé⚠️①"


def test_words_are_undone_one_by_one() -> None:
    buffer = typed("one two three")
    seen = []
    while buffer.text:
        buffer.undo()
        seen.append(buffer.text)
    assert seen == ["one two", "one", ""]


def test_cuts_in_a_row_add_up_and_come_back_at_once() -> None:
    buffer = typed("one two three")
    buffer.cut(word_left)
    buffer.cut(word_left)
    assert buffer.text == "one "
    buffer.yank()
    assert buffer.text == "one two three"
    buffer.move(0)
    buffer.cut(word_right)
    buffer.cut(word_right)
    assert buffer.text == " three"
    buffer.yank()
    assert buffer.text == "one two three"


def test_a_cut_after_a_move_begins_anew() -> None:
    buffer = typed("one two")
    buffer.cut(word_left)
    buffer.go(previous_boundary)
    buffer.cut(line_start)
    buffer.yank()
    assert buffer.text == "one "


def test_typing_takes_the_place_of_a_selection() -> None:
    buffer = typed("one two")
    buffer.select(0, 3)
    assert buffer.selected_text == "one"
    buffer.insert("1", typed=True)
    assert buffer.text == "1 two"
    buffer.undo()
    assert buffer.text == "one two"


@pytest.mark.parametrize(("motion", "place"), [(previous_boundary, 2), (next_boundary, 5), (line_start, 0)])
def test_a_selection_collapses_to_the_side_one_goes_to(motion, place: int) -> None:
    buffer = typed("one two")
    buffer.select(2, 5)
    buffer.go(motion)
    assert (buffer.selection, buffer.cursor) == (None, place)


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("one  two", [5, 0]),
        ("a.b_c", [2, 1, 0]),
        ("修复 parser 的错误", [10, 3, 0]),
        ("x\ud800y", [2, 1, 0]),
        ("line\nnext", [5, 0]),
        ("", [0]),
    ],
)
def test_words_to_the_left(text: str, stops: list[int]) -> None:
    at = len(text)
    for stop in stops:
        at = word_left(text, at)
        assert at == stop


@pytest.mark.parametrize(("text", "stops"), [("one  two", [3, 8]), ("a.b", [1, 2, 3]), ("修复 parser", [2, 9])])
def test_words_to_the_right(text: str, stops: list[int]) -> None:
    at = 0
    for stop in stops:
        at = word_right(text, at)
        assert at == stop


def test_ctrl_k_takes_the_line_then_its_end() -> None:
    buffer = typed("one\ntwo")
    buffer.move(0)
    EDITS["ctrl+k"](buffer)
    assert buffer.text == "\ntwo"
    EDITS["ctrl+k"](buffer)
    assert buffer.text == "two"


def test_lines_end_at_their_ends() -> None:
    assert (line_start("ab\ncd", 4), line_end("ab\ncd", 0), line_end("ab\ncd", 4)) == (3, 2, 5)


def test_nothing_is_left_after_a_reset() -> None:
    buffer = typed("secret")
    buffer.cut(word_left)
    buffer.reset()
    buffer.undo()
    buffer.yank()
    assert buffer.text == ""


def test_the_help_names_keys_that_are_there() -> None:
    others = {"enter", "up", "down", "tab", "ctrl+r"}
    named = {key for keys, _ in HELP for key in keys.replace("ctrl+_", "ctrl+underscore").split(", ")}
    assert named <= others | set(MOVES) | set(EDITS) | NEWLINE_KEYS
