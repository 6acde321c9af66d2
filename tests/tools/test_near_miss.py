"""Near misses: the nearest lines, and the difference spelled so that it can be seen."""

from __future__ import annotations

import pytest

from codeagent_tui.tools.near_miss import nearest
from codeagent_tui.tools.replacement import replace_exact
from codeagent_tui.tools.tool import ToolError


@pytest.mark.parametrize(
    ("text", "wanted", "said"),
    [
        (
            "\tdef f():\n\t\tpass\n",
            "    def f():\n        pass",
            "indentation (1 tab in the file, 4 spaces in old_text)",
        ),
        ("x = 1  \n", "x = 1", "blanks at the end"),
        ("say “hi”\n", 'say "hi"', "curly quotes"),
        ("a – b\n", "a - b", "dashes"),
        ("a\u00a0b\n", "a b", "no-break or wide spaces"),
        ("a\u3000b\n", "a b", "no-break or wide spaces"),
        ("pass\u200bword\n", "password", "invisible characters"),
        ("a  =  1\n", "a = 1", "blanks within the line"),
        ("Return None\n", "return None", "upper and lower case"),
        ("total = price * count\n", "total = price * counts", "its text"),
    ],
)
def test_t_07_the_difference_has_a_name(text: str, wanted: str, said: str) -> None:
    told = nearest("first\n" + text + "last\n", wanted)
    assert f"Line 2 differs in {said}" in told
    assert f"2\t{text.splitlines()[0]}" in told


def test_t_07_what_cannot_be_seen_is_spelled_out() -> None:
    told = nearest("x\u00a0= “1”\t\n", 'x = "1"')
    assert "file:     «x\\xa0= \\u201c1\\u201d\\t»" in told and 'old_text: «x = "1"»' in told
    assert "规范\\u3002" in nearest("规范。 a\n", "规范。 b")


def test_t_07_the_nearest_place_is_found_by_its_most_telling_line() -> None:
    text = "".join(f"def f{number}():\n    return {number}\n\n" for number in range(1_000))
    told = nearest(text, "def f700():\n    return 7000")
    assert "2101\tdef f700():" in told and "Line 2102 differs in its text" in told


def test_t_07_nothing_near_says_so() -> None:
    assert "Nothing in it comes near" in nearest("alpha\nbeta\n", "completely other words")
    assert "Nothing in it comes near" in nearest("", "x")


def test_t_07_long_lines_and_long_texts_stay_bounded() -> None:
    assert len(nearest("x = " + "a" * 100_000, "x = " + "a" * 99_999)) < 2_000
    assert len(nearest("line of text\n" * 60_000, "lime of text")) < 200
    wanted = "".join(f"row {number}\n" for number in range(500))
    assert len(nearest(wanted.replace("row 400\n", "row x\n"), wanted)) < 2_000


def test_t_07_the_error_says_that_nothing_was_changed() -> None:
    with pytest.raises(ToolError, match=r"f was not changed: old_text is not in it\. The nearest is:\n1\tabc"):
        replace_exact("abc\n", "abd", "x", every=False, shown="f")
