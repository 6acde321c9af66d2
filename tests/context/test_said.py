"""What the user said, shortened: what was asked and what was laid down stays."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.context.said import GAP, cut_said, cut_text, is_cut_of
from tests.support.coding_words import log

LOG = log(random.Random(1), 3_000)
HALF = LOG.index("\n", 1_500)


@pytest.mark.parametrize("characters", [600, 300, 160])
@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ("Why does the worker retry request 7 after a timeout?", "Never touch the folder vendor/mail."),
        ("第 1113 号卷被什么占满了？", "不要动 vendor/mail 这个目录。"),
    ],
)
def test_a_question_before_or_after_a_log_and_a_rule_within_it_stay(asked: str, rule: str, characters: int) -> None:
    within = f"{LOG[:HALF]}\n{rule}{LOG[HALF:]}"
    for text in (f"{asked}\n{within}", f"{within}\n{asked}", f"The log:\n{within}\n{asked}"):
        cut = cut_said(text, characters)
        assert asked in cut and rule in cut and len(cut) <= characters


def test_it_can_be_cut_again_and_again() -> None:
    text = f"This is the log:\n{LOG[:HALF]}\nNever restart it.{LOG[HALF:]}\nWhat is wrong with export 7?"
    for characters in (1_200, 800, 500, 400, 300, 200, 100):
        text = cut_said(text, characters)
        assert "Never restart it." in text and text.endswith("What is wrong with export 7?")
        assert f"…{GAP}" not in text.replace("… …", "…" + GAP)


def test_what_fits_stays_as_it_is_and_one_long_sentence_keeps_its_ends() -> None:
    assert cut_said("Fix it.\n\n  Now!", 100) == "Fix it.\n\n  Now!"
    cut = cut_said("begin " + "x" * 500 + " end", 60)
    assert cut.startswith("begin ") and cut.endswith(" end") and len(cut) <= 60


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400), st.integers(30, 300))
def test_it_is_never_longer_than_allowed(text: str, characters: int) -> None:
    assert len(cut_said(text, characters)) <= max(characters, 0)
    assert cut_said(text, len(text)) == text


def test_a_cut_command_is_known_again_however_often_it_was_cut() -> None:
    command = "python -m pytest " + " ".join(f"tests/test_{number}.py" for number in range(40))
    for short in (cut_text(command, 200), cut_text(cut_text(command, 200), 80)):
        assert is_cut_of(short, command) and not is_cut_of(short, command + " -x")
    assert not is_cut_of(command, command)
