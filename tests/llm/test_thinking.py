"""Thinking and answer in one text, with tags cut anywhere (P-15)."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm.thinking import Piece, ThinkingSplitter

CASES = [
    ("internal plan</think>answer", "answer", "internal plan"),
    ("<think>ab</think>c", "c", "ab"),
    ("\n<thinking>a</thinking>\n\nb", "b", "a"),
    ("<THINK>a</THINK>b", "b", "a"),
    ("<think>never closed", "", "never closed"),
    ("<think>one</think>\n<think>two</think>b", "b", "onetwo"),
    ("[THINK]a[/THINK]b", "b", "a"),
    ("◁think▷a◁/think▷b", "b", "a"),
    ("<seed:think>a</seed:think>b", "b", "a"),
    ("</think>\n\nb", "b", ""),
    ("Use `<think>draft</think>` as example", "Use `<think>draft</think>` as example", ""),
    ("```xml\n<think>x</think>\n```\n", "```xml\n<think>x</think>\n```\n", ""),
    ("~~~\n</think>\n~~~", "~~~\n</think>\n~~~", ""),
    ("<think>the tag `</think>` ends it</think>b", "b", "the tag `</think>` ends it"),
    ("<think>it is `x`</think>b", "b", "it is `x`"),
    ("a < b and <thing> and <", "a < b and <thing> and <", ""),
    ("So <think>is text</think> in the middle", "So <think>is text</think> in the middle", ""),
    ("  plain\n", "  plain\n", ""),
    ("<think></think>", "", ""),
]


def told(pieces: list[Piece]) -> tuple[str, str]:
    answer = thought = ""
    for piece in pieces:
        if piece.retract:
            answer = ""
        if piece.thinking:
            thought += piece.text
        else:
            answer += piece.text
    return answer, thought


def split(parts: list[str]) -> list[Piece]:
    splitter = ThinkingSplitter()
    return [piece for part in parts for piece in splitter.feed(part)] + splitter.end()


@pytest.mark.parametrize(("text", "answer", "thought"), CASES)
def test_p_15_whole_and_character_by_character(text: str, answer: str, thought: str) -> None:
    for parts in ([text], list(text)):
        result = told(split(parts))
        assert (result[0].lstrip() if thought else result[0], result[1]) == (answer, thought)


PARTS = ["<think>", "</think>", "[/THINK]", "`", "```\n", "\n\n", " ", "a", "<", "</thi", "nk>", "word "]


@given(st.lists(st.sampled_from(PARTS), max_size=14), st.data())
def test_p_15_the_outcome_does_not_depend_on_where_the_text_is_cut(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edges = [0, *cuts, len(text)]
    pieces = [text[a:b] for a, b in itertools.pairwise(edges)]
    whole, cut = told(split([text])), told(split(pieces))
    assert (cut[0].strip(), cut[1].strip()) == (whole[0].strip(), whole[1].strip())


@given(st.lists(st.text(alphabet="ab<>/thinkTHINK`[]\n ", max_size=6), max_size=12))
def test_p_15_nothing_but_tags_and_blanks_is_lost(parts: list[str]) -> None:
    answer, thought = told(split(parts))
    kept = sum(map(len, (answer, thought)))
    text = "".join(parts)
    if not any(tag in text.lower() for tag in ("<think>", "</think>", "[think]", "[/think]")):
        assert (answer, thought) == (text, "")
    assert kept <= len(text)


def test_p_15_what_is_shown_never_holds_a_tag() -> None:
    for text, _, thought in CASES[:9]:
        if thought:
            pieces = split(list(text))
            assert not any("<" in piece.text or "[" in piece.text or "◁" in piece.text for piece in pieces)


def test_a_lone_closing_tag_is_text_where_the_server_sends_thinking_apart() -> None:
    splitter = ThinkingSplitter()
    splitter.thinking_is_apart()
    assert told([*splitter.feed("The </think> tag ends it."), *splitter.end()]) == ("The </think> tag ends it.", "")
