"""Half characters (S-03)."""

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm.surrogates import SurrogateJoiner, whole_characters

HALVES = st.text(alphabet=st.sampled_from("a中🙂\ud83c\udf0d\udc80\ud800"), max_size=8)


@given(st.lists(HALVES, max_size=6))
def test_s_03_joined_in_pieces_is_joined_at_once(parts: list[str]) -> None:
    joiner = SurrogateJoiner()
    joined = "".join(joiner.feed(part) for part in parts) + joiner.end()
    assert joined == whole_characters("".join(parts))
    joined.encode()


@given(HALVES)
def test_s_03_only_lone_halves_are_replaced(text: str) -> None:
    whole = whole_characters(text)
    assert whole_characters(whole) == whole
    assert len(whole.encode("utf-16-le")) == len(text.encode("utf-16-le", "surrogatepass"))


def test_s_03_two_halves_in_two_frames_are_one_character() -> None:
    joiner = SurrogateJoiner()
    assert joiner.feed("x\ud83c") + joiner.feed("\udf0d!") + joiner.end() == "x🌍!"
