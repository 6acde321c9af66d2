"""What can be completed, in which order, and what is put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.tui.editing.completion import (
    Choice,
    CommandHint,
    Kind,
    command_choices,
    file_choices,
    find_trigger,
    match_rank,
    replacement,
)

HINTS = [
    CommandHint("/new", "", "Start anew"),
    CommandHint("/memory", "[query]", "Show the facts"),
    CommandHint("/model", "", "Connect a model"),
    CommandHint("/compact", "[focus]", "Make room"),
]


@pytest.mark.parametrize(
    ("text", "kind", "start", "query"),
    [
        ("/", Kind.COMMAND, 0, ""),
        ("/me", Kind.COMMAND, 0, "me"),
        ("@", Kind.FILE, 0, ""),
        ("look at @src/pa", Kind.FILE, 8, "src/pa"),
        ("first\n@b", Kind.FILE, 6, "b"),
        ("@a\n@b", Kind.FILE, 3, "b"),
        ("(@a", Kind.FILE, 1, "a"),
        ("请看@设计", Kind.FILE, 2, "设计"),
        ('see @"docs/my no', Kind.FILE, 4, "docs/my no"),
        ("/save @a", Kind.FILE, 6, "a"),
        ("!cat @a", Kind.FILE, 5, "a"),
    ],
)
def test_what_can_be_completed(text: str, kind: Kind, start: int, query: str) -> None:
    trigger = find_trigger(text, len(text))
    assert trigger is not None
    assert (trigger.kind, trigger.start, trigger.end, trigger.query) == (kind, start, len(text), query)


@pytest.mark.parametrize(
    "text", ["", "hello", "mail@host", "a/b", " /new", "/usr/bin", "/new x", "@a b", "@a\nb", "x.y@z"]
)
def test_what_cannot(text: str) -> None:
    assert find_trigger(text, len(text)) is None


def test_only_the_word_before_the_cursor_counts() -> None:
    assert find_trigger("@abc def", 3) is not None
    assert find_trigger("/new", 2) is None
    assert find_trigger("/ne rest", 3) is not None


@given(st.text(alphabet='/@" \nab你.', max_size=20), st.integers(0, 20))
def test_a_trigger_ends_at_the_cursor(text: str, cursor: int) -> None:
    cursor = min(cursor, len(text))
    trigger = find_trigger(text, cursor)
    if trigger is not None:
        assert trigger.end == cursor
        assert text[trigger.start] == ("/" if trigger.kind is Kind.COMMAND else "@")
        assert text[trigger.start : cursor].endswith(trigger.query)


def test_all_commands_in_their_order_then_the_best_first() -> None:
    assert [choice.label for choice in command_choices("", HINTS)] == [
        "/new",
        "/memory [query]",
        "/model",
        "/compact [focus]",
    ]
    assert [choice.insert for choice in command_choices("m", HINTS)] == ["/memory ", "/model", "/compact "]
    assert [choice.insert for choice in command_choices("CMP", HINTS)] == ["/compact "]


def test_a_command_that_is_typed_out_comes_first() -> None:
    hints = [CommandHint("/model", "", ""), CommandHint("/mode", "", "")]
    assert [choice.insert for choice in command_choices("mode", hints)] == ["/mode", "/model"]


def test_files_are_found_by_their_letters_in_order_best_first() -> None:
    names = ["tests/test_parser.py", "src/parser.py", "docs/plan.md", "src/pa/r.py", "src/sparse.py", "zzz"]
    assert [choice.label for choice in file_choices("par", names)] == [
        "src/parser.py",
        "src/sparse.py",
        "tests/test_parser.py",
        "src/pa/r.py",
    ]


def test_chinese_names_are_found() -> None:
    assert [choice.insert for choice in file_choices("设说", ["文档/设计说明.md", "README.md"])] == [
        "@文档/设计说明.md "
    ]


@pytest.mark.parametrize(
    ("name", "insert"),
    [
        ("a.py", "@a.py "),
        ("my notes.md", '@"my notes.md" '),
        ("src/", "@src/"),
        ("my docs/", '@"my docs/'),
        ('odd"name x', '@odd"name x '),
        ("caf\udce9.txt", "@caf\ufffd.txt "),
    ],
)
def test_what_is_put_in(name: str, insert: str) -> None:
    assert [choice.insert for choice in file_choices("", [name])] == [insert]


@given(st.text("aBc/.你", max_size=5), st.text("aBc/.你", max_size=12))
def test_a_name_fits_when_it_holds_the_letters_in_order(query: str, name: str) -> None:
    rank = match_rank(query, name)
    letters = iter(name.casefold())
    holds = all(letter in letters for letter in query.casefold())
    assert (rank is not None) == holds
    if rank is not None and query.casefold() in name.casefold():
        assert rank[0] < 5


def test_letters_close_together_come_first() -> None:
    assert [choice.label for choice in file_choices("abc", ["a-b--c", "a--xab-c", "ab-c"])] == [
        "ab-c",
        "a--xab-c",
        "a-b--c",
    ]


@pytest.mark.parametrize(
    ("text", "cursor", "choice", "result"),
    [
        ("see @re now", 7, Choice("@README.md ", ""), "see @README.md now"),
        ("see @re", 7, Choice("@README.md ", ""), "see @README.md "),
        ('see @"my no"', 11, Choice('@"my notes.md" ', ""), 'see @"my notes.md" '),
        ("/me", 3, Choice("/memory ", ""), "/memory "),
    ],
)
def test_nothing_is_doubled(text: str, cursor: int, choice: Choice, result: str) -> None:
    trigger = find_trigger(text, cursor)
    assert trigger is not None
    start, end, new = replacement(text, trigger, choice)
    assert text[:start] + new + text[end:] == result
