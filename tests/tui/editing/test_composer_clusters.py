"""The characters of a draft: found near the cursor exactly where a reading of the whole text finds them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codeagent_tui.text import graphemes
from codeagent_tui.tui.editing.clusters import STAND_IN, next_boundary, previous_boundary, snap

STAND_IN_ONE = "\ud800"
DRAFTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "你",
                "好",
                "👨‍👩‍👧",
                "👨",
                "\u200d",
                "\ufe0f",
                "\u0301",
                "⚠",
                "①",
                "\n",
                "\t",
                "a",
                " ",
                STAND_IN_ONE,
                "🇨",
                "🇳",
            ]
        ),
        st.characters(exclude_categories=("Cc", "Cs")),
    ),
    max_size=30,
).map("".join)


def boundaries(text: str) -> list[int]:
    """Return every boundary of `text`, read from its start."""
    found = [0]
    at = 0
    while at < len(text):
        stop = next((i for i in range(at, len(text)) if text[i] in "\n\t" or STAND_IN.match(text[i])), len(text))
        found += [at + end for _, end, _ in graphemes(text[at:stop])]
        if stop < len(text):
            found.append(stop + 1)
        at = stop + 1
    return found


@given(DRAFTS)
@example("a\u200d\u200d\u200db")
@example("👨" + "\u200d👩" * 40 + "x")
@example("e" + "\u0301" * 200 + "x")
def test_going_right_and_left_meets_every_boundary_once(text: str) -> None:
    expected = boundaries(text)
    walked = [0]
    while walked[-1] < len(text):
        walked.append(next_boundary(text, walked[-1]))
    assert walked == expected
    back = [len(text)]
    while back[-1] > 0:
        back.append(previous_boundary(text, back[-1]))
    assert back[::-1] == expected


@given(DRAFTS, st.integers(-2, 40))
def test_an_index_inside_a_character_goes_to_its_end(text: str, index: int) -> None:
    clamped = min(max(index, 0), len(text))
    assert snap(text, index) == next(at for at in boundaries(text) if at >= clamped)


@pytest.mark.parametrize("text", ["👨‍👩‍👧", "e\u0301", "⚠️", "①", "你", STAND_IN_ONE, "\t", "\n"])
def test_one_character_is_one_step(text: str) -> None:
    assert next_boundary(text + "x", 0) == len(text)
    assert previous_boundary("x" + text, len(text) + 1) == 1


def test_marks_do_not_join_what_stands_alone() -> None:
    assert next_boundary(f"{STAND_IN_ONE}\u0301", 0) == 1
    assert next_boundary("a\u200d\nb", 0) == 2
