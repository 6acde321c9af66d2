"""Markdown on the screen: each construct as rows, at any width, without a character lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.text import clean_text
from codeagent_tui.tui.blocks.answer import AnswerBlock
from codeagent_tui.tui.blocks.rows import Layout, Row
from codeagent_tui.tui.blocks.wrapping import columns


def layouts(text: str, width: int) -> list[Layout]:
    block = AnswerBlock(text)
    block.gap = False
    return [part.rows_at(width) for part in block.arrange().parts]


def rows_of(text: str, width: int = 42) -> list[Row]:
    return [row for layout in layouts(text, width) for row in layout.rows]


def shown(text: str, width: int = 42) -> list[str]:
    """Return the rows without the margin."""
    return [row.text[2:].rstrip() for row in rows_of(text, width)]


def roles_of(text: str, piece: str) -> set[str]:
    return {role for row in rows_of(text, 200) for span in row.spans if piece in span.text for role in span.roles}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ["plain"]),
        ("one\ntwo", ["one", "two"]),
        ("one\n\n\n\ntwo", ["one", "", "two"]),
        ("# Head\ntext", ["Head", "text"]),
        ("Head\n====\ntext", ["Head", "text"]),
        ("- a\n- b\n  - c\n    - d", ["• a", "• b", "  ◦ c", "    ▪ d"]),
        ("- a\n\n- b", ["• a", "", "• b"]),
        ("1. a\n1. b\n1. c", ["1. a", "2. b", "3. c"]),
        ("7) a\n8) b", ["7) a", "8) b"]),
        ("Intro:\n- a\n- b", ["Intro:", "• a", "• b"]),
        ("- [ ] open\n- [x] done", ["☐ open", "☑ done"]),
        ("- a\n\n  more of a\n\nnot a", ["• a", "", "  more of a", "", "not a"]),
        ("> a\n> b\n>\n> > c", ["▏ a", "▏ b", "▏", "▏ ▏ c"]),
        ("a\n\n---\n\nb", ["a", "", "─" * 40, "", "b"]),
        ("```\ncode  \n\n  more\n```\ntext", ["▏ code", "▏", "▏   more", "text"]),
        ("```py\nunclosed", ["▏ unclosed" + " " * 27 + "py"]),
        ("~~~\n```\n~~~", ["▏ ```"]),
        ("1. a\n   ```\n   b\n   ```\n2. c", ["1. a", "   ▏ b", "2. c"]),
        ("```py title=a.py\nx\n```", ["▏ py title=a.py", "▏ x"]),
        ("    indented", ["▏ indented"]),
        ("[text](http://a.b/c)", ["text (http://a.b/c)"]),
        ("<http://a.b/c> [http://a.b](http://a.b)", ["http://a.b/c http://a.b"]),
        ("![alt](pic.png)", ["[alt] (pic.png)"]),
        ("[name]: http://a.b", ["[name]: http://a.b"]),
        ("<div>x</div>\n\n<!-- no -->", ["<div>x</div>", "", "<!-- no -->"]),
        ("a\\*b &lt; &#x202e;", ["a*b < <U+202E>"]),
        ("[/] [/INST] x [b + y [a b=\"c\"]", ["[/] [/INST] x [b + y [a b=\"c\"]"]),
        ("*a* **b** `c` ~~d~~ ***e***", ["a b c d e"]),
        ("a | b\n--|--\n1 | 2\nend", ["a │ b", "──┼──", "1 │ 2", "end"]),
        ("|a|b|c|\n|:-|-:|:-:|\n|long|1|x|", ["a    │ b │ c", "─────┼───┼──", "long │ 1 │ x"]),
        ("|a|\n|-|\n|`x \\| y`|", ["a", "─────", "x | y"]),
        ("- x\n\n  |a|b|\n  |-|-|\n  |1|2|", ["• x", "", "  a │ b", "  ──┼──", "  1 │ 2"]),
        ("", []),
        ("\n \n", []),
    ],
)  # fmt: skip
def test_constructs(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "piece", "role"),
    [
        ("a **b** c", "b", "strong"),
        ("a *b* c", "b", "emphasis"),
        ("a ~~b~~ c", "b", "struck"),
        ("a `b` c", "b", "code"),
        ("a [b](http://x) c", "b", "link"),
        ("a [b](http://x) c", "http://x", "url"),
        ("# b", "b", "h1"),
        ("> b", "b", "quote"),
        ("| **b** |\n|---|\n| c |", "b", "strong"),
    ],
)
def test_looks(text: str, piece: str, role: str) -> None:
    assert role in roles_of(text, piece)


def test_only_web_addresses_can_be_opened() -> None:
    links = {
        span.link for row in rows_of("[a](http://x.y) [b](file:///etc/passwd) [c](javascript:x)") for span in row.spans
    }
    assert links == {"", "http://x.y"}


def test_tables_fit_the_width_and_wrap_their_cells() -> None:
    text = "| 名称 | text |\n|---|---|\n| 记忆 | a long text that must be broken somewhere |"
    for width in (24, 40, 60):
        got = rows_of(text, width)
        assert all(columns(row.text) <= width for row in got)
        assert len({columns(row.text) for row in got}) == 1
    joined = " ".join(row.text for row in rows_of(text, 24))
    assert all(word in joined for word in ("记忆", "long", "broken", "somewhere"))


def test_a_table_without_room_for_its_columns_becomes_records() -> None:
    text = "| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |"
    assert [row.text.strip() for row in rows_of(text, 14)] == ["a: 1", "b: 2", "c: 3", "d: 4"]


@pytest.mark.parametrize(
    "text",
    [
        ">" * 300 + " deep",
        "- " * 300 + "deep",
        "[" * 9_000,
        "*a " * 3_000,
        "`" * 3_000,
        "x" * 100_000,
        "| a |\n" * 3_000,
        "```\n" + "line\n" * 5_000,
        "- item\n" * 3_000,
        "![" * 4_000,
    ],
    ids=lambda text: text[:6],
)
def test_monsters_are_shown_whole(text: str) -> None:
    got = "".join("".join(row.text for row in layout.rows) for layout in layouts(text, 80))
    for word in ("deep", "line", "item"):
        assert got.count(word) == text.count(word)
    if "x" in text:
        assert got.count("x") == text.count("x")


FRAGMENTS = st.lists(
    st.sampled_from([
        "word ", "**bold** ", "`code` ", "*it* ", "\n", "\n\n", "# ", "- ", "1. ", "2) ", "> ", "```py\n",
        "```\n", "~~~\n",
        "| a | b |\n|---|---|\n", "| 1 | 2 |\n", "    ", "  ", "[l](http://x) ", "---\n", "===\n", "你好，世界 ",
        "\t", "👨\u200d👩\u200d👧",
        "<b>", "&amp;", "\\*", "**", "`", "[", "](", "|",
        "\x1b[31m", "\x1b", "[0m", "\r\n", "\r", "\u202e", "- [ ] ", "![i](u)",
    ]),
    max_size=40,
).map("".join)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(FRAGMENTS, st.integers(1, 60))
def test_rows_fit_every_width_and_lines_are_numbered_upwards(text: str, width: int) -> None:
    for layout in layouts(text, width):
        numbers = [row.line for row in layout.rows]
        assert numbers == sorted(numbers)
        assert not numbers or numbers[-1] < len(layout.lines)
        for row in layout.rows:
            assert "\x1b" not in row.text and "\n" not in row.text
            if width >= 16:
                assert columns(row.text) <= width
            for span in row.spans:
                if span.at >= 0:
                    piece = layout.lines[row.line][span.at : span.at + span.size]
                    assert piece == span.text or piece == "\t"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["alpha", "beta", "你好", "**", "`", "- ", "\n", "\n\n", "> ", " ", "# ", "1. ", "|"])
    ).map("".join)
)
def test_no_word_is_lost(text: str) -> None:
    got = "".join(row.text for row in rows_of(text, 400))
    for word in ("a", "e", "你", "好"):
        assert got.count(word) == clean_text(text).count(word)
