"""Whether a summary still holds what must be kept."""

from __future__ import annotations

import pytest

from codeagent_tui.context.ledger_entries import FileChange, Ledger, WorkItem
from codeagent_tui.context.verification import content_words, verify

LEDGER = Ledger(
    requests=("Never edit files under generated/.", "把登录接口的超时改成三十秒", "Rename the parser module to reader"),
    files=(FileChange("src/app/reader.py", "edited"),),
    items=(WorkItem("update the changelog", "pending"), WorkItem("old work", "done")),
)


def test_a_summary_that_mentions_everything_is_whole() -> None:
    summary = (
        "The user forbade edits of files under generated/. 登录接口的超时已改成三十秒。 The parser module was "
        "renamed to reader (reader.py). The changelog update is open."
    )
    coverage = verify(summary, LEDGER)
    assert (coverage.kept, coverage.total, coverage.missing, coverage.share) == (5, 5, (), 1.0)


@pytest.mark.parametrize(
    ("summary", "missing"),
    [
        ("", 5),
        ("The parser module is now called reader.", 4),
        ("reader.py was changed.", 4),
        ("登录接口超时三十秒", 4),
    ],
)
def test_what_it_does_not_mention_is_named(summary: str, missing: int) -> None:
    coverage = verify(summary, LEDGER)
    assert len(coverage.missing) == missing and coverage.kept == 5 - missing
    assert "old work" not in coverage.missing


def test_nothing_to_keep_is_whole() -> None:
    assert verify("", Ledger()).share == 1.0


def test_the_words_that_carry_the_meaning() -> None:
    assert content_words("Please make the src/a.py faster") == {"src/a.py", "faster"}
    assert content_words("改超时") == {"改超", "超时"}
