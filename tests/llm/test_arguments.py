"""Arguments as models write them (P-03, P-04, S-03)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm.arguments import argument_text

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(max_size=8), JSON, max_size=4)


def strictly(text: str) -> Any:
    def refuse(constant: str) -> float:
        raise ValueError(constant)

    text.encode()
    return json.loads(text, parse_constant=refuse)


@given(OBJECTS, st.booleans())
def test_a_good_object_stays_as_it_was_written(value: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    arguments = argument_text(text)
    assert (arguments.text, arguments.fault, arguments.cut) == (text, "", False)


@given(OBJECTS.filter(bool), st.data())
def test_p_03_whatever_is_cut_off_is_found_faulty_and_sent_back_as_an_object(
    value: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value)
    arguments = argument_text(text[: data.draw(st.integers(1, len(text) - 1))])
    assert arguments.fault
    assert isinstance(strictly(arguments.text), dict)


@pytest.mark.parametrize(
    "written",
    ['{"path":"README.md","content":"# Title\\n\\nfirst par', '{"a":', '{"a":tru', '{"a":"\\', '{"a":"\\u00', "{"],
)
def test_p_03_a_cut_is_known_as_one(written: str) -> None:
    assert argument_text(written).cut


@pytest.mark.parametrize(
    "written",
    [
        '{"command": "git commit -m \\"feat: x}',
        "[]",
        '"ls"',
        "null",
        '{"a":1}{"b":2}',
        "{'path': 'x'}",
        '{"a":' * 600_000,
        '{"a": NaN}',
        '{"a": ' + "9" * 5_000 + "}",
        "ls -l",
    ],
)
def test_p_04_what_is_no_object_is_a_fault_and_becomes_a_small_object(written: str) -> None:
    arguments = argument_text(written)
    assert (arguments.fault and not arguments.cut) or written.startswith('{"a":{')
    assert isinstance(strictly(arguments.text), dict)
    assert len(arguments.text) < 2_000


@pytest.mark.parametrize("written", ["", "  \n"])
def test_p_04_nothing_at_all_means_no_arguments(written: str) -> None:
    assert argument_text(written) == argument_text("{}")


def test_raw_line_ends_in_strings_are_understood_and_sent_back_as_json() -> None:
    arguments = argument_text('{"content": "one\ntwo\tthree"}')
    assert not arguments.fault
    assert strictly(arguments.text) == {"content": "one\ntwo\tthree"}


def test_white_space_between_the_parts_changes_nothing() -> None:
    text = '{\n  "a": 1\n}'
    assert argument_text(text).text == text


@pytest.mark.parametrize("written", ['{"path":"caf\\ud83c.txt"}', '{"path":"caf\ud83c.txt"}'])
def test_s_03_half_a_character_is_replaced_in_both_spellings(written: str) -> None:
    arguments = argument_text(written)
    assert not arguments.fault
    assert strictly(arguments.text) == {"path": "caf\ufffd.txt"}


def test_s_03_a_whole_pair_stays() -> None:
    assert strictly(argument_text('{"a":"\\ud83d\\ude42"}').text) == {"a": "🙂"}
