"""Rows of a width: nothing is lost, nothing is too wide, no character is cut."""

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.text import cell_width, graphemes
from codeagent_tui.tui.wrapping import wrap_line

LINES = st.text(
    st.one_of(
        st.characters(codec="utf-8", exclude_characters="\n", exclude_categories=("Cc", "Cs")),
        st.sampled_from("你好 e\u0301 👨‍👩‍👧"),
    ),
    max_size=120,
)


@given(line=LINES, width=st.integers(1, 60))
def test_the_rows_are_the_line(line: str, width: int) -> None:
    rows = wrap_line(line, width)
    assert "".join(line[start:end] for start, end in rows) == line
    assert all(start < end for start, end in rows) or line == ""


@given(line=LINES, width=st.integers(2, 60))
def test_no_row_is_wider_than_the_width_but_by_a_blank_at_its_end(line: str, width: int) -> None:
    for start, end in wrap_line(line, width):
        text = line[start:end]
        fits = cell_width(text.rstrip(" ")) <= width
        assert fits or len(list(graphemes(text))) == 1


@given(line=LINES, width=st.integers(1, 60))
def test_rows_end_between_characters(line: str, width: int) -> None:
    boundaries = {end for _, end, _ in graphemes(line)} | {0, len(line)}
    assert all(end in boundaries for _, end in wrap_line(line, width))


def test_words_stay_whole_where_they_can() -> None:
    line = "the quick brown fox jumps"
    assert [line[start:end] for start, end in wrap_line(line, 10)] == ["the quick ", "brown fox ", "jumps"]
