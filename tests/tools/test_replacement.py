"""Replacing: line endings one by one, and what several places become."""

from __future__ import annotations

import pytest

from codeagent_tui.tools.replacement import replace_exact


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        # Lines that stay within the change keep their own endings.
        ("a\r\nb\nc\r\nd\n", "a\nb\nc\nd", "A\nb\nc\nD", "A\r\nb\nc\r\nD\n"),
        # A line more takes the ending of the line it follows.
        ("x\r\ny\nz\r\n", "z", "z\nw", "x\r\ny\nz\r\nw\r\n"),
        ("x\r\ny", "y", "y\nz", "x\r\ny\r\nz"),
        ("one line", "line", "line\nmore", "one line\nmore"),
        ("old\rmac\r", "old\nmac", "old\nnew\nmac", "old\rnew\rmac\r"),
        ("a\r\n\r\nb\r\n", "\n\nb", "\nb", "a\r\nb\r\n"),
        ("a\r\nb\r\n", "a\r\nb", "A\r\nB", "A\r\nB\r\n"),
        ("a\nb\n", "a\r\nb", "A\r\nB", "A\nB\n"),
        ("a\r\nb\r\nc", "b\n", "", "a\r\nc"),
    ],
)
def test_t_06_each_line_keeps_or_takes_the_right_ending(before: str, old: str, new: str, after: str) -> None:
    assert replace_exact(before, old, new, every=False, shown="f").text == after


def test_every_place_takes_its_own_neighbours_ending() -> None:
    done = replace_exact("x\r\nx\nx", "x", "y\nz", every=True, shown="f")
    assert done.text == "y\r\nz\r\ny\nz\ny\nz"
    assert [done.text[start:end] for _, (start, end) in done.places] == ["y\r\nz", "y\nz", "y\nz"]
