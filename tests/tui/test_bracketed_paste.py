"""Pastes are taken out of the input whole, however the reads cut it; the parser sees the rest in order."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser

from codeagent_tui.tui.bracketed_paste import Pasted, PasteReader

START, END = "\x1b[200~", "\x1b[201~"


def read(chunks: list[str]) -> list[tuple[str, str]]:
    """Return the keys and pastes that come of `chunks`, as the driver would post them."""
    reader, parser = PasteReader(), XTermParser()
    found: list[tuple[str, str]] = []
    for chunk in chunks:
        for piece in reader.feed(chunk):
            if isinstance(piece, Pasted):
                found.append(("paste", piece.text))
                continue
            for event in parser.feed(piece):
                found.append(("paste", event.text) if isinstance(event, events.Paste) else ("key", event.key))
    return found


def test_a_paste_between_keys() -> None:
    assert read([f"a{START}one\rtwo{END}b"]) == [("key", "a"), ("paste", "one\rtwo"), ("key", "b")]


def test_a_paste_over_many_reads() -> None:
    text = "0123456789\r" * 10_000
    data = START + text + END
    chunks = [data[at : at + 4_096] for at in range(0, len(data), 4_096)]
    assert read(chunks) == [("paste", text)]


def test_a_lone_escape_is_passed_on_at_once() -> None:
    assert list(PasteReader().feed("\x1b")) == ["\x1b"]


@given(st.lists(st.integers(1, 40), max_size=8), st.text("ab\r", max_size=20), st.text("ab\r", max_size=20))
@example([1], "a", "b")
@example([3], "", "")
@example([7, 10], "ab", "")
def test_no_cut_changes_what_is_read(cuts: list[int], first: str, second: str) -> None:
    data = f"x{START}{first}y{END}z{START}{second}y{END}{START}q{END}x"
    edges = sorted({0, *(cut for cut in cuts if cut < len(data)), len(data)})
    chunks = [data[start:end] for start, end in pairwise(edges)]
    assert read(chunks) == [
        ("key", "x"),
        ("paste", first + "y"),
        ("key", "z"),
        ("paste", second + "y"),
        ("paste", "q"),
        ("key", "x"),
    ]
