"""What must never be forgotten is still there after compactions, whatever the summariser does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.coding_sessions import CodingSession, FactKind, coding_session
from tests.support.coding_words import Language, Work
from tests.support.compaction_recall import CERTAIN, is_said, recall_of
from tests.support.fact_summarisers import FAILING, Habit

WINDOW = 32_768
ENGLISH = coding_session(1, Work.BUG, Language.ENGLISH, 24)
CHINESE = coding_session(2, Work.OPERATIONS, Language.CHINESE, 24)
PLAYED = [(ENGLISH, habit) for habit in Habit if habit not in FAILING] + [(CHINESE, habit) for habit in Habit]


@pytest.mark.parametrize(
    ("script", "habit"), PLAYED, ids=[f"{script.language}, {habit.name}" for script, habit in PLAYED]
)
async def test_files_commands_requests_and_open_work_are_remembered_whatever_the_summariser_does(
    tmp_path: Path, script: CodingSession, habit: Habit
) -> None:
    recall = await recall_of(script, habit, window=WINDOW, folder=tmp_path)
    assert [fact for fact in recall.lost if fact.kind in CERTAIN] == []
    assert recall.share((FactKind.GOAL, FactKind.RULE, FactKind.DECISION, FactKind.CANCELLATION)) == 1
    assert (recall.wrong_orders, recall.overflows, recall.faults) == (0, 0, [])
    assert recall.tokens_after < recall.tokens_before / 3
    if habit in FAILING:
        assert recall.compactions["summary"] == 0 and recall.compactions["dropped"] > 0
    else:
        assert recall.compactions["summary"] > 3 and recall.compactions["dropped"] == 0


async def test_without_the_ledger_a_hostile_summariser_loses_them(tmp_path: Path) -> None:
    recall = await recall_of(ENGLISH, Habit.DROPS_THIRD, window=WINDOW, folder=tmp_path)
    assert recall.share(CERTAIN) == 1 and recall.share(CERTAIN, ledger=False) < 0.5


def test_words_are_found_plainly_and_within_json_and_only_close_to_each_other() -> None:
    words = ('grep "x" a.py', "exit 1")
    assert is_said(words, 'Ran grep "x" a.py (exit 1).')
    assert is_said(words, '- "grep \\"x\\" a.py" exit 1 x3')
    assert not is_said(words, 'Ran grep "x" a.py and much later something ended with exit 1')
