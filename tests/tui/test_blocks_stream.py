"""A text that arrives in pieces: the end is that of the whole text, the way there is calm."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codeagent_tui.text import clean_text
from codeagent_tui.tui.blocks.answer import AnswerBlock
from codeagent_tui.tui.markdown.stream import CleanStream, MarkdownStream, presentable

PIECES = st.lists(
    st.sampled_from([
        "word ", "**bold** ", "`code` ", "\n", "\n\n", "# ", "- ", "1. ", "> ", "```", "py\n", "~~~\n", "- [x] ", "\t",
        "| a | b |\n|---|---|\n", "| 1 | 2 |\n", "    ", "[l](http://x) ", "---\n", "===\n", "你好，", "\x1b[31", "m",
        "\x1b", "]0;t\x07", "\r", "\r\n", "\ud83d", "\ude00", "**", "`", "x" * 40 + "\n", "code\n\nfoo\n" * 20,
    ]),
    max_size=30,
)  # fmt: skip


def rows_of(block: AnswerBlock, width: int = 40) -> list[str]:
    return [row.text for part in block.parts for row in part.rows_at(width).rows]


def arrange(block: AnswerBlock) -> None:
    """Do what the document does with an arrangement."""
    kept, parts = block.arrange()
    block.parts[kept:] = parts


def whole(text: str) -> list[str]:
    block = AnswerBlock(text)
    arrange(block)
    return rows_of(block)


@settings(max_examples=120, deadline=None)
@given(PIECES, st.lists(st.integers(1, 9), min_size=1, max_size=6), st.booleans())
@example(["```", "py\n", "code\n\nfoo\n" * 20], [3], True)
@example(["| a | b |\n|---|---|\n", "| 1 | 2 |\n"], [1], True)
def test_any_chunking_gives_the_picture_of_the_whole(pieces: list[str], sizes: list[int], drawn: bool) -> None:
    text = "".join(pieces)
    block = AnswerBlock()
    arrange(block)
    at = number = 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        block.feed(text[at : at + size])
        at, number = at + size, number + 1
        if drawn:
            arrange(block)
            rows_of(block)
    block.end()
    arrange(block)
    assert rows_of(block) == whole(text)
    assert block.source() == text


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["a", "\x1b", "[31m", "]52;c;x", "\x07", "\\", "\r", "\n", "\x9b", "1", "\u202e"]), max_size=30
    )
)
def test_cleaning_in_pieces_is_cleaning_the_whole(pieces: list[str]) -> None:
    stream = CleanStream()
    assert "".join([stream.feed(piece) for piece in pieces]) + stream.finish() == clean_text("".join(pieces))


def seen_while_streaming(text: str, size: int = 1) -> list[str]:
    """Return every picture on the way, as one text each."""
    block = AnswerBlock()
    arrange(block)
    pictures = []
    for at in range(0, len(text), size):
        block.feed(text[at : at + size])
        arrange(block)
        pictures.append("\n".join(rows_of(block, 60)))
    return pictures


def test_no_flash_of_a_raw_fence() -> None:
    for picture in seen_while_streaming("Look:\n\n```py\nx = 1\n```\n\nand\n~~~\ny\n~~~\nend"):
        assert "`" not in picture and "~" not in picture


def test_no_flash_of_markers() -> None:
    text = "Some **bold** and `code` and [a link](http://example.org/long).\n\n## Head\n\n"
    text += "- item\n- [x] done\n1. one\n\n---\nend"
    for picture in seen_while_streaming(text):
        assert "**" not in picture and "`" not in picture and "#" not in picture and "](" not in picture
        assert "--" not in picture.replace("─", "")


def test_a_table_appears_row_by_row() -> None:
    address = "http://example.org/" + "x" * 40
    text = f"| name | link |\n|---|---|\n| a | [here]({address}) |\n| b | c |\n"
    for picture in seen_while_streaming(text):
        assert "|" not in picture and "---" not in picture and "](" not in picture


def test_a_paragraph_does_not_become_a_heading_for_a_moment() -> None:
    block = AnswerBlock()
    arrange(block)
    for piece in ("Intro\n", "-", " item"):
        block.feed(piece)
        arrange(block)
        roles = {
            role for part in block.parts for row in part.rows_at(40).rows for span in row.spans for role in span.roles
        }
        assert not roles & {"h1", "h2"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("text", "text"),
        ("#", ""),
        ("- ", ""),
        ("12.", ""),
        ("- [x", ""),
        ("a **b", "a **b**"),
        ("a **", "a "),
        ("a `b", "a `b`"),
        ("a `", "a "),
        ("see [x](http://a", "see x"),
        ("array[0", "array[0"),
        ("| a | b", ""),
        ("`**` b", "`**` b"),
    ],
)
def test_what_is_shown_of_an_unfinished_line(line: str, expected: str) -> None:
    assert presentable(line) == expected


def test_finished_sections_are_never_touched_again() -> None:
    stream = MarkdownStream()
    for number in range(400):
        stream.feed(f"paragraph {number}\n\n- item {number}\n- more\n\n```\ncode\n```\n\n")
        assert len(stream.ahead()) <= 2
    kept = list(stream.done)
    stream.feed("end")
    stream.finish()
    assert stream.done[: len(kept)] == kept


@pytest.mark.parametrize("line", ["- item\n", "| 1 | 2 |\n", "code\n", "> quote\n", "text\n"])
def test_what_can_still_change_is_bounded(line: str) -> None:
    stream = MarkdownStream()
    if line.startswith("|"):
        stream.feed("| a | b |\n|---|---|\n")
    if line == "code\n":
        stream.feed("```\n")
    for _ in range(3_000):
        stream.feed(line)
    assert sum(len(section.source) for section in stream.ahead()) < 20_000
