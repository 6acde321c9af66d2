"""Rows of a line: at words, anywhere between Chinese characters, never inside a grapheme."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.text import clean_text
from codeagent_tui.tui.blocks.wrapping import clusters, columns, wrap_anywhere, wrap_words

FAMILY = "👨\u200d👩\u200d👧"
LINES = st.lists(
    st.sampled_from([*"ab ,.(\t", "word ", "你", "好", "，", "（", "é", "e\u0301", FAMILY, "⚠️", "한", "  "]),
    max_size=40,
).map(lambda pieces: clean_text("".join(pieces)))
WIDTHS = st.integers(-1, 15)


def rows(line: str, width: int) -> list[str]:
    return [line[start:end] for start, end in wrap_words(line, width)]


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        ("", 10, [""]),
        ("hello world", 80, ["hello world"]),
        ("hello world again", 11, ["hello world", "again"]),
        ("a verylongword b", 6, ["a", "verylo", "ngword", "b"]),
        ("会话历史保持成对", 8, ["会话历史", "保持成对"]),
        ("会话历史，保持", 8, ["会话历", "史，保持"]),
        ("看（括号）里", 4, ["看", "（括", "号）", "里"]),
        ("运行 codeagent 命令", 12, ["运行", "codeagent 命", "令"]),
        ("用English写", 4, ["用", "Engl", "ish", "写"]),
        ("    indented text", 12, ["    indented", "text"]),
    ],
)
def test_rows(line: str, width: int, expected: list[str]) -> None:
    assert rows(line, width) == expected


@given(LINES, WIDTHS)
def test_nothing_but_blanks_is_lost_and_rows_fit(line: str, width: int) -> None:
    extents = wrap_words(line, width)
    assert "".join("".join(line[start:end].split()) for start, end in extents) == "".join(line.split())
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(extents))
    for start, end in extents:
        whole = list(clusters(line[start:end]))
        assert columns(line[start:end]) <= max(1, width) or len(whole) == 1


@given(LINES, WIDTHS)
def test_code_rows_are_the_line_cut(line: str, width: int) -> None:
    extents = wrap_anywhere(line, width)
    assert "".join(line[start:end] for start, end in extents) == line
    for start, end in extents:
        assert columns(line[start:end]) <= max(1, width) or len(list(clusters(line[start:end]))) == 1


@given(LINES, WIDTHS)
def test_no_grapheme_is_cut_in_two(line: str, width: int) -> None:
    edges = {0, *(end for _, end, _ in clusters(line))}
    for wrap in (wrap_words, wrap_anywhere):
        assert all(start in edges and end in edges for start, end in wrap(line, width))
