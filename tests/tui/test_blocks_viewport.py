"""What is visible stays in place, whatever is measured, grows, folds or is taken away around it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.conversation.messages import Message, assistant, user
from codeagent_tui.tui.blocks.answer import AnswerBlock
from codeagent_tui.tui.blocks.document import Document
from codeagent_tui.tui.blocks.history import blocks_of
from codeagent_tui.tui.blocks.tool import ToolBlock
from codeagent_tui.tui.blocks.user import UserBlock
from codeagent_tui.tui.blocks.viewport import Viewport


def history(count: int) -> list[Message]:
    messages: list[Message] = []
    for number in range(count):
        extra = "\n\n".join(f"- item {number}.{line}" * 8 for line in range(number % 5))
        messages += [user(f"question {number}"), assistant(f"answer {number}\n\n{extra}\n\n```py\ncode {number}\n```")]
    return messages


def opened(count: int = 60, width: int = 50, height: int = 20) -> tuple[Document, Viewport]:
    document = Document()
    viewport = Viewport(document)
    viewport.rewrap(width)
    viewport.height = height
    for block in blocks_of(history(count)):
        document.add_unseen(block)
    return document, viewport


def visible(document: Document, viewport: Viewport) -> list[str]:
    top = viewport.place()
    rows = []
    for row in range(top, top + viewport.height):
        found = document.index.at(row)
        if found is not None:
            part, number = found
            rows.append(document.layout_of(part).rows[number].text.rstrip())
    return rows


def everything(count: int = 60, width: int = 50) -> list[str]:
    document = Document()
    document.width = width
    for block in blocks_of(history(count)):
        document.add(block)
    return [row.text.rstrip() for part in document.index for row in part.rows_at(width).rows]


EVERYTHING = everything()


def test_it_begins_at_the_end_and_measures_only_what_it_shows() -> None:
    document, viewport = opened(2_000)
    assert visible(document, viewport)[-1].startswith("  ▏ code 1999")
    assert sum(1 for block in document if not document.is_unseen(block)) < 30


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-45, 30), max_size=25))
def test_scrolling_is_exact_though_heights_were_estimates(steps: list[int]) -> None:
    rows = EVERYTHING
    document, viewport = opened()
    at = len(rows) - 20
    visible(document, viewport)
    for step in steps:
        viewport.scroll_by(step)
        at = min(max(0, at + step), len(rows) - 20)
        assert visible(document, viewport) == rows[at : at + 20]
        assert viewport.following == (at == len(rows) - 20)


def test_what_is_read_stays_while_more_is_said_below() -> None:
    document, viewport = opened()
    viewport.scroll_by(-33)
    before = visible(document, viewport)
    answer = AnswerBlock()
    document.add(answer)
    for number in range(200):
        answer.feed(f"word {number}\n\n")
        document.sync(answer)
        assert visible(document, viewport) == before
    assert not viewport.following


def test_what_is_read_stays_while_something_above_folds() -> None:
    document = Document()
    viewport = Viewport(document)
    viewport.rewrap(50)
    viewport.height = 10
    tool = ToolBlock("1", "run_command", "$ make")
    document.add(tool)
    tool.finish(ok=True, summary="", output="\n".join(map(str, range(100))), diff="")
    tool.fold(False)
    document.sync(tool)
    for number in range(40):
        document.add(UserBlock(f"message {number}"))
    viewport.place()
    viewport.scroll_by(-20)
    before = visible(document, viewport)
    assert "▌ message 26" in before
    tool.fold(True)
    document.sync(tool)
    assert visible(document, viewport) == before
    tool.fold(False)
    document.sync(tool)
    assert visible(document, viewport) == before


def test_a_fold_of_what_is_read_shows_its_title() -> None:
    document, viewport = opened(30)
    tool = ToolBlock("1", "run_command", "$ make")
    document.add(tool)
    tool.finish(ok=True, summary="", output="\n".join(map(str, range(100))), diff="")
    tool.fold(False)
    document.sync(tool)
    for number in range(30):
        document.add(UserBlock(f"message {number}"))
    viewport.place()
    viewport.scroll_by(-90)
    assert "  ▏" in visible(document, viewport)[0]
    tool.fold(True)
    document.sync(tool)
    assert "$ make" in "\n".join(visible(document, viewport)[:3])
    assert not viewport.following


@pytest.mark.parametrize("width", [1, 3, 7, 30, 51, 120])
def test_another_width_keeps_the_text_of_the_first_row(width: int) -> None:
    document = Document()
    viewport = Viewport(document)
    viewport.rewrap(50)
    viewport.height = 10
    for number in range(50):
        document.add(UserBlock(" ".join(f"w{number}x{word}" for word in range(60))))
    viewport.place()
    viewport.scroll_by(-155)
    before = visible(document, viewport)
    first = before[0].split()[1]
    viewport.rewrap(width)
    if width >= 30:
        assert first in visible(document, viewport)[0]
    assert visible(document, viewport)
    viewport.rewrap(50)
    assert visible(document, viewport) == before
    assert not viewport.following


def test_shrinking_does_not_begin_to_follow() -> None:
    document, viewport = opened(10)
    answer = AnswerBlock()
    document.add(answer)
    answer.feed("line\n\n" * 30)
    document.sync(answer)
    viewport.place()
    viewport.scroll_by(-5)
    document.remove(answer)
    visible(document, viewport)
    assert not viewport.following
    document.add(UserBlock("new"))
    assert "▌ new" not in visible(document, viewport) or not viewport.following


def test_the_end_and_the_start_by_number() -> None:
    document, viewport = opened()
    viewport.scroll_to(0)
    assert visible(document, viewport) == EVERYTHING[:20]
    assert not viewport.following
    viewport.scroll_to(10**6)
    assert viewport.following
    assert visible(document, viewport) == EVERYTHING[-20:]


def test_a_short_document_is_followed_always() -> None:
    _document, viewport = opened(1, height=50)
    for act in (lambda: viewport.scroll_by(-3), lambda: viewport.scroll_by(3), lambda: viewport.scroll_to(0)):
        assert act() == 0
        assert viewport.following


def test_layouts_seen_long_ago_are_dropped() -> None:
    document, viewport = opened(600)
    viewport.place()
    for _ in range(200):
        viewport.scroll_by(-19)
        document.trim(80)
    assert sum(len(part.layout.rows) for part in document.index if part.layout is not None) < 2_000
    assert len(visible(document, viewport)) == 20


def test_the_picked_block_is_brought_into_view() -> None:
    document, viewport = opened()
    viewport.place()
    first = next(iter(document))
    viewport.reveal(first)
    assert visible(document, viewport)[0] == "▌ question 0"
