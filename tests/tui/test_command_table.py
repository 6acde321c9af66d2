"""The one table: ids, slash words and keys are unique, and everything made from it agrees with it."""

from collections import Counter

import pytest

from codeagent_tui.text import cell_width
from codeagent_tui.tui.acts import ACTS
from codeagent_tui.tui.command_tables import commands_table, keys_table
from codeagent_tui.tui.commands import BY_SLASH, COMMANDS, Group, key_name, nearest_slash, parse_slash
from codeagent_tui.tui.help_text import help_lines
from codeagent_tui.tui.key_bar import key_bar_pieces
from codeagent_tui.tui.key_bindings import app_bindings
from codeagent_tui.tui.pieces import width_of


def test_nothing_is_named_twice() -> None:
    ids = Counter(command.id for command in COMMANDS)
    words = Counter(command.slash for command in COMMANDS if command.slash)
    keys = Counter(key for command in COMMANDS for key in command.keys)
    assert not [name for counter in (ids, words, keys) for name, count in counter.items() if count > 1]


def test_each_command_can_be_reached_and_is_explained() -> None:
    for command in COMMANDS:
        assert command.summary
        assert command.slash or command.keys or command.argument, command.id


def test_each_command_without_an_action_of_its_own_has_an_act() -> None:
    assert {command.id for command in COMMANDS if not command.action} == set(ACTS)


def test_each_key_is_bound() -> None:
    bound = {binding.key for binding in app_bindings()}
    assert bound == {key for command in COMMANDS for key in command.keys}


def test_the_slash_words_of_the_specification_are_there() -> None:
    needed = "/help /new /clear /compact /context /save /memory /resume /sessions /model /tools /init /export /quit"
    assert set(needed.split()) <= BY_SLASH.keys()


@pytest.mark.parametrize("width", [36, 80, 120])
def test_the_help_names_every_command_and_key(width: int) -> None:
    text = "\n".join(line for line, _ in help_lines(width))
    for command in COMMANDS:
        assert command.summary in text
        assert command.usage in text
        assert all(key_name(key) in text for key in command.keys)
    assert all(group.value in text for group in Group)


def test_the_help_fits_eighty_columns() -> None:
    assert max(cell_width(line) for line, role in help_lines(80) if role == "key") <= 80


@pytest.mark.parametrize("width", range(0, 130, 7))
def test_the_key_bar_shows_whole_hints_only(width: int) -> None:
    pieces = key_bar_pieces(width, running=True)
    assert width_of(pieces) <= width
    if width >= 80:
        words = "".join(text for text, _ in pieces)
        assert all(command.footer in words for command in COMMANDS)
    assert ("esc", "key") not in key_bar_pieces(width, running=False)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("/help", ("/help", "")),
        ("/save  the tests need node 22 ", ("/save", "the tests need node 22")),
        ("/COMPACT keep the API", ("/compact", "keep the API")),
        ("/save two\nlines", ("/save", "two\nlines")),
        ("/usr/bin/env is where?", None),
        ("/ is division", None),
        ("fix /help", None),
        ("//", None),
        ("", None),
    ],
)
def test_command_lines_are_told_from_messages(text: str, parsed: tuple[str, str] | None) -> None:
    assert parse_slash(text) == parsed


def test_a_misspelt_command_is_recognised() -> None:
    assert nearest_slash("/memry") == "/memory"
    assert nearest_slash("/comp") == "/compact"
    assert nearest_slash("/zzz") == ""


def test_the_tables_for_the_readme_hold_every_key_and_command() -> None:
    keys, words = keys_table(), commands_table()
    for command in COMMANDS:
        assert not command.keys or command.summary in keys
        assert not command.usage or f"| `{command.usage}` | {command.summary} |" in words
